//! Tests of `graph`. `networkx.json` was made by `tests/references/kit/pagerank.py`.

use serde_json::Value;

use super::*;

fn graph(links: &Value) -> Graph {
    let mut graph = Graph::new();
    for targets in links.as_array().expect("lists") {
        let mut targets =
            targets.as_array().expect("a list").iter().map(|it| it.as_u64().expect("a page") as u32).collect();
        graph.push(&mut targets);
    }
    graph
}

#[test]
fn the_scores_of_real_pages_are_those_of_networkx() {
    let reference: Value = serde_json::from_str(include_str!("networkx.json")).expect("JSON");
    for (links, scores) in [("links", "scores"), ("small", "small_scores")] {
        let graph = graph(&reference[links]);
        let own = graph.pagerank();
        let expected: Vec<f64> =
            reference[scores].as_array().expect("scores").iter().filter_map(Value::as_f64).collect();
        assert_eq!(own.len(), expected.len());
        let worst = own.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-12, "{links}: {worst}");
        assert!((own.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_target_that_is_no_page_and_a_link_that_stands_twice_change_nothing_else() {
    let mut graph = Graph::new();
    graph.push(&mut vec![1, 1, 1]);
    graph.push(&mut vec![0]);
    assert_eq!((graph.len(), graph.links(), graph.targets(0)), (2, 2, &[1][..]));
    assert_eq!(graph.pagerank(), [0.5, 0.5]);
    assert!(Graph::new().is_empty() && Graph::new().pagerank().is_empty());
    let mut open = Graph::new();
    open.push(&mut vec![0, 7]);
    assert!(open.pagerank()[0] < 1.0, "what leaves the graph is gone");
}
