//! Which sentences stand for a text: TextRank (Mihalcea and Tarau 2004).
//!
//! Sentences are nodes; an edge weighs the words that two have in common over the logarithms of their lengths. Rank flows
//! as in PageRank with a damping of 0.85.

use std::collections::BTreeSet;

const DAMPING: f64 = 0.85;
const ROUNDS: usize = 50;
/// More sentences are not compared with each other: the work grows with their square.
const MOST: usize = 300;

/// The rank of each sentence, given as its terms; they sum to the number of sentences. Sentences after the first 300 get 0.
#[must_use]
pub fn ranks(sentences: &[Vec<String>]) -> Vec<f64> {
    let sets: Vec<BTreeSet<&str>> =
        sentences.iter().take(MOST).map(|it| it.iter().map(String::as_str).collect()).collect();
    let count = sets.len();
    let mut weights = vec![vec![0.0_f64; count]; count];
    for one in 0..count {
        for other in one + 1..count {
            let weight = likeness(&sets[one], &sets[other], sentences[one].len(), sentences[other].len());
            weights[one][other] = weight;
            weights[other][one] = weight;
        }
    }
    let sums: Vec<f64> = weights.iter().map(|row| row.iter().sum()).collect();
    let mut ranks = vec![1.0_f64; count];
    for _ in 0..ROUNDS {
        let next: Vec<f64> = (0..count)
            .map(|to| {
                let flow: f64 = (0..count)
                    .filter(|from| sums[*from] > 0.0)
                    .map(|from| weights[from][to] / sums[from] * ranks[from])
                    .sum();
                1.0 - DAMPING + DAMPING * flow
            })
            .collect();
        let moved: f64 = next.iter().zip(&ranks).map(|(new, old)| (new - old).abs()).sum();
        ranks = next;
        if moved < 1e-6 {
            break;
        }
    }
    ranks.resize(sentences.len(), 0.0);
    ranks
}

#[expect(clippy::cast_precision_loss, reason = "counts of words in a sentence")]
fn likeness(a: &BTreeSet<&str>, b: &BTreeSet<&str>, a_length: usize, b_length: usize) -> f64 {
    if a_length < 2 || b_length < 2 {
        return 0.0;
    }
    a.intersection(b).count() as f64 / ((a_length as f64).ln() + (b_length as f64).ln())
}

#[cfg(test)]
mod tests {
    use super::ranks;

    #[test]
    fn the_sentence_that_shares_most_ranks_highest() {
        let sentences: Vec<Vec<String>> =
            ["oak table kitchen", "oak table lamp brass", "lamp brass desk", "rain tomorrow"]
                .iter()
                .map(|it| it.split(' ').map(str::to_owned).collect())
                .collect();
        let ranks = ranks(&sentences);
        let best = ranks.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map(|(at, _)| at);
        assert_eq!(best, Some(1));
        assert!(ranks[3] < ranks[0]);
        assert!(super::ranks(&[]).is_empty());
    }
}
