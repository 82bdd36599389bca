"""Ranks of real texts for fifty questions, by rank_bm25."""

import re

import snowballstemmer
from lxml import html
from rank_bm25 import BM25Okapi

from documentation import DOCS, pages, write

STEMMER = snowballstemmer.stemmer("english")
QUERIES = """read a file line by line|parse command line arguments|sort a list of dictionaries|regular expression groups
unit tests with fixtures|open a network socket|compress data with gzip|convert a string to a date|random numbers
exception handling and cleanup|encode unicode text|thread locks|asynchronous event loop|context manager
json encoder|temporary directory|database connection|xml parser|http server|email message headers
logging configuration|copy objects deeply|memory usage|profiling the interpreter|virtual environments
import machinery|garbage collection|decimal arithmetic|binary search|queue of tasks|signal handlers
shell commands and subprocesses|locale and currency|calendar months|hashing passwords|secure tokens|terminal colours
window widgets|sound files|image formats|character sets|iterate over combinations|caching function results
type hints|abstract base classes|weak references|file permissions|walk a directory tree|archive members|timers"""


def terms(text):
    return STEMMER.stemWords(re.findall(r"\w+", text.lower()))


names, texts = [], []
for name in pages("library"):
    tree = html.fromstring((DOCS / name).read_bytes())
    main = tree.xpath("//div[@role='main']")
    text = " ".join(" ".join(main[0].itertext()).replace("¶", " ").split())[:900] if main else ""
    if len(text) > 500:
        names.append(name)
        texts.append(text)
names, texts = names[::2][:150], texts[::2][:150]
index = BM25Okapi([terms(text) for text in texts], k1=1.2, b=0.75, epsilon=0.25)
answers = []
for query in QUERIES.replace("\n", "|").split("|"):
    scores = index.get_scores(terms(query))
    order = sorted(range(len(texts)), key=lambda at: (-scores[at], at))
    answers.append([query, [[at, round(float(scores[at]), 9)] for at in order[:10] if scores[at] > 0]])
write("inverted/rank_bm25.json", {"rank_bm25": "0.2.2", "texts": texts, "answers": answers})
print(len(texts), "texts", len(answers), "questions")
