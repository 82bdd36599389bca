"""Groups: seasons of months, shares of unequal parts, surprising counts, clusters of texts."""

import numpy as np
import pandas as pd
import statsmodels.api as sm
from nltk.metrics import BigramAssocMeasures
from scipy.stats import t as student
from sklearn.cluster import AgglomerativeClustering
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import silhouette_samples
from statsmodels.tsa.seasonal import seasonal_decompose

from place import OUT, write

chance = np.random.default_rng(64)

cases = []
for number in range(200):
    months = int(chance.integers(24, 61))
    at = np.arange(months)
    season = 1 + chance.uniform(0, 0.8) * np.sin(2 * np.pi * (at + chance.integers(0, 12)) / 12)
    level = chance.uniform(20, 90000) * np.exp(chance.normal(0, 0.01) * at)
    values = np.maximum((level * season * np.exp(chance.normal(0, chance.uniform(0.01, 0.4), months))).round(), 1)
    parts = seasonal_decompose(values, model="multiplicative", period=12)
    known = ~np.isnan(parts.trend)
    rest = np.log(parts.resid[known])
    both = np.log(parts.resid[known] * parts.seasonal[known])
    cases.append({"values": values, "trend": parts.trend, "indices": parts.seasonal[:12],
                  "strength": max(0.0, 1 - rest.var() / both.var())})
write("seasons", cases)

cases = []
for number in range(200):
    groups = []
    for _ in range(2):
        size = int(chance.integers(3, 60))
        trials = chance.integers(1, 4000, size)
        share = np.clip(chance.uniform(0.01, 0.3) * np.exp(chance.normal(0, chance.uniform(0, 0.8), size)), 0.001, 0.9)
        groups.append((chance.binomial(trials, share), trials))
    hits = np.concatenate([it[0] for it in groups])
    trials = np.concatenate([it[1] for it in groups])
    first = np.concatenate([np.ones(len(groups[0][0])), np.zeros(len(groups[1][0]))])
    if groups[0][0].sum() == 0 or groups[1][0].sum() == 0:
        continue
    # With two columns of counts the scale of statsmodels 0.15 leaves the trials out; as weights they are in it.
    fit = sm.GLM(hits / trials, sm.add_constant(first), sm.families.Binomial(), var_weights=trials).fit(scale="X2")
    scale = max(fit.scale, 1.0)
    error = fit.bse[1] / np.sqrt(fit.scale) * np.sqrt(scale)
    p = 2 * student.sf(abs(fit.params[1] / error), len(hits) - 2)
    cases.append({"one": [list(map(int, it)) for it in zip(*groups[0])], "other": [list(map(int, it)) for it in zip(*groups[1])],
                  "p": p, "dispersion": scale})
write("proportions", cases)

cases = []
for number in range(300):
    total, other_total = int(chance.integers(5, 10**6)), int(chance.integers(5, 10**7))
    count, other = int(chance.integers(1, total // 2 + 2)), int(chance.integers(1, other_total // 2 + 2))
    # The table of a bigram: the first word is "the text", the second is the counted word.
    ratio = BigramAssocMeasures.likelihood_ratio(count, (count + other, total), total + other_total)
    cases.append({"count": count, "total": total, "other": other, "other_total": other_total, "ratio": ratio})
write("associations", cases)

cases = []
for number in range(50):
    size, words = int(chance.integers(4, 90)), int(chance.integers(6, 60))
    counts = np.zeros((size, words))
    for row in counts:
        # Counts that are not whole leave no two distances alike.
        row[chance.choice(words, int(chance.integers(1, 6)), replace=False)] = chance.uniform(0.5, 3, 1)[0]
        row[row > 0] *= chance.uniform(0.8, 1.2, int((row > 0).sum()))
    vectors = TfidfTransformer(smooth_idf=True).fit_transform(counts).toarray()
    distances = np.round(np.clip(1 - vectors @ vectors.T, 0, 1), 12)
    distances = (distances + distances.T) / 2
    np.fill_diagonal(distances, 0)
    cuts = []
    for threshold in [0.2, 0.4, 0.6, 0.8]:
        labels = AgglomerativeClustering(metric="precomputed", linkage="average", distance_threshold=threshold,
                                         n_clusters=None).fit_predict(distances)
        many = 2 <= labels.max() + 1 < size
        silhouette = float(silhouette_samples(distances, labels, metric="precomputed").sum()) if many else None
        cuts.append({"threshold": threshold, "labels": labels, "silhouette": silhouette})
    texts = [[[f"w{at}", float(row[at])] for at in np.nonzero(row)[0]] for row in counts]
    cases.append({"texts": texts, "cuts": cuts})
write("clusters", cases, OUT.parents[1] / "clusters/fixtures")
