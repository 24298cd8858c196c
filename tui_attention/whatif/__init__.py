"""What if: other dials and formulas, what moved by them, and which mark comes next. No screen."""
