"""PageRank of the link graph of real documentation pages, by networkx."""

from urllib.parse import urldefrag, urljoin

import networkx
from lxml import html

from documentation import DOCS, pages, write

names = pages("library", "c-api", "tutorial", "howto", "reference", "faq", "using", "extending", "distributing", "installing", "whatsnew")
place = {name: at for at, name in enumerate(names)}
links = []
for name in names:
    tree = html.fromstring((DOCS / name).read_bytes())
    targets = {urldefrag(urljoin("/" + name, href))[0].lstrip("/") for href in tree.xpath("//a/@href")}
    links.append(sorted(place[target] for target in targets if target in place))

graph = networkx.DiGraph()
graph.add_nodes_from(range(len(names)))
graph.add_edges_from((page, target) for page, targets in enumerate(links) for target in targets)
scores = networkx.pagerank(graph, alpha=0.85, tol=1e-6, max_iter=100)
# Two pages in a row, a circle, and a page that nothing leads out of.
small = [[1, 2], [2], [0], [], [3, 3, 0]]
little = networkx.DiGraph()
little.add_nodes_from(range(len(small)))
little.add_edges_from((page, target) for page, targets in enumerate(small) for target in targets)
others = networkx.pagerank(little, alpha=0.85, tol=1e-6, max_iter=100)
write("graph/networkx.json", {
    "networkx": networkx.__version__,
    "links": links,
    "scores": [round(scores[page], 15) for page in range(len(names))],
    "small": small,
    "small_scores": [round(others[page], 15) for page in range(len(small))],
})
print(len(names), "pages", graph.number_of_edges(), "links")
