"""What scipy's linear_sum_assignment is worth on matrices made from a seed, rows at most as many as columns."""

import json
import pathlib
import random
from scipy.optimize import linear_sum_assignment

ROOT = pathlib.Path(__file__).resolve().parents[3]
dice = random.Random(670)
cases = []
for number in range(60):
    rows = dice.randint(1, 12)
    columns = rows + dice.randint(0, 6)
    # A third of them are sparse, as pairs of pages are.
    empty = 0.7 if number % 3 == 0 else 0.0
    worth = [[0.0 if dice.random() < empty else round(dice.random(), 3) for _ in range(columns)] for _ in range(rows)]
    chosen = linear_sum_assignment(worth, maximize=True)
    cases.append([worth, round(sum(worth[row][column] for row, column in zip(*chosen)), 6)])
(ROOT / "modules/indexing/fixtures/assignments.json").write_text(json.dumps(cases, separators=(",", ":")) + "\n")
