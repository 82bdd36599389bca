"""Writes modules/ai_visibility/src/figures/wilson.tsv: statsmodels 0.15.0's interval of a share, also of parts of answers.

Run: pip install statsmodels==0.15.0; python rates.py > wilson.tsv"""

from statsmodels.stats.proportion import proportion_confint

for count, n in [(0, 5), (5, 5), (1, 7), (3.5, 10.25), (40, 100), (17.3, 61.75), (999, 1000), (2, 2)]:
    low, high = proportion_confint(count, n, method="wilson")
    print(count, n, float(max(low, 0)), float(min(high, 1)), sep="\t")
