"""Tests of counts: binomial, Poisson and quasi-Poisson regression, false discoveries."""

import numpy as np
import statsmodels.api as sm
from scipy.stats import binomtest, false_discovery_control, t

from place import write

chance = np.random.default_rng(31)

cases = []
for number in range(500):
    trials = int(10 ** chance.uniform(0, 7))
    share = float(chance.choice([chance.uniform(0, 1), 10 ** chance.uniform(-5, 0), 0.5]))
    spread = (trials * share * (1 - share)) ** 0.5
    count = int(np.clip(round(trials * share + chance.normal(0, 3) * max(spread, 1)), 0, trials))
    for side, name in (("two-sided", "both"), ("less", "less"), ("greater", "greater")):
        cases.append([count, trials, share, name, binomtest(count, trials, share, alternative=side).pvalue])
cases += [[0, 0, 0.3, "both", 1.0], [5, 10, 0.5, "both", 1.0], [0, 7, 0.2, "both", binomtest(0, 7, 0.2).pvalue]]
write("binomial", cases)

cases = []
for number in range(100):
    rows, wide = int(chance.integers(12, 120)), int(chance.integers(1, 6))
    columns = np.column_stack([np.ones(rows)] + [chance.normal(0, 1, rows).round(2) for _ in range(wide)])
    offset = np.log(chance.uniform(1, 50, rows)).round(2) if number % 2 else None
    mean = np.exp(columns @ chance.normal(0, 0.4, wide + 1) + (offset if offset is not None else 1))
    counts = chance.poisson(np.minimum(mean, 1e6))
    fit = sm.GLM(counts, columns, sm.families.Poisson(), offset=offset).fit(tol=1e-13, maxiter=200)
    cases.append({
        "counts": counts, "columns": columns.T, "offset": offset, "coefficients": fit.params, "errors": fit.bse,
        "dispersion": fit.pearson_chi2 / fit.df_resid,
    })
write("poisson", cases)

cases = []
for number in range(200):
    first, second = (int(it) for it in chance.integers(14, 60, 2))
    weekdays = np.arange(first + second) % 7
    level = 10 ** chance.uniform(0.5, 4) * np.array([1, 1.1, 1.05, 1.0, 0.9, 0.6, 0.5])[weekdays]
    level[first:] *= chance.choice([1.0, 0.8, 1.5])
    noise = chance.choice([0.0, 0.25, 0.5])
    counts = chance.poisson(level * np.exp(chance.normal(0, noise, level.size)) if noise else level)
    columns = np.column_stack([weekdays == day for day in range(7)] + [np.arange(level.size) >= first]).astype(float)
    fit = sm.GLM(counts, columns, sm.families.Poisson()).fit(scale="X2", tol=1e-13, maxiter=200)
    dispersion = max(1.0, fit.scale)
    error = fit.bse[-1] * (dispersion / fit.scale) ** 0.5
    degrees = level.size - 8
    reach = t.ppf(0.975, degrees) * error
    cases.append({
        "first": first, "counts": counts, "dispersion": dispersion, "ratio": np.exp(fit.params[-1]),
        "low": np.exp(fit.params[-1] - reach), "high": np.exp(fit.params[-1] + reach),
        "p": 2 * t.sf(abs(fit.params[-1]) / error, degrees),
    })
write("quasi", cases)

cases = []
for number in range(100):
    values = chance.uniform(0, 1, int(chance.integers(1, 80))) ** chance.choice([1, 3])
    if number % 4 == 0:
        values = values.round(1)
    cases.append({"values": values, "found": false_discovery_control(values)})
write("discovery", cases)
