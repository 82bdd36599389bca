//! The operation `crawl.run.compare`.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use kit::crawled::{PageRecord, page_id};
use sdk::Degraded;
use sdk::prelude::*;

use crate::digest::{self, Entry};
use crate::run;
use crate::stored::{Page, Run};

/// Bytes of a digest that are read: a crawl of 100,000 pages has 5.2 million.
const MOST_BYTES: u32 = 6 << 20;
/// Folders that are counted each for itself.
const MOST_SECTIONS: usize = 50;

#[args(paged)]
pub(crate) struct Compare {
    /// The earlier crawl.
    run_a: Id<Run>,
    /// The later crawl.
    run_b: Id<Run>,
    /// Only this kind of change.
    change: Option<Change>,
    /// Only addresses of this segment of the website.
    segment_ref: Option<Text<1, 128>>,
    /// Only addresses below this first folder, such as `/blog/`.
    folder: Option<Text<1, 300>>,
}

/// What can change between two crawls.
#[value]
pub(crate) enum Change {
    /// The address is in the later crawl only.
    Added,
    /// It is in the earlier crawl only.
    Removed,
    /// It answers with another status.
    Status,
    /// What decides whether it may be indexed.
    Indexability,
    /// Its title.
    Title,
    /// Its canonical.
    Canonical,
    /// Its main text.
    Content,
    /// How many links it is away from a starting address.
    Depth,
}

/// A side of a change.
#[value]
pub(crate) struct Side {
    /// The status; 0 without an answer.
    status: u16,
    /// What decides whether it may be indexed.
    indexability: String,
    /// Links from a starting address.
    depth: u32,
    /// Words of the main text.
    word_count: u32,
    /// The first title.
    title: Option<String>,
    /// The canonical.
    canonical: Option<String>,
    /// When it was fetched.
    fetched_at: Moment,
}

/// One address that changed.
#[value]
pub(crate) struct Changed {
    /// The address.
    url: String,
    /// Every way in which it changed.
    changes: Vec<Change>,
    /// As the earlier crawl has it.
    before: Option<Side>,
    /// As the later crawl has it.
    after: Option<Side>,
    /// How alike the texts are by their SimHash, 0 to 1, when the text changed.
    similarity: Option<f64>,
}

/// Counts over all addresses of both crawls.
#[value]
#[derive(Default)]
pub(crate) struct Sums {
    /// Addresses in both.
    common: u64,
    /// Of these, without any change.
    unchanged: u64,
    /// Addresses by kind of change; one may count for several.
    changes: BTreeMap<Change, u64>,
    /// Changed addresses by first folder; at most 50.
    folders: BTreeMap<String, u64>,
    /// Words of all pages, earlier and later.
    words: (u64, u64),
    /// Indexable addresses, earlier and later.
    indexable: (u64, u64),
}

