"""Ranks of the sentences of real texts, by summa's TextRank. summa==1.2.0

Sentences are what stands between full stops, words are runs of letters; both sides read them so, and only the graph and the
ranks are compared. A sentence that shares no word with another has no rank there and is left out.
"""

import json
import pathlib
import re

from summa.commons import build_graph, remove_unreachable_nodes
from summa.pagerank_weighted import pagerank_weighted_scipy
from summa.summarizer import _set_graph_edge_weights

FIXTURES = pathlib.Path(__file__).parents[3] / "modules/lib/kit/fixtures"


def main() -> None:
    out = []
    for entry in json.loads((FIXTURES / "texts.json").read_text())[:40]:
        sentences = [" ".join(re.findall(r"[a-z]+", it.lower())) for it in entry["text"].split(".")]
        sentences = list(dict.fromkeys(it for it in sentences if len(it.split()) >= 2))
        graph = build_graph(sentences)
        _set_graph_edge_weights(graph)
        remove_unreachable_nodes(graph)
        ranks = pagerank_weighted_scipy(graph) if len(graph.nodes()) > 2 else {}
        total = sum(ranks.values()) or 1
        out.append([round(float(ranks[it]) / total, 9) if it in ranks else None for it in sentences])
    (FIXTURES / "textrank.json").write_text("[\n" + ",\n".join(json.dumps(it) for it in out) + "\n]\n")
    print(len(out), sum(len(it) for it in out))


if __name__ == "__main__":
    main()
