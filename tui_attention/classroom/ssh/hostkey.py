"""The key by which learners' clients know the machine again."""

from __future__ import annotations

from pathlib import Path

import asyncssh

from tui_attention.classroom.keep.folder import read_secret, write_secret
from tui_attention.engine.errors import BadInput


def host_key(path: Path) -> asyncssh.SSHKey:
    """The ed25519 key in a file that its owner alone may read, made where there is none.

    Raises BadInput for a file that others may read or that holds no key.
    """
    kept = read_secret(path)
    if kept is None:
        made = asyncssh.generate_private_key("ssh-ed25519")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_secret(path, made.export_private_key().decode())
        except OSError as error:
            raise BadInput(f"{path}: {error.strerror}; the host key is kept there") from error
        return made
    try:
        return asyncssh.import_private_key(kept)
    except (asyncssh.KeyImportError, ValueError) as error:
        raise BadInput(f"{path} holds no host key; delete it, and a new one is made") from error


def fingerprint(key: asyncssh.SSHKey) -> str:
    """As ssh shows it: SHA256:..."""
    return str(key.get_fingerprint())


def authorized_keys(path: Path) -> asyncssh.SSHAuthorizedKeys:
    """The keys of a standing class, in OpenSSH's format. Raises BadInput."""
    try:
        return asyncssh.read_authorized_keys(str(path))
    except (OSError, ValueError, asyncssh.KeyImportError) as error:
        raise BadInput(f"{path}: no authorized keys can be read there: {error}") from error
