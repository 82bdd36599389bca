"""Difference-in-differences by ordinary least squares of statsmodels, on pages drawn from a seed, with fixed controls."""

import json
import pathlib

import numpy as np
import statsmodels.api as sm

OUT = pathlib.Path(__file__).resolve().parents[3] / "modules/lib/kit/src/causal/statsmodels.json"
chance = np.random.default_rng(7)
cases = []
for number in range(24):
    changed_count, control_count = int(chance.integers(1, 5)), int(chance.integers(3, 9))
    before, after = int(chance.integers(14, 40)), int(chance.integers(7, 20))
    days = before + after
    level = chance.uniform(0.5, 200, (changed_count + control_count, 1))
    pages = chance.poisson(level * (1 + 0.3 * np.sin(np.arange(days) / 5)))
    pages[:changed_count, before:] = (pages[:changed_count, before:] * chance.uniform(0.5, 2)).astype(int)
    weights = chance.uniform(0.1, 3, control_count).round(3)
    groups = [
        np.log1p(np.average(pages[changed_count:], axis=0, weights=weights)),
        np.log1p(pages[:changed_count].mean(axis=0)),
    ]
    treated = np.repeat([0.0, 1.0], days)
    post = np.tile((np.arange(days) >= before).astype(float), 2)
    design = sm.add_constant(np.column_stack([treated, post, treated * post]))
    fitted = sm.OLS(np.concatenate(groups), design).fit()
    cases.append({
        "change": before,
        "changed": pages[:changed_count].tolist(),
        "controls": pages[changed_count:].tolist(),
        "weights": weights.tolist(),
        "coefficient": float(fitted.params[3]),
    })
OUT.write_text(json.dumps({"statsmodels": "0.15.0", "cases": cases}, separators=(",", ":")) + "\n")
print(len(cases), "cases", OUT.stat().st_size, "bytes")
