"""Series: exponential smoothing, breaks, outliers."""

import numpy as np
import pandas as pd
import ruptures
import scikit_posthocs
from scipy.stats import t
from statsmodels.tsa.exponential_smoothing.ets import ETSModel

from place import write

chance = np.random.default_rng(33)


def clicks(days, noise):
    """A daily series as search figures are: a level that drifts, weekdays, noise."""
    week = np.array([1.1, 1.15, 1.1, 1.05, 1.0, 0.7, 0.6])[np.arange(days) % 7]
    level = 200 * np.exp(np.cumsum(chance.normal(0, 0.01, days)))
    return (level * week * np.exp(chance.normal(0, noise, days))).round(2)


def model(values, **more):
    index = pd.date_range("2025-01-01", periods=len(values), freq="D")
    return ETSModel(
        pd.Series(values, index=index), error="add", trend="add", damped_trend=True, seasonal="add", seasonal_periods=7,
        **more,
    )


def start(values):
    """The initial components as `ets.rs` takes them: so that the searches are compared, and not the beginnings."""
    season = np.array([values[slot:28:7].mean() for slot in range(7)]) - values[:28].mean()
    season -= season.mean()
    slope, level = np.polyfit(np.arange(1, 15), values[:14] - np.tile(season, 2), 1)
    return level, slope, season


cases = []
for number in range(100):
    values = clicks(int(chance.integers(60, 180)), float(chance.choice([0.05, 0.15, 0.3])))
    alpha, phi = float(chance.uniform(0.05, 0.6)), float(chance.uniform(0.8, 0.98))
    beta, gamma = alpha * float(chance.uniform(0.01, 0.5)), (1 - alpha) * float(chance.uniform(0.01, 0.4))
    level, slope, season = float(values[:14].mean()), float(chance.normal(0, 1)), chance.normal(0, 20, 7)
    season -= season.mean()
    # In statsmodels the season of the first day is the last parameter.
    given = [alpha, beta, gamma, phi, level, slope, *season[::-1]]
    ets = model(values)
    path = ets.smooth(given)
    ahead = path.get_prediction(start=len(values), end=len(values) + 29)
    own = start(values)
    best = model(
        values, initialization_method="known", initial_level=own[0], initial_trend=own[1], initial_seasonal=own[2],
        bounds={"smoothing_level": (1e-4, 0.9999), "damping_trend": (0.8, 0.98)},
    ).fit(disp=False, maxiter=2000).sse
    cases.append({
        "values": values, "parameters": [alpha, beta, gamma, phi], "start": [level, slope, season],
        "names": list(ets.param_names), "errors": np.asarray(path.resid), "sse": float(path.sse),
        "forecast": np.asarray(ahead.predicted_mean), "variance": np.asarray(ahead.forecast_variance),
        "best": float(best),
    })
write("smoothing", cases)

cases = []
for number in range(300):
    size = int(chance.integers(35, 160))
    values = chance.normal(0, 1, size)
    for at in chance.integers(7, size - 7, int(chance.integers(0, 4))):
        values[at:] += chance.normal(0, 2)
    values = values.round(3)
    least, penalty = int(chance.choice([1, 4, 7])), float(chance.choice([3, 10])) * float(np.log(size))
    found = ruptures.Pelt(model="l2", min_size=least, jump=1).fit(values).predict(pen=penalty)
    one = ruptures.Binseg(model="l2", min_size=7, jump=1).fit(values).predict(n_bkps=1)
    cases.append({"values": values, "least": least, "penalty": penalty, "all": found[:-1], "strongest": one[0]})
write("breaks", cases)

rosner = [
    -0.25, 0.68, 0.94, 1.15, 1.2, 1.26, 1.26, 1.34, 1.38, 1.43, 1.49, 1.49, 1.55, 1.56, 1.58, 1.65, 1.69, 1.7, 1.76,
    1.77, 1.81, 1.91, 1.94, 1.96, 1.99, 2.06, 2.09, 2.1, 2.14, 2.15, 2.23, 2.24, 2.26, 2.35, 2.37, 2.4, 2.47, 2.54,
    2.62, 2.64, 2.9, 2.92, 2.92, 2.93, 3.21, 3.26, 3.3, 3.59, 3.68, 4.3, 4.64, 5.34, 5.42, 6.01,
]
cases = []
for number in range(51):
    values = np.array(rosner) if number == 0 else chance.normal(0, 1, int(chance.integers(20, 90)))
    if number:
        for at in chance.integers(0, values.size, int(chance.integers(0, 5))):
            values[at] += chance.choice([-1, 1]) * chance.uniform(3, 9)
    values = values.round(3)
    kept = scikit_posthocs.outliers_gesd(values, outliers=10, hypo=True, alpha=0.05)
    bounds = []
    for place in range(1, 11):
        rest = values.size - place
        quantile = t.ppf(1 - 0.05 / (2 * (rest + 1)), rest - 1)
        bounds.append(rest * quantile / ((rest - 1 + quantile**2) * (rest + 1)) ** 0.5)
    cases.append({"values": values, "outliers": np.flatnonzero(kept), "bounds": bounds})
write("outliers", cases)
