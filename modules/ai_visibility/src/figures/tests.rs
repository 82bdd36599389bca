//! The figures against known values, brute force and simulations.

use std::collections::BTreeMap;

use kit::chance::Chance;

use super::breaks::{MIN_SEGMENT, Point, breaks, cost};
use super::paired;
use super::rate::{Repeats, agreement, needed_prompts, needed_repeats, rate, wilson};
use super::spread::{divergence, overlap};

fn repeats(all: &[(u32, u64)]) -> Vec<Repeats> {
    all.iter().map(|(hits, answers)| Repeats { hits: f64::from(*hits), answers: *answers }).collect()
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} {b}");
}

#[test]
fn wilson_is_that_of_statsmodels() {
    // statsmodels 0.15.0: proportion_confint(count, nobs, method="wilson").
    for (share, n, low, high) in include_str!("wilson.tsv").lines().map(|line| {
        let all: Vec<f64> = line.split('\t').map(|it| it.parse().unwrap()).collect();
        (all[0] / all[1], all[1], all[2], all[3])
    }) {
        let [found_low, found_high] = wilson(share, n);
        close(found_low, low);
        close(found_high, high);
    }
}

#[test]
fn repeats_that_agree_are_worth_one_answer_and_independent_ones_all_of_them() {
    let same = repeats(&[(3, 3), (0, 3), (3, 3), (0, 3), (3, 3), (0, 3)]);
    close(agreement(&same), 1.0);
    close(rate(&same).unwrap().sample.n_eff, 6.0);
    let mixed = repeats(&[(1, 2), (1, 2), (1, 2), (1, 2), (1, 2)]);
    close(agreement(&mixed), 0.0);
    close(rate(&mixed).unwrap().sample.n_eff, 10.0);
    let few = rate(&repeats(&[(2, 10), (5, 10)])).unwrap();
    close(few.sample.n_eff, 2.0);
    assert_eq!(rate(&[]), None);
}

#[test]
fn intervals_cover_what_they_promise() {
    // Prompts with shares of their own, asked three to five times each.
    let mut chance = Chance::of("coverage");
    for (k, m) in [(10_u32, 3_u64), (30, 3), (30, 5), (100, 3)] {
        let (mut covered, runs) = (0_u32, 2_000_u32);
        let truth = 0.4;
        for _ in 0..runs {
            let prompts: Vec<Repeats> = (0..k)
                .map(|_| {
                    // Half of the prompts nearly always name the brand, or nearly never: the mean is 0.4.
                    let share = if chance.unit() < 0.4 { 0.55 + 0.45 * chance.unit() } else { 0.3 * chance.unit() };
                    let hits = (0..m).filter(|_| chance.unit() < share).count();
                    Repeats { hits: f64::from(u32::try_from(hits).unwrap()), answers: m }
                })
                .collect();
            let [low, high] = rate(&prompts).unwrap().ci95;
            covered += u32::from(low <= truth && truth <= high);
        }
        let share = f64::from(covered) / f64::from(runs);
        assert!((0.92..=0.985).contains(&share), "{k} prompts, {m} repeats: {share}");
    }
}

#[test]
fn sample_sizes_are_those_of_the_formula() {
    assert_eq!(needed_repeats(0.5, 0.1), 97);
    assert_eq!(needed_prompts(0.5, 0.1, 1.0, 1.0), 97);
    assert_eq!(needed_prompts(0.5, 0.1, 3.0, 0.5), 65);
    assert_eq!(needed_repeats(0.0, 0.1), 0);
}

#[test]
fn flipped_signs_are_counted_exactly_and_drawn_beyond() {
    assert_eq!(paired::p(&[0.1; 5]), None);
    close(paired::p(&[0.1; 6]).unwrap(), 2.0 / 64.0);
    close(paired::p(&[0.1, -0.1, 0.1, -0.1, 0.1, -0.1]).unwrap(), 1.0);
    close(paired::p(&[0.0; 8]).unwrap(), 1.0);
    let many = [0.2, 0.1, 0.05, 0.3, 0.12, 0.2, 0.1, -0.02, 0.2, 0.1, 0.05, 0.3, 0.12, 0.2, 0.1];
    let p = paired::p(&many).unwrap();
    assert!(p < 0.002, "{p}");
    // Under no change p is uniform.
    let mut chance = Chance::of("no change");
    let small = (0..200)
        .filter(|_| {
            let differences: Vec<f64> = (0..20).map(|_| chance.unit() - 0.5).collect();
            paired::p(&differences).unwrap() < 0.1
        })
        .count();
    assert!((8..=34).contains(&small), "{small} of 200");
}

