//! Tests of `flow`. `twenty.json` was made by `tests/references/kit/graphs.py`: 20 graphs with the PageRank and HITS
//! that networkx gives them.

use serde_json::Value;

use super::*;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("numbers").iter().filter_map(Value::as_f64).collect()
}

fn flow(graph: &Value) -> Flow {
    let edges = graph["edges"].as_array().expect("edges").iter().map(|edge| {
        let edge = numbers(edge);
        (edge[0] as u32, edge[1] as u32, edge[2] as f32)
    });
    Flow::new(graph["pages"].as_u64().expect("a number") as usize, edges.collect())
}

fn worst(own: &[f64], expected: &Value) -> f64 {
    let expected = numbers(expected);
    assert_eq!(own.len(), expected.len());
    own.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn pagerank_and_hits_of_twenty_graphs_are_those_of_networkx() {
    let graphs: Value = serde_json::from_str(include_str!("twenty.json")).expect("JSON");
    let graphs = graphs["graphs"].as_array().expect("graphs");
    assert_eq!(graphs.len(), 20);
    for graph in graphs {
        let name = graph["name"].as_str().expect("a name");
        let flow = flow(graph);
        let ranks = flow.pagerank(None, Rest { tolerance: 1e-12, rounds: 1_000 });
        assert!(ranks.settled && worst(&ranks.scores, &graph["pagerank"]) <= 1e-8, "{name}");
        let (hubs, authorities) = flow.hits(Rest { tolerance: 1e-13, rounds: 20_000 });
        assert!(worst(&hubs.scores, &graph["hubs"]) <= 1e-8, "{name}: {}", hubs.rounds);
        assert!(worst(&authorities.scores, &graph["authorities"]) <= 1e-8, "{name}");
        let depths: Vec<f64> = flow.depths(&[0]).into_iter().map(|it| it.map_or(-1.0, f64::from)).collect();
        assert_eq!(depths, numbers(&graph["depths"]), "{name}");
        let mut components = flow.components();
        components.sort_unstable();
        components.dedup();
        assert_eq!(components.len() as u64, graph["components"].as_u64().expect("a number"), "{name}");
    }
}

#[test]
fn a_warm_start_ends_at_the_same_scores_sooner() {
    let edges: Vec<Edge> = (0..500_u32).flat_map(|it| [(it, it * 7 % 500, 1.0), (it, it * 31 % 499, 0.25)]).collect();
    let rest = Rest { tolerance: 1e-14, rounds: 1_000 };
    let before = Flow::new(500, edges.clone()).pagerank(None, rest);
    let after = Flow::new(500, edges.into_iter().chain([(3, 499, 1.0)]).collect());
    let (cold, warm) = (after.pagerank(None, rest), after.pagerank(Some(&before.scores), rest));
    let worst = cold.scores.iter().zip(&warm.scores).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-10 && warm.rounds < cold.rounds, "{worst} in {} after {}", warm.rounds, cold.rounds);
}

#[test]
fn of_equal_links_the_heaviest_counts_and_what_is_no_page_is_passed_over() {
    let flow = Flow::new(2, vec![(0, 1, 0.25), (0, 1, 1.0), (0, 5, 1.0), (7, 0, 1.0), (1, 0, 0.0)]);
    assert_eq!((flow.links(), flow.out(0), flow.has(0, 1), flow.has(1, 0)), (1, 1.0, true, false));
    assert_eq!(flow.from(0).collect::<Vec<_>>(), [(1, 1.0)]);
    let nothing = Flow::new(0, Vec::new());
    assert!(nothing.is_empty() && nothing.pagerank(None, Rest::SITE).settled);
    assert!(nothing.hits(Rest::SITE).0.scores.is_empty());
}
