"""Writes the advance widths and kerning of Liberation Sans, and the fixture that text widths are measured with.

pillow==13.0.0 fonttools==4.68.0; the font is Debian's fonts-liberation 1:1.07.4 (metric-compatible with Arial).
"""

import json
import pathlib
import random

from fontTools.ttLib import TTFont
from PIL import ImageFont

ROOT = pathlib.Path(__file__).parents[3]
FONT = "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"
RANGES = [(0x20, 0x7E), (0xA0, 0x17F), (0x218, 0x21B), (0x370, 0x3FF), (0x400, 0x45F), (0x490, 0x491), (0x1E80, 0x1E85), (0x2010, 0x2044), (0x20AC, 0x20AC), (0x2116, 0x2122), (0x2190, 0x2195), (0x2212, 0x2212), (0x25A0, 0x25CF)]


def main() -> None:
    font = TTFont(FONT)
    cmap, metrics = font.getBestCmap(), font["hmtx"]
    lines = []
    for first, last in RANGES:
        widths = [str(metrics[cmap[code]][0]) if code in cmap else "0" for code in range(first, last + 1)]
        lines.append(f"{first:x} " + " ".join(widths))
    names = {name: code for code, name in sorted(cmap.items(), reverse=True) if code < 0x180}
    pairs = font["kern"].kernTables[0].kernTable
    kerning = sorted((names[a], names[b], value) for (a, b), value in pairs.items() if a in names and b in names)
    lines.append("kern " + " ".join(f"{a:x},{b:x},{value}" for a, b, value in kerning))
    (ROOT / "modules/lib/kit/src/glyphs/liberation.txt").write_text("\n".join(lines) + "\n")
    texts = []
    source = json.loads((ROOT / "modules/lib/kit/fixtures/titles.json").read_text())
    random.Random(3).shuffle(source)
    big = ImageFont.truetype(FONT, 2048, layout_engine=ImageFont.Layout.RAQM)
    for text in source[:500]:
        texts.append([text, big.getlength(text) / 2048])
    (ROOT / "modules/lib/kit/fixtures/widths.json").write_text(json.dumps(texts, ensure_ascii=False, indent=0))


if __name__ == "__main__":
    main()
