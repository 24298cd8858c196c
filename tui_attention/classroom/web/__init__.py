"""The way in by a browser: the same terminals over WebSocket, in a page with xterm.js. The only package that knows
aiohttp and what `textual-serve` ships.
"""

from __future__ import annotations
