"""Twenty directed graphs with the PageRank, HITS, distances and components that networkx gives them."""

import random

import networkx

from documentation import write


def weighted(graph, seed):
    """Numbers the pages from 0 and gives every link a weight that a 32-bit number holds exactly."""
    dice = random.Random(seed)
    graph = networkx.DiGraph(networkx.convert_node_labels_to_integers(graph).edges()) if graph.number_of_edges() else networkx.DiGraph(graph)
    out = networkx.DiGraph()
    out.add_nodes_from(range(max(graph.nodes(), default=0) + 1))
    for source, target in sorted(graph.edges()):
        if source != target:
            out.add_edge(source, target, weight=dice.choice([1.0, 0.5, 0.25, 0.125]))
    return out


def site(pages, seed):
    """A home page, hubs, a menu on every page and links between neighbours: what websites look like."""
    dice = random.Random(seed)
    graph = networkx.DiGraph()
    for page in range(pages):
        graph.add_edges_from((page, hub) for hub in range(5))
        graph.add_edges_from((page % 5, page) for _ in range(1))
        graph.add_edges_from((page, dice.randrange(pages)) for _ in range(3))
    return graph


made = {f"random {seed}": networkx.gnp_random_graph(30 + 5 * seed, 0.1, seed=seed, directed=True) for seed in range(7)}
made |= {f"scale-free {seed}": networkx.scale_free_graph(60 + 10 * seed, seed=seed) for seed in range(5)}
made |= {f"site {seed}": site(40 + 20 * seed, seed) for seed in range(5)}
made["a page that all link to"] = networkx.DiGraph([(page, 0) for page in range(1, 12)] + [(0, 1), (0, 2)])
made["two sites apart"] = networkx.DiGraph([(0, 1), (1, 2), (2, 0), (0, 2), (3, 4), (4, 5), (3, 5), (0, 6), (6, 2)])
made["a path that ends"] = networkx.DiGraph([(0, 1), (1, 2), (2, 3), (1, 3), (0, 3)])

graphs = []
for seed, (name, graph) in enumerate(made.items()):
    graph = weighted(graph, seed)
    pages = range(graph.number_of_nodes())
    ranks = networkx.pagerank(graph, alpha=0.85, tol=1e-14, max_iter=2_000)
    hubs, authorities = networkx.hits(graph, tol=1e-14, max_iter=20_000)
    near = networkx.single_source_shortest_path_length(graph, 0)
    graphs.append({
        "name": name,
        "pages": len(pages),
        "edges": [[source, target, weight] for source, target, weight in sorted(graph.edges(data="weight"))],
        "pagerank": [round(ranks[page], 12) for page in pages],
        "hubs": [round(abs(hubs[page]), 12) for page in pages],
        "authorities": [round(abs(authorities[page]), 12) for page in pages],
        "depths": [near.get(page, -1) for page in pages],
        "components": networkx.number_weakly_connected_components(graph),
    })

write("graph/flow/twenty.json", {"networkx": networkx.__version__, "graphs": graphs})
print(len(graphs), "graphs")
