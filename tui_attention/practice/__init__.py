"""Practice that never repeats: sheets on paper with keys and marking guides, and review of what one got wrong."""
