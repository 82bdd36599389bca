"""Areas of convex hulls of scipy: random points, rows of a grid, and points on a line left out, which it refuses."""

import json
import pathlib

import numpy as np
from scipy.spatial import ConvexHull

OUT = pathlib.Path(__file__).resolve().parents[3] / "modules/local_grid/fixtures/hulls.json"
chance = np.random.default_rng(20)
cases = []
for number in range(40):
    if number % 2:
        points = chance.normal(0, 3_000, (int(chance.integers(3, 60)), 2)).round(3)
    else:
        grid = np.stack(np.meshgrid(np.arange(-3, 4), np.arange(-3, 4)), -1).reshape(-1, 2) * 1_000.0
        points = grid[chance.random(len(grid)) < 0.4]
        points = np.concatenate([points, [[0, 0], [1_000, 0], [0, 1_000]]])
    # In two dimensions scipy calls the area "volume".
    cases.append({"points": points.tolist(), "area": float(ConvexHull(points).volume)})
OUT.write_text(json.dumps({"scipy": "1.17.1", "cases": cases}, separators=(",", ":")) + "\n")
print(len(cases), "cases", OUT.stat().st_size, "bytes")
