"""A class on one machine: a room of people at their own terminals, led or let go by a teacher.

`hub` knows the class and no screen, `auth` who may come in, `keep` what is kept. `terminal` is one Textual app on
somebody else's terminal, `seats` the apps of learners and teacher, `ssh` and `web` the ways in, `service` the whole.
"""

from __future__ import annotations
