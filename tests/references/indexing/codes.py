"""How langcodes judges language codes: right ones, retired ones, misspelt ones and made-up ones, from a seed."""

import pathlib
import random
import langcodes
from langcodes import Language, standardize_tag, tag_is_valid
from langcodes.tag_parser import LanguageTagError

ROOT = pathlib.Path(__file__).resolve().parents[3]
rows = [line.split("\t") for line in (ROOT / "modules/indexing/data/subtags.tsv").read_text().splitlines()[1:]]
of = lambda kind: [row[1] for row in rows if row[0] == kind]
dice = random.Random(67)
codes = [it for it in of("l")] + ["en-UK", "jp", "cz-CZ", "dk", "es-419", "en-EU", "sr-Latn-RS", "iw", "en-GB-oed", "zh-Hant", "haw", "de-CH-1996", "uk-UA", "no-NO"]
letters = "abcdefghijklmnopqrstuvwxyz"
for _ in range(400):
    language = dice.choice(of("l")) if dice.random() < 0.8 else "".join(dice.choice(letters) for _ in range(2))
    script = dice.choice(of("s")) if dice.random() < 0.25 else ""
    region = dice.choice(of("r")) if dice.random() < 0.7 else "".join(dice.choice(letters) for _ in range(2)).upper()
    code = "-".join(it for it in [language, script, region] if it)
    codes.append(code.lower() if dice.random() < 0.3 else code)


def retired(code):
    """Subtags that the registry has retired are replaced one by one, as BCP 47 has it; nothing is left out."""
    parts, out = code.split("-"), []
    place = {(row[0], row[1].lower()): row[2] for row in rows if len(row) > 2 and row[2] != "-"}
    for at, part in enumerate(parts):
        kind = "l" if at == 0 else "s" if len(part) == 4 else "r"
        out.append(place.get((kind, part.lower()), part))
    return "-".join(out)


def standard(code):
    tag = Language.get(retired(code), normalize=False)
    return "-".join(it for it in [tag.language, tag.script, tag.territory] if it)


lines = []
for code in dict.fromkeys(codes):
    try:
        valid = tag_is_valid(code)
    except Exception:
        valid = False
    try:
        form = standard(code) if valid else "-"
    except (LanguageTagError, ValueError):
        valid, form = False, "-"
    lines.append(f"{code}\t{int(valid)}\t{form}")
(ROOT / "modules/indexing/fixtures/langcodes.tsv").write_text("\n".join(lines) + "\n")
print(len(lines), "codes,", sum("\t1\t" in line for line in lines), "valid")
