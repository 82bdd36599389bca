"""Writes 200 pairs of texts with how many lines `diff -d` calls removed and added."""
import json
import random
import subprocess
import tempfile

random.seed(3)
words = ["lamp", "desk", "oak", "brass", "light", "shade", "bulb", "cord"]
out = []
for case in range(200):
    before = [random.choice(words) for _ in range(random.randrange(1, 24))]
    after = list(before)
    for _ in range(random.randrange(1, 9)):
        at = random.randrange(len(after) + 1)
        match random.randrange(3):
            case 0:
                after.insert(at, random.choice(words))
            case 1 if after:
                after.pop(min(at, len(after) - 1))
            case _ if after:
                after[min(at, len(after) - 1)] = random.choice(words)
    with tempfile.NamedTemporaryFile("w") as one, tempfile.NamedTemporaryFile("w") as other:
        for file, lines in [(one, before), (other, after)]:
            file.write("".join(line + "\n" for line in lines))
            file.flush()
        said = subprocess.run(["diff", "-d", one.name, other.name], capture_output=True, text=True).stdout
    removed = sum(line.startswith("<") for line in said.splitlines())
    added = sum(line.startswith(">") for line in said.splitlines())
    out.append([" ".join(before), " ".join(after), removed, added])
json.dump(out, open("../../../modules/monitoring/src/event/lines.json", "w"))
