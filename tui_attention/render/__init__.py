"""Tensors, workings and prose as rows of text with named inks. No Textual."""
