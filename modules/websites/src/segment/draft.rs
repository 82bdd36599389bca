//! The operation `websites.segment.test`, rules that are not stored yet.

use kit::segments::Segment as Rules;
use sdk::prelude::*;

use super::{RuleGiven, Segment, keep, of, ready};
use crate::known::{self, Basis};
use crate::stored::Website;

#[args]
pub(crate) struct Test {
    /// The website, as listed.
    site_id: Id<Website>,
    /// Draft rules, read as `websites.segment.set` reads them.
    rules: List<RuleGiven, 1, 20>,
    /// How many addresses to show of each kind.
    #[default(50)]
    sample: Count<1, 200>,
}

/// Addresses that the draft shares with a segment.
#[value]
pub(crate) struct Overlap {
    /// The segment.
    segment_ref: Id<Segment>,
    /// Its name.
    name: String,
    /// Addresses in both.
    shared: u64,
    /// Addresses in the segment.
    matched: u64,
}

/// What the draft would hold.
#[value]
pub(crate) struct Tested {
    /// Known addresses that it holds.
    matched: u64,
    /// Segments that hold some of the same, those with the most first.
    overlap: Vec<Overlap>,
    /// Known addresses that neither it nor any segment holds.
    unassigned: u64,
    /// The first that it holds.
    sample: Vec<String>,
    /// The first that nothing holds.
    unassigned_sample: Vec<String>,
    /// What the counts stand on.
    #[serde(flatten)]
    basis: Basis,
}

/// Tests draft segment rules against known URLs and reports matches, overlaps with other segments and URLs left unassigned.
///
/// Nothing is stored. The counts are of the newest crawl that has ended; without one they are 0 and `degraded` says so.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    phrasings = [
        "which pages would this segment contain",
        "try out segment rules before saving them",
        "which of my pages are in no segment",
        "do my segments overlap",
    ],
    examples = [{ "site_id": "4503599627370496", "rules": [{ "match": "glob", "value": "/blog/*" }], "sample": 10 }]
)]
pub(crate) fn test(cx: &Cx, args: Test) -> Result<Tested> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    let (_, draft) = ready(&args.rules)?;
    let stored = of(cx, &site.id);
    let others: Vec<(Stored<Segment>, Rules)> =
        stored.into_iter().filter_map(|it| Rules::new(&it.rules).ok().map(|rules| (it, rules))).collect();
    let all: Vec<&Rules> = std::iter::once(&draft).chain(others.iter().map(|(_, rules)| rules)).collect();
    let most = usize::from(args.sample);
    let (mut matched, mut unassigned) = (0, 0);
    let (mut sample, mut unassigned_sample) = (Vec::new(), Vec::new());
    let mut counts = vec![(0, 0); others.len()];
    let basis = known::each(cx, &site.id, &all, known::IN_A_READ, |url, held| {
        if held[0] {
            matched += 1;
            keep(&mut sample, url, most);
        }
        if !held.contains(&true) {
            unassigned += 1;
            keep(&mut unassigned_sample, url, most);
        }
        for ((shared, total), holds) in counts.iter_mut().zip(&held[1..]) {
            *total += u64::from(*holds);
            *shared += u64::from(*holds && held[0]);
        }
    })?;
    let mut overlap: Vec<Overlap> = others
        .into_iter()
        .zip(counts)
        .filter(|(_, (shared, _))| *shared > 0)
        .map(|((Stored { id, it, .. }, _), (shared, matched))| Overlap {
            segment_ref: id,
            name: it.name,
            shared,
            matched,
        })
        .collect();
    overlap.sort_by(|a, b| b.shared.cmp(&a.shared).then_with(|| a.name.cmp(&b.name)));
    Ok(Tested { matched, overlap, unassigned, sample, unassigned_sample, basis })
}