/// What changed between two crawls.
#[page]
pub(crate) struct Compared {
    /// The changed addresses, in a fixed order that is not that of the alphabet.
    changes: Vec<Changed>,
    /// Counts over everything that was selected.
    summary: Sums,
    /// When the two crawls ended.
    ended_at: (Option<Moment>, Option<Moment>),
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Compares two crawls by address: added, removed, status, indexability, title, canonical, text and depth.
///
/// The counts are over all addresses, of any number; the list is paged. A text counts as changed when its SHA-256 is
/// another, and its `similarity` says how much; a page that one crawl could not reach because of its limits counts as
/// added or removed, which `degraded` then says.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = limit),
    phrasings = ["what changed between two crawls", "compare this crawl with the one before the relaunch", "which pages disappeared since last crawl", "did titles change after the migration"],
    examples = [{ "run_a": "run_01", "run_b": "run_02" }, { "run_a": "run_01", "run_b": "run_02", "change": "status", "limit": 100 }]
)]
pub(crate) fn compare(cx: &Cx, args: Compare) -> Result<Answer<Compared>> {
    if args.segment_ref.is_some() {
        let message = "this website has no such segment; `folder` selects by the first folder of the path";
        return Err(Fault::not_found("segment_not_found", message).at("/segment_ref"));
    }
    let (run_a, run_b) = (side(cx, &args.run_a, "/run_a")?, side(cx, &args.run_b, "/run_b")?);
    if run_a.0.origin != run_b.0.origin {
        let message = "the two crawls are of different websites";
        return Err(Fault::conflict("different_websites", message).at("/run_b"));
    }
    let (known_a, known_b) = (run::summary(cx, &run_a)?, run::summary(cx, &run_b)?);
    let names: BTreeMap<u32, String> = known_a.sections.iter().chain(&known_b.sections).cloned().collect();
    let folder = args.folder.as_ref().map(|folder| folder_of(folder.as_str()));
    let after = args.cursor.as_ref().map(place).transpose()?;
    let digest = |run: &Stored<Run>| cx.blobs().read(&digest::blob(run.id.as_str()), 0, MOST_BYTES).unwrap_or_default();
    let (digest_a, digest_b) = (digest(&run_a), digest(&run_b));
    let limit = usize::try_from(u64::from(args.limit)).unwrap_or(usize::MAX);
    let (mut sums, mut found, mut more) = (Sums::default(), Vec::new(), None);
    for (a, b) in Pairs::of(digest::read(&digest_a), digest::read(&digest_b)) {
        let section = a.or(b).map_or(0, |entry| entry.section);
        if folder.is_some_and(|wanted| wanted != section) {
            continue;
        }
        let changes = changes(a.as_ref(), b.as_ref());
        sums.add(a.as_ref(), b.as_ref(), &changes, names.get(&section));
        let address = a.or(b).map(|entry| entry.address).unwrap_or_default();
        let wanted = args.change.map_or(!changes.is_empty(), |change| changes.contains(&change));
        if !wanted || after.is_some_and(|after| address <= after) {
            continue;
        }
        if found.len() < limit {
            found.push((a, b, changes));
        } else {
            more = more.or_else(|| last(&found));
        }
    }
    let listed: Vec<Changed> = found.into_iter().map(|it| shown(cx, &run_a, &run_b, it)).collect();
    let units = listed.len() as u64;
    let mut degraded: Vec<Degraded> = known_a.degraded.into_iter().chain(known_b.degraded).collect();
    if args.segment_ref.is_none() && run_a.0.stop_reason != run_b.0.stop_reason {
        let message = "the crawls ended for different reasons, so pages may be added or removed that are on the site at both times";
        degraded.push(Degraded::new("changes", message));
    }
    let moment = |run: &Stored<Run>| run.0.finished_ms.map(Moment::from_millis);
    let compared = Compared {
        changes: listed,
        summary: sums,
        ended_at: (moment(&run_a), moment(&run_b)),
        degraded,
        next_cursor: more,
    };
    Ok(Answer::new(compared).units(units))
}

fn side(cx: &Cx, id: &Id<Run>, pointer: &str) -> Result<Stored<Run>> {
    run::live(cx, id).map_err(|fault| fault.at(pointer))
}

fn folder_of(text: &str) -> u32 {
    let path = text.trim_matches('/').split('/').next().unwrap_or_default();
    crate::work::short(&if path.is_empty() { "/".to_owned() } else { format!("/{path}/") })
}

fn place(cursor: &Cursor) -> Result<[u8; 16]> {
    let text = cursor.as_str();
    let byte = |at: usize| text.get(at * 2..at * 2 + 2).and_then(|it| u8::from_str_radix(it, 16).ok());
    let mut address = [0; 16];
    for (at, slot) in address.iter_mut().enumerate() {
        *slot = byte(at).filter(|_| text.len() == 32).ok_or_else(sdk::invalid_cursor)?;
    }
    Ok(address)
}

fn last(found: &[(Option<Entry>, Option<Entry>, Vec<Change>)]) -> Option<Cursor> {
    let (a, b, _) = found.last()?;
    (*a).or(*b).map(|entry| Cursor::new(kit::text::hex(&entry.address)))
}

/// Two digests side by side, in the order of addresses.
struct Pairs<A: Iterator, B: Iterator> {
    a: std::iter::Peekable<A>,
    b: std::iter::Peekable<B>,
}

