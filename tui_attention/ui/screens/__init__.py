"""The screens: the lesson itself, and the layers above it."""
