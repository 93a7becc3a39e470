"""OKLab by Björn Ottosson's definition, written down a second time to compare with."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from . import wcag

Values = npt.NDArray[np.float64]

# The linear light of each encoded value.
LINEAR: Values = np.array([wcag.decode(value) for value in range(256)])

_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def oklab(colors: npt.ArrayLike) -> Values:
    """Returns L, a and b of colours of 0…255 a channel, one a row."""
    light: Values = LINEAR[np.asarray(colors, dtype=np.int64)]
    result: Values = np.cbrt(light @ _TO_LMS.T) @ _TO_LAB.T
    return result


def srgb(lab: npt.ArrayLike) -> Values:
    """Returns encoded values, 0…255 and not rounded, of OKLab colours, one a row."""
    cones = np.asarray(lab) @ np.linalg.inv(_TO_LAB).T
    light = np.clip(cones**3 @ np.linalg.inv(_TO_LMS).T, 0, 1)
    curve = 1.055 * light ** (1 / 2.4) - 0.055
    encoded: Values = np.where(light <= 0.0031308, light * 12.92, curve)
    result: Values = np.multiply(encoded, 255.0)
    return result


def closest(colors: npt.ArrayLike) -> float:
    """Returns the least distance, deltaE-OK, between any two of some colours."""
    lab = oklab(colors)
    distances = np.linalg.norm(lab[:, None] - lab[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    return float(distances.min())


def hue_and_chroma(color: wcag.RGB) -> tuple[float, float]:
    """Returns the angle in OKLCh, 0…360, and the chroma."""
    _, a, b = oklab([color])[0]
    return float(np.degrees(np.arctan2(b, a))) % 360, float(np.hypot(a, b))
