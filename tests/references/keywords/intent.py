"""Fits the weights of intent to the labelled keywords: multinomial logistic regression, calibrated by temperature.

Run: python intent.py > ../../../modules/keywords/src/intent/weights.rs; it prints accuracy and calibration to stderr.
"""

import pathlib
import re
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict

DATA = pathlib.Path(__file__).resolve().parents[3] / "modules/keywords/data"
CLASSES = ["informational", "commercial", "transactional", "navigational", "local"]
FEATURES = [*CLASSES, "question", "brand", "place", "one_word", "long", "domain"]


def sections(language):
    words = {}
    for line in (DATA / f"{language}.txt").read_text().splitlines():
        if not line.startswith("#"):
            name, items = line.split(":", 1)
            words[name] = [it.strip() for it in items.split("|") if it.strip()]
    return words


PLACES = set()
for line in (DATA / "cities.txt").read_text().splitlines():
    if not line.startswith("#"):
        PLACES |= {it.strip() for it in line.split(":", 1)[1].split("|")}


def holds(text, phrase):
    return f" {phrase} " in f" {text} "


def features(text, words, brand):
    row = [min(sum(holds(text, cue) for cue in words[name]), 2) for name in CLASSES]
    row.append(float(any(text.startswith((f"{word} ", f"{word}'")) for word in words["questions"])))
    row.append(float(brand))
    row.append(float(any(holds(text, place) for place in PLACES)))
    count = len(text.split())
    row += [float(count == 1), float(count >= 4), float(bool(re.search(r"\w\.\w", text)))]
    return row


rows, labels = [], []
for line in (DATA / "labelled.txt").read_text().splitlines():
    if line.startswith("#"):
        continue
    head, items = line.split(":", 1)
    language, label = head.split()
    words = sections(language)
    for item in items.split("|"):
        text = item.strip().lower()
        brand = "{" in text
        rows.append(features(text.replace("{", "").replace("}", ""), words, brand))
        labels.append(CLASSES.index(label))
x, y = np.array(rows, float), np.array(labels)
model = LogisticRegression(C=3.0, max_iter=5000)
folds = StratifiedKFold(5, shuffle=True, random_state=7)
logits = cross_val_predict(model, x, y, cv=folds, method="decision_function")


def softmax(values):
    values = np.exp(values - values.max(axis=1, keepdims=True))
    return values / values.sum(axis=1, keepdims=True)


def calibration(probabilities):
    sure, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == y
    error = 0.0
    for low in np.linspace(0, 0.9, 10):
        inside = (sure > low) & (sure <= low + 0.1)
        if inside.any():
            error += inside.mean() * abs(right[inside].mean() - sure[inside].mean())
    return error


temperature = min(np.linspace(0.5, 2, 61), key=lambda it: -np.log(softmax(logits / it)[np.arange(len(y)), y] + 1e-12).mean())
held_out = softmax(logits / temperature)
print("cross-validated accuracy", (held_out.argmax(1) == y).mean(), "calibration error", calibration(held_out), "n", len(y),
      "temperature", temperature, file=sys.stderr)
model.fit(x, y)
weights, bias = model.coef_ / temperature, model.intercept_ / temperature
print("//! Weights of intent, written by `tests/references/keywords/intent.py`: cross-validated accuracy %.3f and calibration error"
      "\n//! %.3f on %d labelled keywords in six languages." % ((held_out.argmax(1) == y).mean(), calibration(held_out), len(y)))
print()
print("/// What a keyword is weighed by: cues of the five intents, then whether it is a question, names the brand, names a place, is\n/// one word, has four words or more, and has a domain in it.")
print("pub(super) const FEATURES: usize = %d;" % len(FEATURES))
print("/// For each intent the weight of each feature.")
print("pub(super) const WEIGHTS: [[f64; FEATURES]; 5] = [")
for row in weights:
    print("    [" + ", ".join("%.3f" % it for it in row) + "],")
print("];")
print("/// For each intent the weight of nothing at all.")
print("pub(super) const BIAS: [f64; 5] = [" + ", ".join("%.3f" % it for it in bias) + "];")
