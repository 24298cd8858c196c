"""What guards against faults of Textual 8.2.8: here and nowhere else.

| file | against | reports in Textualize/textual |
|---|---|---|
| `keyboard.py` | bytes that end the input thread, or become keys that nobody pressed | #6456, #541, #3742, #4816 |
| `driver.py` | a terminal that has gone or knows little; being stopped and continued | #6690, #6692, #1582 |
| `colours.py` | greys under NO_COLOR; one app's number of colours for all | #839, #2829 |
| `app.py` | signals, crashes, input after leaving, keys that overtake others | #5140, #4325, #6605, #5629, #1582 |
| `layer.py` | a screen dismissed twice, sizes that chase each other | #2575, #4884 |

Each fault stands in the docstring of its file with the report that names it, or with "no report found". Each has
a test in `tests/ui/guards` that does the same to plain Textual, and fails once that no longer goes wrong: then the
guard can go.
"""
