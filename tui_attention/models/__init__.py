"""Trained models: their files, their tokenizers, and the forward pass of each family with every intermediate kept."""