/// Every segmentation, tried.
fn brute(points: &[Point]) -> (f64, Vec<usize>) {
    let count = points.len();
    let penalty = 3.0 * (f64::from(u32::try_from(count).unwrap())).ln();
    let mut best = (f64::INFINITY, Vec::new());
    for mask in 0_u32..1 << (count - 1) {
        let cuts: Vec<usize> = (1..count).filter(|at| mask >> (at - 1) & 1 == 1).collect();
        let edges: Vec<usize> = std::iter::once(0).chain(cuts.iter().copied()).chain([count]).collect();
        if edges.windows(2).any(|it| it[1] - it[0] < MIN_SEGMENT) {
            continue;
        }
        let sum: f64 = edges
            .windows(2)
            .map(|it| {
                let part = &points[it[0]..it[1]];
                cost(part.iter().map(|it| it.hits).sum(), part.iter().map(|it| it.n).sum())
            })
            .sum();
        let whole = sum + penalty * f64::from(u32::try_from(cuts.len()).unwrap());
        if whole < best.0 - 1e-9 {
            best = (whole, cuts);
        }
    }
    best
}

#[test]
fn change_points_are_those_of_every_segmentation_tried() {
    let mut chance = Chance::of("series");
    let mut changed = 0;
    for series in 0..200 {
        let count = 6 + series % 9;
        let turn = chance.below(count);
        let points: Vec<Point> = (0..count)
            .map(|at| {
                let n = 10.0 + 40.0 * chance.unit();
                let share = if at < turn { 0.2 } else { 0.2 + 0.6 * chance.unit() };
                Point { hits: (n * share).round().min(n), n }
            })
            .collect();
        let (least, cuts) = brute(&points);
        let found = breaks(&points);
        let edges: Vec<usize> = std::iter::once(0).chain(found.iter().copied()).chain([count]).collect();
        let whole: f64 = edges
            .windows(2)
            .map(|it| {
                let part = &points[it[0]..it[1]];
                cost(part.iter().map(|it| it.hits).sum(), part.iter().map(|it| it.n).sum())
            })
            .sum::<f64>()
            + 3.0 * f64::from(u32::try_from(count).unwrap()).ln() * f64::from(u32::try_from(found.len()).unwrap());
        assert!((whole - least).abs() < 1e-6, "{found:?} {cuts:?} {whole} {least}");
        changed += u32::from(!found.is_empty());
    }
    assert!(changed > 50, "{changed} of 200 series change");
}

#[test]
fn a_level_that_stays_has_no_change_and_one_that_jumps_has_one() {
    let level = |share: f64| Point { hits: 60.0 * share, n: 60.0 };
    assert_eq!(breaks(&[level(0.4); 12]), Vec::<usize>::new());
    let mut jump = vec![level(0.2); 6];
    jump.extend(vec![level(0.6); 6]);
    assert_eq!(breaks(&jump), [6]);
    assert_eq!(breaks(&jump[..5]), Vec::<usize>::new());
}

#[test]
fn overlap_and_divergence_have_their_bounds() {
    assert_eq!(overlap(&[vec![1]]), None);
    close(overlap(&[vec![], vec![]]).unwrap(), 1.0);
    close(overlap(&[vec![1, 2], vec![2, 3], vec![1, 2]]).unwrap(), (1.0 / 3.0 + 1.0 + 1.0 / 3.0) / 3.0);
    let of = |all: &[(&'static str, f64)]| all.iter().copied().collect::<BTreeMap<&str, f64>>();
    close(divergence(&of(&[("a", 1.0)]), &of(&[("b", 5.0)])).unwrap(), 1.0);
    close(divergence(&of(&[("a", 1.0), ("b", 1.0)]), &of(&[("a", 4.0), ("b", 4.0)])).unwrap(), 0.0);
    assert_eq!(divergence(&of(&[]), &of(&[("a", 1.0)])), None);
    // scipy 1.17.1: jensenshannon([.5, .3, .2], [.1, .6, .3], base=2) ** 2.
    let found = divergence(&of(&[("a", 0.5), ("b", 0.3), ("c", 0.2)]), &of(&[("a", 0.1), ("b", 0.6), ("c", 0.3)]));
    close(found.unwrap(), 0.149_022_499_567_306_37);
}
