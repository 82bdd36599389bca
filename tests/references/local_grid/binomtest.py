"""Two-sided p-values of scipy's exact binomial test at one half: wins, losses, p."""

import json
import pathlib

from scipy.stats import binomtest

OUT = pathlib.Path(__file__).resolve().parents[3] / "modules/local_grid/fixtures/binomtest.json"
small = [(wins, losses) for wins in range(18) for losses in range(18) if wins + losses]
large = [(225, 0), (0, 225), (120, 105), (113, 112), (60, 150), (2250, 2250), (2300, 2200), (2400, 2100), (4500, 0), (31, 18)]
cases = [(wins, losses, binomtest(wins, wins + losses).pvalue) for wins, losses in small + large]
OUT.write_text(json.dumps({"scipy": "1.17.1", "cases": cases}, separators=(",", ":")) + "\n")
print(len(cases), "cases", OUT.stat().st_size, "bytes")
