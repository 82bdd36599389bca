//! Groups and silhouettes beside those of scikit-learn.

use flate2::read::GzDecoder;
use serde::Deserialize;

use super::{Distances, Vectors};

#[derive(Deserialize)]
struct Case {
    texts: Vec<Vec<(String, f64)>>,
    cuts: Vec<Cut>,
}

#[derive(Deserialize)]
struct Cut {
    threshold: f64,
    labels: Vec<usize>,
    silhouette: Option<f64>,
}

/// The first item of each item's group: the same for equal groupings.
fn firsts(labels: &[usize]) -> Vec<Option<usize>> {
    labels.iter().map(|label| labels.iter().position(|other| other == label)).collect()
}

#[test]
fn the_groups_of_the_connected_parts_are_those_of_scikit_learn_over_the_whole() {
    let cases: Vec<Case> =
        serde_json::from_reader(GzDecoder::new(&include_bytes!("fixtures/clusters.json.gz")[..])).expect("a fixture");
    assert_eq!(cases.len(), 50);
    for case in cases {
        let count = case.texts.len();
        let vectors = Vectors::of(case.texts);
        let (parts, cut) = vectors.parts(1_000);
        assert!(!cut && vectors.len() == count && !vectors.is_empty());
        for wanted in case.cuts {
            let (mut labels, mut sum, mut next) = (vec![0; count], 0.0, 0);
            for part in &parts {
                let distances = vectors.distances(part);
                let of_part = distances.tree().cut(wanted.threshold, usize::MAX);
                sum += distances.silhouettes(&of_part, part.len() < count);
                part.iter().zip(&of_part).for_each(|(text, label)| labels[*text] = next + label);
                next += of_part.iter().max().map_or(0, |most| most + 1);
            }
            assert_eq!(firsts(&labels), firsts(&wanted.labels));
            if let Some(silhouette) = wanted.silhouette {
                assert!(
                    (sum - silhouette).abs() < 1e-9 * silhouette.abs().max(1.0),
                    "{sum} where {silhouette} is wanted"
                );
            }
        }
    }
}

#[test]
fn a_large_group_is_taken_apart_at_its_last_join() {
    let distances = Distances::new(vec![0.1, 0.2, 0.5, 0.2, 0.5, 0.4], 4).expect("six pairs");
    assert_eq!(distances.tree().cut(0.9, 10), [0, 0, 0, 0]);
    assert_eq!(distances.tree().cut(0.9, 3), [0, 0, 0, 1]);
    assert_eq!(distances.tree().cut(0.9, 2), [0, 0, 1, 2]);
    assert_eq!(distances.tree().cut(0.1, 10), [0, 1, 2, 3]);
    assert_eq!(distances.complete_tree().cut(0.45, 10), [0, 0, 0, 1], "an item is no farther from any of its cluster");
    assert!((distances.between(3, 1) - 0.5).abs() < 1e-12 && distances.between(2, 2).abs() < 1e-12);
    assert!(Distances::new(vec![0.1], 3).is_none());
}

#[test]
fn a_part_that_is_too_large_is_connected_by_rarer_terms_only() {
    let text = |words: &str| words.split(' ').map(|word| (word.to_owned(), 1.0)).collect::<Vec<_>>();
    let texts = (0..120).map(|at| text(&format!("lamp kind{} number{at}", at / 4)));
    let vectors = Vectors::of(texts);
    let (whole, cut) = vectors.parts(1_000);
    assert!(whole.len() == 1 && !cut);
    let (parts, cut) = vectors.parts(20);
    assert!(cut && parts.len() == 30 && parts.iter().all(|part| part.len() == 4));
    let alike = Vectors::of((0..50).map(|_| text("lamp")));
    let (parts, _) = alike.parts(20);
    assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [20, 20, 10]);
    assert!(Vectors::of(Vec::new()).parts(5).0.is_empty());
}
