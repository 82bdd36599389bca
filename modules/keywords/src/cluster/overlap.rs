//! Clusters by shared results: each keyword with those whose first ten results it shares.

use std::collections::HashMap;

/// How keywords join a main keyword.
#[sdk::value]
pub(crate) enum Mode {
    /// Every pair of a cluster shares enough.
    Hard,
    /// Every keyword shares enough with the main one.
    Soft,
}

/// Clusters of keywords, given the addresses of each, the keywords in the order in which they become main ones. Each keyword is
/// in one cluster; the first of a cluster is its main keyword.
pub(crate) fn clusters(pages: &[Vec<u32>], min_shared: usize, mode: Mode) -> Vec<Vec<usize>> {
    let mut holders: HashMap<u32, Vec<usize>> = HashMap::new();
    for (keyword, addresses) in pages.iter().enumerate() {
        addresses.iter().for_each(|address| holders.entry(*address).or_default().push(keyword));
    }
    let mut taken = vec![false; pages.len()];
    let mut found = Vec::new();
    for main in 0..pages.len() {
        if std::mem::replace(&mut taken[main], true) {
            continue;
        }
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for address in &pages[main] {
            for other in holders[address].iter().filter(|other| !taken[**other]) {
                *shared.entry(*other).or_default() += 1;
            }
        }
        let mut near: Vec<(usize, usize)> = shared.into_iter().filter(|(_, count)| *count >= min_shared).collect();
        // The most in common first, then the order of main keywords.
        near.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let mut members = vec![main];
        for (other, _) in near {
            let fits = |member: &usize| common(&pages[*member], &pages[other]) >= min_shared;
            if mode == Mode::Soft || members.iter().skip(1).all(fits) {
                taken[other] = true;
                members.push(other);
            }
        }
        found.push(members);
    }
    found
}

/// How many addresses two short lists have in common.
fn common(one: &[u32], other: &[u32]) -> usize {
    one.iter().filter(|it| other.contains(it)).count()
}

#[cfg(test)]
mod tests {
    use kit::chance::Chance;

    use super::{Mode, clusters, common};

    /// The same by looking at every pair.
    fn brute(pages: &[Vec<u32>], least: usize, mode: Mode) -> Vec<Vec<usize>> {
        let mut free: Vec<usize> = (0..pages.len()).collect();
        let mut found = Vec::new();
        while !free.is_empty() {
            let main = free.remove(0);
            let near = |it: &usize| common(&pages[main], &pages[*it]) >= least;
            let mut near: Vec<usize> = free.iter().copied().filter(near).collect();
            near.sort_by_key(|it| (std::cmp::Reverse(common(&pages[main], &pages[*it])), *it));
            let mut members = vec![main];
            for other in near {
                let fits = |it: &usize| common(&pages[*it], &pages[other]) >= least;
                if mode == Mode::Soft || members.iter().all(fits) {
                    members.push(other);
                }
            }
            free.retain(|it| !members.contains(it));
            found.push(members);
        }
        found
    }

    #[test]
    fn two_thousand_keywords_are_clustered_as_by_looking_at_every_pair() {
        let mut chance = Chance::of("results");
        let page = |chance: &mut Chance| {
            let topic = chance.below(150);
            let mut all: Vec<u32> = Vec::new();
            while all.len() < 10 {
                let common = chance.unit() < 0.1;
                let address = if common { chance.below(20) } else { 20 + topic * 14 + chance.below(14) };
                let address = u32::try_from(address).expect("small");
                if !all.contains(&address) {
                    all.push(address);
                }
            }
            all
        };
        let pages: Vec<Vec<u32>> = (0..2_000).map(|_| page(&mut chance)).collect();
        for mode in [Mode::Hard, Mode::Soft] {
            assert_eq!(clusters(&pages, 6, mode), brute(&pages, 6, mode));
        }
    }

    #[test]
    fn hard_clusters_share_in_every_pair_and_soft_ones_with_the_main_keyword() {
        let pages = vec![vec![1, 2, 3, 4], vec![1, 2, 9, 8], vec![3, 4, 7, 6], vec![]];
        assert_eq!(clusters(&pages, 2, Mode::Soft), [vec![0, 1, 2], vec![3]]);
        assert_eq!(clusters(&pages, 2, Mode::Hard), [vec![0, 1], vec![2], vec![3]]);
    }
}
