"""The way in by ssh. The only package that knows asyncssh; it opens terminals and nothing else."""

from __future__ import annotations
