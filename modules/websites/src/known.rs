//! The addresses that are known of a website, from its newest crawl, and which of them a segment holds.

use kit::segments::{Address, Segment};
use sdk::Degraded;
use sdk::prelude::*;

use crate::stored::Website;
use site::Run;

/// Rows asked for at once.
const CHUNK: u64 = 250;
/// Comparisons of a byte that one call makes; a read may use 250 million units of fuel, and reads its rows with them too.
const MOST_WORK: u64 = 60_000_000;

/// The most addresses that a read looks at, of the 10,000 rows and 250 million units of fuel that it may use.
pub(crate) const IN_A_READ: u64 = 2_500;
/// The most addresses that a write looks at, of the 2,000 rows that it may read.
pub(crate) const IN_A_WRITE: u64 = 1_500;

/// One address of a crawl; the crawl keeps it flat for its lists.
#[foreign(collection = "crawl.rows", index(run, seq))]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Row {
    /// The crawl.
    pub(crate) run: String,
    /// Counts up from 1 in the order of fetching.
    pub(crate) seq: u64,
    /// The address, normalised.
    pub(crate) url: String,
    /// The media type of the answer; absent or empty when there was none.
    pub(crate) content_type: Option<String>,
}

/// What a count of addresses stands on.
#[value]
#[derive(Default)]
pub(crate) struct Basis {
    /// The newest crawl that has ended.
    pub(crate) run_ref: Option<Id<Run>>,
    /// When it ended.
    pub(crate) crawled_at: Option<Moment>,
    /// Addresses that it fetched.
    pub(crate) known_urls: u64,
    /// Of these, looked at for this result.
    pub(crate) looked_at: u64,
    /// What could not be considered, in words.
    pub(crate) degraded: Vec<Degraded>,
}

/// Asks every known address, in the order of fetching and as far as one call may, which of the segments hold it.
pub(crate) fn each(
    cx: &Cx,
    site: &Id<Website>,
    segments: &[&Segment],
    most: u64,
    mut seen: impl FnMut(&str, &[bool]),
) -> Result<Basis> {
    let mut basis = Basis::default();
    let Some(run) = site::newest(cx, &site.cast()) else {
        let message = "the website has no crawl that has ended, so no address is known yet; crawl.run.start makes one";
        basis.degraded.push(Degraded::new("crawl", message));
        return Ok(basis);
    };
    basis.crawled_at = run.0.finished_ms.map(Moment::from_millis);
    basis.known_urls = run.0.totals.fetched;
    let (mut work, mut cursor) = (0, None);
    let mut held = vec![false; segments.len()];
    'reading: loop {
        let page = cx.records::<Row>().by("run_seq").equals(&run.id).page(CHUNK.min(most), cursor)?;
        for row in &page.items {
            work += segments.iter().map(|segment| segment.work(row.url.len())).sum::<u64>();
            if basis.looked_at == most || work > MOST_WORK {
                break 'reading;
            }
            let content_type = row.content_type.as_deref().filter(|it| !it.is_empty());
            for (holds, segment) in held.iter_mut().zip(segments) {
                *holds = segment.holds(Address { url: &row.url, content_type });
            }
            basis.looked_at += 1;
            seen(&row.url, &held);
        }
        cursor = page.next;
        if cursor.is_none() {
            basis.known_urls = basis.looked_at;
            break;
        }
    }
    if basis.looked_at < basis.known_urls {
        let message =
            format!("only the first {} of {} known addresses were looked at", basis.looked_at, basis.known_urls);
        basis.degraded.push(Degraded::new("crawl", message));
    }
    basis.run_ref = Some(run.id.clone());
    Ok(basis)
}
