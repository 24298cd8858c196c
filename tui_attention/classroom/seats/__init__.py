"""Seats in a class: a learner's app and plain shell, the teacher's app, and the reception that gives them."""

from __future__ import annotations
