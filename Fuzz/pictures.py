#!/usr/bin/python3
"""Writes small pictures of all formats that Pillow knows, as seeds for the target `outline`."""

import io
import sys
from pathlib import Path
from typing import Any

from PIL import Image

# Names and options of each way to save a picture.
VARIANTS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("png", "PNG", "RGBA", {}),
    ("png-palette", "PNG", "P", {"transparency": 0}),
    ("png-apng", "PNG", "RGB", {"save_all": True}),
    ("jpeg", "JPEG", "RGB", {"quality": 50}),
    ("jpeg-progressive", "JPEG", "RGB", {"progressive": True, "quality": 50}),
    ("jpeg-restart", "JPEG", "L", {"restart_marker_rows": 1}),
    ("jpeg-cmyk", "JPEG", "CMYK", {}),
    ("gif", "GIF", "P", {}),
    ("gif-animated", "GIF", "P", {"save_all": True, "interlace": 1}),
    ("webp", "WEBP", "RGB", {}),
    ("webp-lossless", "WEBP", "RGBA", {"lossless": True}),
    ("webp-animated", "WEBP", "RGB", {"save_all": True}),
    ("tiff", "TIFF", "RGBA", {}),
    ("tiff-lzw", "TIFF", "RGB", {"compression": "tiff_lzw"}),
    ("tiff-fax", "TIFF", "1", {"compression": "group4"}),
    ("bmp", "BMP", "RGB", {}),
    ("bmp-mono", "BMP", "1", {}),
    ("ico", "ICO", "RGBA", {"sizes": [(16, 16)]}),
    ("ico-bmp", "ICO", "RGBA", {"sizes": [(16, 16)], "bitmap_format": "bmp"}),
    ("ppm", "PPM", "RGB", {}),
    ("pbm", "PPM", "1", {}),
]


def main(folder: Path) -> None:
    """Writes one file for each variant, with and without EXIF where the format holds it."""
    colors = Image.linear_gradient("L").resize((17, 16))
    picture = Image.merge("RGBA", (colors, colors.rotate(90), colors.rotate(180), colors))
    frames = [picture.rotate(90).convert("RGB")]
    exif = Image.Exif()
    exif[274] = 6
    for name, kind, mode, options in VARIANTS:
        for suffix, extra in (("", {}), ("-exif", {"exif": exif})):
            if suffix and kind not in ("PNG", "JPEG", "WEBP", "TIFF"):
                continue
            more = {"append_images": frames} if "save_all" in options else {}
            file = io.BytesIO()
            picture.convert(mode).save(file, kind, **options, **more, **extra)
            # The target's own header: the sniffed format, of a file that was read whole.
            (folder / f"picture-{name}{suffix}").write_bytes(bytes(3) + file.getvalue())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
