"""Lessons: content as data, loaded from TOML, checked, and joined with the engine's numbers."""
