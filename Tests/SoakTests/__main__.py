"""Runs the soak: see `python3 -m SoakTests --help`, from the folder Tests."""  # noqa: N999

from __future__ import annotations

import argparse
import sys
import time

from .soak import Soak


def main() -> int:
    """Soaks for a while, prints totals, and returns 1 if anything was lost, wrong or left over."""
    parser = argparse.ArgumentParser(prog="python3 -m SoakTests", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="how long (default 600)")
    parser.add_argument("--seed", type=int, help="what decides the mix (default: the time)")
    arguments = parser.parse_args()
    seed = int(time.time()) if arguments.seed is None else arguments.seed
    print(f"soak: {arguments.seconds:.0f} s, seed {seed}", flush=True)
    ledger = Soak(seed).run(arguments.seconds)
    print(ledger.totals())
    for fault in ledger.faults[:20]:
        print(f"soak: {fault}")
    print(f"soak: {'FAILED, ' if ledger.faults else ''}{len(ledger.faults)} faults, seed {seed}")
    return 1 if ledger.faults else 0


if __name__ == "__main__":
    sys.exit(main())
