"""What a daemon must not leave behind, or grow by, however long it runs."""

from __future__ import annotations

from dataclasses import dataclass

from EndToEndTests.harness import processes

# What the daemon may grow by after it is warm.
GROWTH_BYTES = 10 << 20


@dataclass
class Audit:
    """What a process and its children hold while nothing is asked of them."""

    descriptors: int
    children_descriptors: list[int]
    memory: int
    threads: int
    zombies: list[int]

    @staticmethod
    def of(pid: int) -> Audit:
        """Looks at a process and its children."""
        children = processes.children(pid)
        zombies = processes.zombies(pid)
        return Audit(
            descriptors=processes.descriptors(pid),
            children_descriptors=sorted(
                processes.descriptors(child) for child in children if child not in zombies
            ),
            memory=processes.private(pid),
            threads=processes.threads(pid),
            zombies=zombies,
        )

    def faults_since(self, before: Audit) -> list[str]:
        """Says what is more than it was when everything was warm."""
        faults = []
        if self.descriptors != before.descriptors:
            faults.append(f"{self.descriptors} descriptors, not {before.descriptors}")
        if self.children_descriptors != before.children_descriptors:
            now, then = self.children_descriptors, before.children_descriptors
            faults.append(f"{now} descriptors of the decoders, not {then}")
        if self.memory > before.memory + GROWTH_BYTES:
            faults.append(f"{self.memory >> 20} MiB of memory, not {before.memory >> 20}")
        if self.threads != before.threads:
            faults.append(f"{self.threads} threads, not {before.threads}")
        if self.zombies:
            faults.append(f"{len(self.zombies)} dead children that nobody has buried")
        return faults
