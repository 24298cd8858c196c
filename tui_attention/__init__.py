"""Work through attention and a GPT's forward pass in the terminal, with a pencil."""

__version__ = "0.1.0"