impl<A: Iterator<Item = Entry>, B: Iterator<Item = Entry>> Pairs<A, B> {
    fn of(a: A, b: B) -> Self {
        Self { a: a.peekable(), b: b.peekable() }
    }
}

impl<A: Iterator<Item = Entry>, B: Iterator<Item = Entry>> Iterator for Pairs<A, B> {
    type Item = (Option<Entry>, Option<Entry>);

    fn next(&mut self) -> Option<Self::Item> {
        let order = match (self.a.peek(), self.b.peek()) {
            (None, None) => return None,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => a.address.cmp(&b.address),
        };
        Some(match order {
            Ordering::Less => (self.a.next(), None),
            Ordering::Greater => (None, self.b.next()),
            Ordering::Equal => (self.a.next(), self.b.next()),
        })
    }
}

fn changes(a: Option<&Entry>, b: Option<&Entry>) -> Vec<Change> {
    let (Some(a), Some(b)) = (a, b) else {
        return vec![if a.is_some() { Change::Removed } else { Change::Added }];
    };
    let differs = [
        (Change::Status, a.status != b.status),
        (Change::Indexability, a.reason() != b.reason()),
        (Change::Title, a.title != b.title),
        (Change::Canonical, a.canonical != b.canonical),
        (Change::Content, a.content != b.content || a.words != b.words),
        (Change::Depth, a.depth != b.depth),
    ];
    differs.into_iter().filter(|(_, differs)| *differs).map(|(change, _)| change).collect()
}

impl Sums {
    fn add(&mut self, a: Option<&Entry>, b: Option<&Entry>, changes: &[Change], folder: Option<&String>) {
        self.common += u64::from(a.is_some() && b.is_some());
        self.unchanged += u64::from(changes.is_empty());
        changes.iter().for_each(|change| *self.changes.entry(*change).or_default() += 1);
        self.words.0 += a.map_or(0, |entry| u64::from(entry.words));
        self.words.1 += b.map_or(0, |entry| u64::from(entry.words));
        self.indexable.0 += u64::from(a.is_some_and(Entry::is_indexable));
        self.indexable.1 += u64::from(b.is_some_and(Entry::is_indexable));
        let folder = folder.filter(|it| self.folders.len() < MOST_SECTIONS || self.folders.contains_key(*it));
        if let Some(folder) = folder.filter(|_| !changes.is_empty()) {
            *self.folders.entry(folder.clone()).or_default() += 1;
        }
    }
}

fn shown(
    cx: &Cx,
    run_a: &Stored<Run>,
    run_b: &Stored<Run>,
    found: (Option<Entry>, Option<Entry>, Vec<Change>),
) -> Changed {
    let (a, b, changes) = found;
    let page = |run: &Stored<Run>, entry: Option<&Entry>| {
        let id = entry?.id(run.id.as_str());
        cx.records::<Page>().find(&Id::new(id)).map(|page| page.it.0)
    };
    let (before, after) = (page(run_a, a.as_ref()), page(run_b, b.as_ref()));
    let url = after.as_ref().or(before.as_ref()).map(|page| page.url.clone()).unwrap_or_default();
    let similarity = a.zip(b).filter(|(a, b)| a.content != b.content && a.simhash != 0 && b.simhash != 0);
    let similarity = similarity.map(|(a, b)| 1.0 - f64::from(kit::simhash::distance(a.simhash, b.simhash)) / 64.0);
    debug_assert!(b.is_none_or(|entry| entry.id("x") == page_id("x", &url)));
    Changed { url, changes, before: before.map(of_page), after: after.map(of_page), similarity }
}

fn of_page(page: PageRecord) -> Side {
    let facts = page.facts;
    Side {
        status: page.status,
        indexability: facts.indexability.reason.word().to_owned(),
        depth: page.depth,
        word_count: facts.word_count,
        title: facts.titles.into_iter().next(),
        canonical: facts.canonicals.into_iter().find(|one| one.place != kit::page::Place::Body).and_then(|one| one.url),
        fetched_at: Moment::from_millis(page.fetched_ms),
    }
}
