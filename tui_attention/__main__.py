"""`python -m tui_attention` is `tui-attention`."""

import sys

from tui_attention.cli import main

sys.exit(main())
