"""The verbs of the command line: what each takes (`table`), how words are read (`words`), and what each does."""
