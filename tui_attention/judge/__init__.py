"""What a learner typed, and what it is worth: reading, slips, verdicts, hints."""
