"""`python -m tui_attention` is `tui-attention`."""

from __future__ import annotations

import sys

from tui_attention.cli import main

sys.exit(main())
