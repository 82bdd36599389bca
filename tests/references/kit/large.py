"""What networkx takes for the graph of `tests/graphs`: 100,000 pages with 20 links each."""

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
print(graph.number_of_edges(), "links; made in", round(made - begun, 2), "s, ranked in", round(ranked - made, 2), "s")
print([ranks[page] for page in range(5)])
