"""Work through attention and a GPT's forward pass in the terminal, with a pencil."""

from __future__ import annotations

__version__ = "0.1.0"
