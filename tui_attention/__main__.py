"""`python -m tui_attention` is `tui-attention`."""

from __future__ import annotations

import sys

from tui_attention import interrupts


def main() -> int:
    """Run one command; its exit code. What is loaded here is loaded behind a quiet Ctrl+C."""
    interrupts.quiet()
    from tui_attention import cli

    code = cli.main()
    interrupts.deaf()
    return code


if __name__ == "__main__":
    sys.exit(main())
