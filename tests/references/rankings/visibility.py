"""The visibility index and its intervals by numpy, over the draws of `kit::chance`.

Run: python visibility.py > ../../../modules/rankings/data/visibility.json
"""

import json
import sys

import numpy as np

MASK = (1 << 64) - 1
MEASURED = [0.285, 0.157, 0.110, 0.080, 0.072, 0.051, 0.040, 0.032, 0.028, 0.025]
DRAWS = 1_000


class Chance:
    """SplitMix64, and numbers below an end by Lemire's multiplication."""

    def __init__(self, seed):
        self.state = seed

    def draw(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        return mixed ^ (mixed >> 31)

    def below(self, end):
        return (self.draw() * end) >> 64


def rate(position):
    """The published click rate of a whole position; 0 for one that was not found."""
    if position == 0 or position > 100:
        return 0.0
    if position <= 10:
        return MEASURED[position - 1]
    return MEASURED[9] * (10 / position) ** (np.log(MEASURED[4] / MEASURED[9]) / np.log(2))


def case(random, keywords, seed):
    weights = np.round(np.exp(random.normal(5, 1.5, keywords))).astype(int)
    sides = [random.integers(0, 60, keywords) for _ in range(3)]
    rates = np.array([[rate(int(position)) for position in side] for side in sides])
    index = rates @ weights / (weights.sum() * MEASURED[0])
    chance = Chance(seed)
    drawn = []
    for _ in range(DRAWS):
        chosen = [chance.below(keywords) for _ in range(keywords)]
        drawn.append(rates[:, chosen] @ weights[chosen] / (weights[chosen].sum() * MEASURED[0]))
    low, high = np.percentile(np.array(drawn), [2.5, 97.5], axis=0)
    return {
        "seed": seed,
        "weights": weights.tolist(),
        "positions": [side.tolist() for side in sides],
        "index": index.tolist(),
        "low": low.tolist(),
        "high": high.tolist(),
    }


random = np.random.default_rng(20261129)
json.dump([case(random, keywords, seed) for keywords, seed in [(20, 1), (57, 2), (200, 3)]], sys.stdout)
