"""How much of anything somebody may do."""

from __future__ import annotations


class Bucket:
    """A token bucket: `rate` a second, `burst` at once. The clock is the caller's."""

    def __init__(self, rate: float, burst: float, now: float = 0.0) -> None:
        self.rate = rate
        self.burst = burst
        self._left = burst
        self._at = now

    def left(self, now: float) -> float:
        """What may be taken now."""
        self._left = min(self.burst, self._left + max(0.0, now - self._at) * self.rate)
        self._at = now
        return self._left

    def take(self, now: float, amount: float = 1.0) -> bool:
        """Take, if there is enough."""
        if self.left(now) < amount:
            return False
        self._left -= amount
        return True

    def owe(self, now: float, amount: float) -> float:
        """Take in any case; the seconds until the bucket is even again."""
        self._left = self.left(now) - amount
        return max(0.0, -self._left / self.rate)
