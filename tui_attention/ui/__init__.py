"""The full-screen app: the only package that imports Textual."""
