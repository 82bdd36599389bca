"""Writes 30 series of weekly figures over a moving window of four weeks, with what ruptures (Pelt, l2) finds in each."""
import json
import numpy as np
import ruptures

rng = np.random.default_rng(11)
out = []
for case in range(30):
    count = [40, 25, 32, 20, 40][case % 5]
    level = [2300.0, 180.0, 1600.0, 900.0, 700.0][case % 5]
    weeks = level * (1 + 0.04 * rng.normal(size=count + 3))
    for _ in range(case % 3):
        weeks[rng.integers(6, count - 3):] *= 1 + rng.choice([-0.25, 0.3, 0.45])
    values = np.round(np.convolve(weeks, np.ones(4) / 4, "valid"))
    apart = values[4:] - values[:-4]
    sigma = 1.4826022185056018 * np.median(np.abs(apart - np.median(apart))) / np.sqrt(2)
    penalty = 10 * np.log(count) * sigma**2
    found = ruptures.Pelt(model="l2", min_size=4, jump=1).fit(values).predict(pen=penalty)
    out.append({"values": values.tolist(), "breaks": found[:-1]})
json.dump(out, open("../../../modules/monitoring/src/crux/changes.json", "w"))
