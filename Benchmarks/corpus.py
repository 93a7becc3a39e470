#!/usr/bin/env python3
"""Makes the pictures that are measured: the same ones on every machine with the same encoders.

They come from the photographs of lomiri-wallpapers-16.04, cropped and scaled, with the grain of a
sensor, so that they compress as photographs do. All are kept under .build/bench; a change of this
file or of an encoder makes them anew.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
from PIL import Image, features

PHOTOGRAPHS = Path("/usr/share/backgrounds")
CACHE = Path(__file__).resolve().parent.parent / ".build" / "bench"
SEED = 16_04
GRAIN = 512
FULL_HD, UHD, CAMERA = (1920, 1080), (3840, 2160), (6000, 4000)
# The five pictures that are measured by themselves, in the order of the tables.
SINGLE = {
    "24 MP JPEG": "camera.jpg",
    "24 MP progressive": "camera-progressive.jpg",
    "4K PNG photo": "uhd.png",
    "4K WebP": "uhd.webp",
    "4K AVIF": "uhd.avif",
}
# What a folder of pictures holds: how many of each kind, and their sizes in turn.
Kinds = dict[str, tuple[int, list[tuple[int, int]]]]
LIBRARY: Kinds = {
    "jpeg": (150, [CAMERA, (4000, 3000), (2560, 1440), FULL_HD, (1600, 1200)]),
    "progressive": (30, [(4000, 3000), (2048, 1365), FULL_HD]),
    "png": (60, [UHD, (2560, 1440), FULL_HD]),
    "webp": (30, [(2560, 1440), FULL_HD]),
    "avif": (20, [(2560, 1440), FULL_HD]),
    "gif": (10, [(800, 600)]),
}
THUMBNAILS: Kinds = {"jpeg": (300, [(256, 171)]), "png": (300, [(256, 171)])}
ENDINGS = {"progressive": "jpg", "jpeg": "jpg"}


@dataclasses.dataclass(frozen=True)
class Corpus:
    """The files: five by their names in the tables, the library, and thumbnails of 256 pixels."""

    single: dict[str, Path]
    library: list[Path]
    jpeg_thumbnails: list[Path]
    png_thumbnails: list[Path]


@dataclasses.dataclass(frozen=True)
class Order:
    """One picture to be made: of which photograph, at what size, in which way and where."""

    photograph: Path
    size: tuple[int, int]
    kind: str
    seed: int
    path: Path


def photographs() -> list[Path]:
    found = sorted(PHOTOGRAPHS.glob("*_by_*.jpg"))
    if len(found) < 12:
        raise SystemExit("corpus: the photographs of lomiri-wallpapers-16.04 are not installed")
    return found


def draw(order: Order) -> Image.Image:
    """Cuts a part of the right shape, mirrored or not, and adds grain at its final size."""
    chance = random.Random(order.seed)
    width, height = order.size
    with Image.open(order.photograph) as image:
        image.draft("RGB", (2 * width, 2 * height))
        image = image.convert("RGB")
    scale = min(image.size[0] / width, image.size[1] / height) * chance.uniform(0.8, 1)
    across, down = int(width * scale), int(height * scale)
    left, top = chance.randint(0, image.size[0] - across), chance.randint(0, image.size[1] - down)
    image = image.resize(
        order.size, Image.Resampling.BICUBIC, box=(left, top, left + across, top + down)
    )
    if chance.random() < 0.5:
        image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    # One layer for all channels, as most of a sensor's noise is in the lightness; one square of it
    # again and again, because nothing that is measured looks that far.
    grain = np.random.default_rng(order.seed).normal(0, 3, (GRAIN, GRAIN)).round().astype(np.int16)
    grain = np.tile(grain, (height // GRAIN + 1, width // GRAIN + 1))[:height, :width, np.newaxis]
    pixels = np.asarray(image) + grain
    return Image.fromarray(np.clip(pixels, 0, 255, out=pixels).astype(np.uint8))


def save(image: Image.Image, kind: str, path: Path) -> None:
    if kind == "avif":
        source = path.with_suffix(".y4m.png")
        image.save(source, compress_level=1)
        command = ["avifenc", "--speed", "9", "--jobs", "1", "--min", "10", "--max", "22"]
        subprocess.run([*command, source, path], check=True, capture_output=True)
        source.unlink()
        return
    options: dict[str, dict[str, object]] = {
        "jpeg": {"quality": 92, "subsampling": "4:2:0"},
        "progressive": {"quality": 92, "subsampling": "4:2:0", "progressive": True},
        "png": {},
        "webp": {"quality": 90, "method": 2},
        "gif": {},
    }
    formats = {"progressive": "jpeg"}
    image.save(path, formats.get(kind, kind), **options[kind])


def make(order: Order) -> None:
    save(draw(order), order.kind, order.path)


def single_orders(directory: Path) -> list[Order]:
    # The largest photograph there is: 16 megapixels.
    photograph = next(path for path in photographs() if path.name.startswith("seeding"))
    orders = []
    for name in SINGLE.values():
        size = CAMERA if name.startswith("camera") else UHD
        kind = name.rpartition(".")[2].replace("jpg", "jpeg")
        kind = "progressive" if "progressive" in name else kind
        orders.append(Order(photograph, size, kind, SEED, directory / name))
    return orders


def folder_orders(directory: Path, kinds: Kinds, share: int) -> list[Order]:
    sources = photographs()
    orders = []
    for kind, (count, sizes) in kinds.items():
        # Each kind has seeds of its own, so that a part of a folder is made of the same pictures.
        first = SEED + 1000 * list(LIBRARY).index(kind)
        for index in range(count // share):
            seed = first + index
            path = directory / f"{kind}-{index:03}.{ENDINGS.get(kind, kind)}"
            size, source = sizes[index % len(sizes)], sources[seed % len(sources)]
            orders.append(Order(source, size, kind, seed, path))
    # As in a folder, formats come mixed; not all of one kind at the end.
    random.Random(SEED).shuffle(orders)
    return orders


def encoders() -> str:
    """Names all that the files depend on."""
    versions = [Image.__version__, str(np.__version__)]
    versions += [str(features.version(name)) for name in ("jpg", "zlib", "webp")]
    if not shutil.which("avifenc"):
        raise SystemExit("corpus: avifenc is not installed (libavif-bin)")
    done = subprocess.run(["avifenc", "--version"], capture_output=True, text=True, check=True)
    return " ".join([*versions, done.stdout])


def prepare(quick: bool) -> Corpus:
    """Makes what is not there yet; `quick` has a fifth of the library's pictures."""
    share = 5 if quick else 1
    key = hashlib.sha256(Path(__file__).read_bytes() + encoders().encode()).hexdigest()[:12]
    directory = CACHE / f"corpus-{key}"
    orders = [
        single_orders(directory / "single"),
        folder_orders(directory / "library", LIBRARY, share),
        folder_orders(directory / "thumbnails", THUMBNAILS, share),
    ]
    wanted = [order for group in orders for order in group if not order.path.exists()]
    if wanted:
        print(f"making {len(wanted)} pictures in {directory}")
        for order in wanted:
            order.path.parent.mkdir(parents=True, exist_ok=True)
        # What was interrupted leaves no half of a picture under a picture's name.
        parts = [
            dataclasses.replace(o, path=o.path.with_name("part-" + o.path.name)) for o in wanted
        ]
        with multiprocessing.Pool(os.cpu_count()) as pool:
            made = pool.imap(make, parts)
            for order, part, _ in zip(wanted, parts, made, strict=True):
                part.path.rename(order.path)
    single, library, thumbnails = ([order.path for order in group] for group in orders)
    return Corpus(
        single=dict(zip(SINGLE, single, strict=True)),
        library=library,
        jpeg_thumbnails=[path for path in thumbnails if path.suffix == ".jpg"],
        png_thumbnails=[path for path in thumbnails if path.suffix == ".png"],
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="a fifth of the library only")
    corpus = prepare(parser.parse_args().quick)
    for path in [*corpus.single.values(), *corpus.library]:
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
