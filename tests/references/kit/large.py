"""What networkx takes for the graph of `tests/graphs`, 100,000 pages with 20 links each, and the score of every thousandth page.

`bench --graphs` runs it and compares."""

import json
import time

import networkx

PAGES, LINKS = 100_000, 20

begun = time.perf_counter()
graph = networkx.DiGraph()
graph.add_nodes_from(range(PAGES))
for page in range(PAGES):
    targets = ((page * 7_919 + nth * nth * 104_729 + nth * (page % 97)) % PAGES for nth in range(LINKS))
    graph.add_edges_from((page, target) for target in targets if target != page)
made = time.perf_counter()
ranks = networkx.pagerank(graph, alpha=0.85, tol=1e-10, max_iter=200)
ranked = time.perf_counter()
milliseconds = lambda begin, end: round((end - begin) * 1_000)
took = {"made_ms": milliseconds(begun, made), "ranked_ms": milliseconds(made, ranked)}
scores = [ranks[page] for page in range(0, PAGES, 1_000)]
print(json.dumps({"edges": graph.number_of_edges(), **took, "scores": scores}))
