"""Isotonic regressions of scikit-learn: ranks by distance as scans have them, with equal distances, and pure chance."""

import json
import pathlib

import numpy as np
from sklearn.isotonic import IsotonicRegression

OUT = pathlib.Path(__file__).resolve().parents[3] / "modules/local_grid/fixtures/isotonic.json"
chance = np.random.default_rng(20)
cases = []
for number in range(48):
    if number % 3 == 0:
        # A square grid: many pins are equally far.
        side = np.arange(-4, 5) * 0.75
        x = np.hypot(*np.meshgrid(side, side)).ravel().round(9)
        y = np.clip(np.round(1 + 3 * x + chance.normal(0, 4, x.size)), 1, 21)
    else:
        x = chance.uniform(0, 10, int(chance.integers(1, 40))).round(3)
        y = np.clip(np.round(chance.uniform(1, 21, x.size)), 1, 21)
    at = np.unique(x)
    fitted = IsotonicRegression(increasing=True).fit(x, y).predict(at)
    cases.append({"x": x.tolist(), "y": y.tolist(), "at": at.tolist(), "fitted": fitted.tolist()})
OUT.write_text(json.dumps({"scikit-learn": "1.8.0", "cases": cases}, separators=(",", ":")) + "\n")
print(len(cases), "cases", OUT.stat().st_size, "bytes")
