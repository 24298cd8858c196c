"""How light a colour is to the eye: what decides whether text can be read on it."""

from __future__ import annotations


def luminance(red: float, green: float, blue: float) -> float:
    """The relative luminance of an sRGB colour, 0 to 1; its parts are from 0 to 1 too. Source: WCAG 2.2."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
