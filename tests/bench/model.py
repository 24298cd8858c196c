"""The speed of a real model: `python -m tests.bench.model`. Ratios within one run, in seconds of the processor: on a
machine that others use, too, those on the clock mean nothing.

With torch installed the forward pass is set against torch's own, on the same weights and without a trace.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable

THREADS = os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

OPENING = (
    "import time, resource\n"
    "from tui_attention.models.opening import open_named\n"
    "from tui_attention.walk.walk import Walk\n"
    "from tui_attention.render.stage import LayoutOptions, document\n"
    "walk = Walk(open_named({name!r}), cover=False)\n"
    "document(walk.visible, LayoutOptions(56, False, False, False, ()))\n"
    "print(time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)\n"
)


def opening(name: str, runs: int = 5) -> tuple[float, float]:
    """Seconds from nothing to the first stage as rows, and megabytes: the least of several fresh interpreters."""
    found = []
    for _ in range(runs):
        done = subprocess.run(
            [sys.executable, "-c", OPENING.format(name=name)], capture_output=True, text=True, check=True
        )
        found.append(tuple(map(float, done.stdout.split())))
    return min(one for one, _ in found), min(one for _, one in found)


def least(work: Callable[[], object], runs: int = 7) -> float:
    """The least time of several runs, in seconds."""
    times = []
    for _ in range(runs):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


def forwards() -> None:
    """The forward pass with its trace, beside torch's without."""
    from tui_attention.models.checkpoint import open_checkpoint
    from tui_attention.models.running import Model
    from tui_attention.models.shipped import model_path

    model = Model(open_checkpoint(model_path("smollm2")))
    torch = _torch_forward(model)
    for count in (1, 16, 128):
        ids = [504, *range(1000, 999 + count)]
        model.next_logits(model.run(ids))
        ours = least(lambda: model.next_logits(model.run(ids)))  # noqa: B023 - run at once
        line = f"T {count:>3}   ours {ours * 1000:8.1f} ms"
        if torch is not None:
            theirs = least(lambda: torch(ids))  # noqa: B023
            line += f"   torch {theirs * 1000:8.1f} ms   ratio {ours / theirs:.2f}"
        print(line)
    kept = f"{model.memory.used / 1e6:.0f} of {model.memory.limit / 1e6:.0f} MB"
    print(f"kept in memory {kept}; resident {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def _torch_forward(model: object) -> Callable[[list[int]], object] | None:
    """torch's forward pass over the same weights, without a trace; None where torch or transformers is missing."""
    try:
        import torch
        from transformers import LlamaConfig, LlamaForCausalLM
    except ImportError:
        print("torch and transformers are not installed: no ratio to theirs")
        return None
    from tui_attention.models.running import Model

    assert isinstance(model, Model)
    spec = model.spec
    torch.set_num_threads(int(THREADS))
    config = LlamaConfig(
        vocab_size=spec.vocabulary, hidden_size=spec.width, intermediate_size=spec.hidden,
        num_hidden_layers=spec.blocks, num_attention_heads=spec.heads, num_key_value_heads=spec.kv_heads,
        max_position_embeddings=spec.context, rms_norm_eps=spec.eps, tie_word_embeddings=True,
        rope_parameters={"rope_type": "default", "rope_theta": spec.rope.theta if spec.rope else 1e4},
    )  # fmt: skip
    other = LlamaForCausalLM(config).eval()

    def run(ids: list[int]) -> object:
        with torch.inference_mode():
            return other(torch.tensor([ids]), logits_to_keep=1, use_cache=True)

    return run


def main() -> int:
    """Print every figure."""
    print(f"threads {THREADS}")
    toy, real = opening("press-h"), opening("smollm2")
    print(f"first stage: press-h {toy[0]:.2f} s, {toy[1]:.0f} MB; smollm2 {real[0]:.2f} s, {real[1]:.0f} MB")
    print(f"more than press-h: {real[0] - toy[0]:+.2f} s, {real[1] - toy[1]:+.0f} MB")
    forwards()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
