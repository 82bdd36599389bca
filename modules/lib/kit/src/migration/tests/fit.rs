//! The logistic curve of the last stage: how it was fitted, and that it is what the generated migrations say.

use super::{Made, blog, company, shop};
use crate::migration::score::CURVE;
use crate::migration::{How, Migration};
use crate::text::{hex, sha256};

/// The first half of the SHA-256 of what the curve was fitted on.
const DATA: &str = "be02c25099c0d6527368c1cd8183f7e0";

/// What the last stage says of pages that the others have left, each with whether it is right.
fn examples() -> Vec<([f64; 3], bool)> {
    let mut all = Vec::new();
    let made = [shop(1, 1_200), blog(2, 900), company(3, 600)];
    let bare = [shop(4, 800), blog(5, 600), company(6, 400)].map(Made::without_texts);
    let listed = [shop(7, 800), blog(8, 600), company(9, 400)].map(Made::listed);
    for made in made.into_iter().chain(bare).chain(listed).chain(strangers()) {
        let migration = Migration::new(&made.old, &made.new);
        for (at, truth) in made.truth.iter().enumerate() {
            let Some(found) = migration.target(at).filter(|it| it.how == How::Likeness) else { continue };
            let Some((score, ahead)) = found.lead else { continue };
            all.push(([1.0, score, ahead], *truth == Some(found.page)));
        }
    }
    all
}

/// Small sites of which nothing takes the place of anything: what is alone is not right.
fn strangers() -> impl Iterator<Item = Made> {
    let sides = [shop(21, 60), blog(22, 60), company(23, 30)];
    let others =
        [shop(24, 60), blog(25, 60), company(26, 30), shop(27, 60).without_texts(), blog(28, 60).without_texts()];
    let pairs = sides.into_iter().flat_map(move |old| others.clone().map(|new| (old.clone(), new)));
    pairs.map(|(old, new)| Made { truth: vec![None; old.old.len()], new: new.new, old: old.old })
}

/// Logistic regression by Newton's method (Hastie, Tibshirani and Friedman 2009, 4.4.1), with a ridge of 0.001.
fn fitted(examples: &[([f64; 3], bool)]) -> [f64; 3] {
    let mut curve = [0.0; 3];
    for _ in 0..50 {
        let (mut slope, mut bend) = ([0.0; 3], [[0.0; 3]; 3]);
        for (known, right) in examples {
            let sum: f64 = (0..3).map(|at| curve[at] * known[at]).sum();
            let likely = 1.0 / (1.0 + (-sum).exp());
            for row in 0..3 {
                slope[row] += known[row] * (f64::from(u8::from(*right)) - likely);
                for column in 0..3 {
                    bend[row][column] += known[row] * known[column] * likely * (1.0 - likely);
                }
            }
        }
        for at in 0..3 {
            slope[at] -= 0.001 * curve[at];
            bend[at][at] += 0.001;
        }
        let step = solved(bend, slope);
        (0..3).for_each(|at| curve[at] += step[at]);
    }
    curve
}

/// Three equations by Cramer's rule.
fn solved(rows: [[f64; 3]; 3], right: [f64; 3]) -> [f64; 3] {
    let size = |m: [[f64; 3]; 3]| {
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let whole = size(rows);
    [0, 1, 2].map(|column| {
        let mut with = rows;
        (0..3).for_each(|row| with[row][column] = right[row]);
        size(with) / whole
    })
}

#[test]
fn the_curve_is_what_the_generated_migrations_say() {
    let examples = examples();
    let text: Vec<String> =
        examples.iter().map(|(known, right)| format!("{:.6} {:.6} {right}", known[1], known[2])).collect();
    let data = hex(&sha256(text.join("\n").as_bytes())[..16]);
    let curve = fitted(&examples);
    assert_eq!(data, DATA, "{} examples say {curve:?}", examples.len());
    for (known, kept) in curve.iter().zip(CURVE) {
        assert!((known - kept).abs() < 1e-4, "{curve:?}");
    }
}
