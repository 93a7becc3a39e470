"""SVG is a program that its author runs here: what it may use up and reach is bounded."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from .harness import bombs
from .harness.daemon import running
from .harness.faults import RED, Peak, ask_badly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from .harness.daemon import Daemon

# What a child may hold: its limit of data, and the libraries.
MEMORY_BYTES = (512 + 96) << 20

WHITE = '<rect width="100" height="100" fill="#ffffff"/>'


def svg(body: str, head: str = "") -> str:
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f'<?xml version="1.0"?>{head}<svg {names} width="100" height="100">{WHITE}{body}</svg>'


def entities() -> str:
    """Ten to the ninth letters."""
    definitions = '<!ENTITY a0 "aaaaaaaaaa">'
    for level in range(1, 10):
        definitions += f'<!ENTITY a{level} "{f"&a{level - 1};" * 10}">'
    return svg("<text>&a9;</text>", f"<!DOCTYPE svg [{definitions}]>")


def uses() -> str:
    """Ten to the ninth rectangles."""
    groups = '<g id="g0"><rect width="1" height="1"/></g>'
    for level in range(1, 10):
        groups += f'<g id="g{level}">{f"""<use xlink:href="#g{level - 1}"/>""" * 10}</g>'
    return svg(f'<defs>{groups}</defs><use xlink:href="#g9"/>')


def turbulence() -> str:
    """Noise of a million octaves, a hundred times over."""
    noise = '<feTurbulence baseFrequency="0.01" numOctaves="1000000"/>' * 100
    shape = '<rect width="100" height="100" filter="url(#f)"/>'
    return svg(f'<filter id="f">{noise}</filter>{shape}')


def embedded_bomb() -> str:
    data = base64.b64encode(bombs.one_bit_png(50_000)).decode()
    return svg(f'<image width="100" height="100" xlink:href="data:image/png;base64,{data}"/>')


def external() -> str:
    files = [RED.as_uri(), str(RED), "file:///etc/passwd", "http://127.0.0.1:9/x.png"]
    return svg("".join(f'<image width="100" height="100" xlink:href="{name}"/>' for name in files))


def external_entity() -> str:
    return svg("<text>&e;</text>", '<!DOCTYPE svg [<!ENTITY e SYSTEM "file:///etc/passwd">]>')


def large() -> str:
    return '<svg xmlns="http://www.w3.org/2000/svg" width="1e9" height="1e9"/>'


@pytest.fixture(scope="module")
def impatient() -> Iterator[Daemon]:
    """A daemon that soon gives up."""
    with running(arguments=["--deadline", "3"]) as daemon:
        yield daemon


@pytest.mark.parametrize(
    "make", [entities, uses, turbulence, embedded_bomb, external, external_entity, large]
)
def test_an_svg_that_does_harm(impatient: Daemon, directory: Path, make: Callable[[], str]) -> None:
    if "svg" not in impatient.status()["formats"]:
        pytest.skip("the SVG loader is not installed")
    path = directory / "x.svg"
    path.write_text(make())
    with Peak(impatient) as peak:
        reply = ask_badly(impatient, path=str(path))
    assert peak.bytes < MEMORY_BYTES
    if "error" in reply:
        codes = {"decode_failed", "image_too_large", "timeout"}
        assert reply["error"]["code"] in codes, reply
    elif make in {external, external_entity}:
        # Nothing of another file, nor of the network, is in it.
        assert reply["result"]["background"] == "#ffffff"
