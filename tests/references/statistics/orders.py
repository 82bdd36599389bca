"""Orders: isotonic lines, survival, rank correlation, trend, overlap of rankings."""

import numpy as np
import pymannkendall
import rbo
from lifelines import KaplanMeierFitter
from lifelines.datasets import load_waltons
from scipy.stats import spearmanr
from sklearn.isotonic import IsotonicRegression

from place import write

chance = np.random.default_rng(32)

cases = []
for number in range(200):
    size = int(chance.integers(1, 60))
    x = chance.integers(1, 21, size).astype(float) if number % 2 else chance.uniform(0, 10, size).round(2)
    y, weight = (chance.normal(0, 1, size) - 0.1 * x).round(3), chance.uniform(0.1, 1000, size).round(1)
    falling = number % 3 > 0
    at = np.unique(x)
    fit = IsotonicRegression(increasing=not falling).fit(x, y, sample_weight=weight)
    cases.append({"x": x, "y": y, "weight": weight, "falling": falling, "at": at, "fitted": fit.predict(at)})
write("isotonic", cases)

cases = []
waltons = load_waltons()
made = [(waltons["T"].to_numpy(float), waltons["E"].to_numpy(bool))]
for number in range(50):
    size = int(chance.integers(2, 120))
    times = chance.exponential(30, size)
    made.append((times.round(0 if number % 2 else 2), chance.uniform(0, 1, size) < chance.uniform(0.2, 1)))
for times, ended in made:
    fit = KaplanMeierFitter().fit(times, ended)
    at = np.unique(times[ended])
    inside = fit.confidence_interval_.reindex(at)
    cases.append({
        "times": times, "ended": ended, "at": at, "share": fit.survival_function_.reindex(at).iloc[:, 0].to_numpy(),
        "low": inside.iloc[:, 0].to_numpy(), "high": inside.iloc[:, 1].to_numpy(),
        "median": float(fit.median_survival_time_),
    })
write("survival", cases)

pairs, trends, overlaps = [], [], []
for number in range(200):
    size = int(chance.integers(10, 80))
    left = chance.normal(0, 1, size)
    right = left * chance.uniform(-1, 1) + chance.normal(0, 1, size)
    left, right = left.round(0 if number % 2 else 3), right.round(0 if number % 2 else 3)
    found = spearmanr(left, right)
    pairs.append({"left": left, "right": right, "value": found.statistic, "p": found.pvalue})
    values = chance.normal(0, 1, int(chance.integers(6, 40)))
    values = (values + chance.uniform(-0.1, 0.1) * np.arange(values.size)).round(1 if number % 2 else 3)
    found = pymannkendall.original_test(values)
    trends.append({"values": values, "slope": found.slope, "p": found.p})
for number in range(500):
    left = [int(it) for it in chance.permutation(int(chance.integers(0, 101)))]
    right = [int(it) for it in chance.permutation(int(chance.integers(0, 101)))]
    if number % 3 == 0:
        right = left[: int(chance.integers(0, len(left) + 1))]
    if not left or not right:
        continue
    overlaps.append({"left": left, "right": right, "value": rbo.RankingSimilarity(left, right).rbo_ext(p=0.9)})
write("ranks", {"spearman": pairs, "trend": trends, "overlap": overlaps})
