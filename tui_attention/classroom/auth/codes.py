"""Codes that are said aloud and tokens that are pasted."""

from __future__ import annotations

import hmac
import secrets

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O, U, so that a code read aloud or off a board is typed right."""
LENGTH = 8
_ALIKE = str.maketrans({"I": "1", "L": "1", "O": "0"})


def new_code() -> str:
    """Eight marks of base 32: 40 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def readable(code: str) -> str:
    """In two groups, as it stands on the board."""
    return f"{code[:4]}-{code[4:]}"


def same_code(typed: str, code: str) -> bool:
    """Whether this is the code, in whatever case and grouping; in constant time for one length."""
    bare = "".join(mark for mark in typed[:100].upper() if mark.isalnum()).translate(_ALIKE)
    return hmac.compare_digest(bare.encode(), code.encode())


def new_token() -> str:
    """The teacher's: 192 bits."""
    return secrets.token_urlsafe(24)


def same_token(typed: str, token: str) -> bool:
    """Whether this is the token, in constant time for one length."""
    return hmac.compare_digest(typed[:200].strip().encode(), token.encode())
