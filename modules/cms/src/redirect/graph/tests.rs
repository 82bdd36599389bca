//! What taking redirects keeps true, on random graphs.

use std::collections::BTreeSet;

use super::{Edge, End, Graph, Why};

/// Numbers that are always the same (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Graph {
    /// Whether the way from a place leads to another one.
    fn passes(&self, place: &str, by: &str) -> bool {
        let (mut at, mut seen) = (place.to_owned(), BTreeSet::new());
        while seen.insert(at.clone()) {
            if at == by {
                return true;
            }
            match self.0.get(&at) {
                Some(Some(next)) => at.clone_from(next),
                _ => return false,
            }
        }
        false
    }
}

fn edge(from: &str, to: &str) -> Edge {
    Edge { from: from.to_owned(), to: Some(to.to_owned()).filter(|it| !it.is_empty()) }
}

#[test]
fn chains_are_flattened_and_circles_refused() {
    let mut graph = Graph::of([edge("/a", "/b"), edge("/x", "/y"), edge("/y", "/x"), edge("/gone", "")]);
    let taken = graph.take(&edge("/b", "/c")).expect("it is taken");
    assert_eq!((taken.to.as_deref(), taken.pulled), (Some("/c"), vec!["/a".to_owned()]));
    assert_eq!(graph.take(&edge("/c", "/a")), Err(Why::Loop));
    assert_eq!(graph.take(&edge("/n", "/n")), Err(Why::Itself));
    assert_eq!(graph.take(&edge("/n", "/x")), Err(Why::Loop));
    assert_eq!(graph.take(&edge("/n", "/gone")), Err(Why::TargetGone));
    assert_eq!(graph.take(&edge("/n", "/a")).expect("it is taken").to.as_deref(), Some("/c"));
    assert_eq!(graph.end("/x"), End::Loop);
    // One that stood is changed, also when it led elsewhere before.
    assert_eq!(graph.take(&edge("/b", "/a")).expect("it is taken").to.as_deref(), Some("/c"), "`/a` leads on");
    assert_eq!(graph.take(&edge("/x", "/z")).expect("it is taken").pulled, ["/y"]);
    assert_eq!(graph.end("/y"), End::At("/z".to_owned(), 1));
}

#[test]
fn whatever_is_taken_no_circle_comes_and_every_source_reaches_what_it_did_or_what_was_asked() {
    for seed in 0..1_000_u64 {
        let mut state = seed;
        let node = |state: &mut u64| format!("/{}", next(state) % 12);
        let mut standing = Vec::new();
        for _ in 0..next(&mut state) % 10 {
            let to = if next(&mut state).is_multiple_of(8) { String::new() } else { node(&mut state) };
            standing.push(edge(&node(&mut state), &to));
        }
        let mut graph = Graph::of(standing);
        for _ in 0..1 + next(&mut state) % 6 {
            let one = edge(&node(&mut state), &node(&mut state));
            let was = graph.clone();
            let Ok(taken) = graph.take(&one) else {
                assert_eq!(graph.0, was.0, "seed {seed}: what is refused changes nothing");
                continue;
            };
            let to = taken.to.expect("a place");
            assert_eq!(graph.end(&one.from), End::At(to.clone(), 1), "seed {seed}: no chain of ours");
            for place in (0..12).map(|it| format!("/{it}")).filter(|it| *it != one.from) {
                let through = was.passes(&place, &one.from);
                let wanted = match was.end(&place) {
                    // What led through the source follows it to its new end, also out of a circle.
                    _ if through => End::At(to.clone(), 0),
                    other => other,
                };
                match (wanted, graph.end(&place)) {
                    (End::At(wanted, _), End::At(is, _)) => assert_eq!(is, wanted, "seed {seed}: {place}"),
                    (wanted, is) => assert_eq!(is, wanted, "seed {seed}: {place}"),
                }
            }
        }
    }
}
