//! The operation `crawl.structure.get`.

use sdk::prelude::*;
use sdk::{Degraded, json};
use search::Clicks;

use crate::run;
use crate::stored::{Folder, Run};
use crate::work::LEVELS;

/// Folders in one answer.
const MOST: usize = 1_000;

#[args]
pub(crate) struct Get {
    /// The crawl; it must have ended.
    run_ref: Id<Run>,
    /// Levels of folders below `path`.
    #[default(3)]
    depth: Count<1, 8>,
    /// Only this folder and those in it, such as `/blog/`.
    path: Option<Text<1, 500>>,
}

/// A folder with everything in it and below.
#[value]
pub(crate) struct Branch {
    /// Its path.
    path: String,
    /// Its level; 0 is the root.
    level: u32,
    /// Addresses.
    pages: u64,
    /// Of these, indexable.
    indexable: u64,
    /// The share of indexable addresses, 0 to 1.
    indexable_share: f64,
    /// Of these, without an answer, 4xx or 5xx.
    errors: u64,
    /// Links from a starting address, on average.
    depth_avg: f64,
    /// Words of all pages together.
    word_count: u64,
    /// Words of a page, on average.
    words_avg: f64,
    /// The share of the site's internal authority, 0 to 1: PageRank over its links, damping 0.85.
    authority: f64,
    /// Clicks from searches in the last 28 stored days, of everything below; null when no search figures are stored.
    clicks: Option<u64>,
}

/// The folders of a site.
#[value]
pub(crate) struct Tree {
    /// By path: every folder stands before those in it.
    tree: Vec<Branch>,
    /// When the crawl was summarised.
    summarised_at: Moment,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Returns the site as a tree of folders with pages, depth, indexable share, words and internal authority of each.
///
/// Numbers are of everything below a folder. Folders are kept down to level 8; the largest 1,000 that were asked for
/// are shown.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    phrasings = ["show the site structure as folders", "how many pages are in each section", "which section has the most authority", "site tree of my website"],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "path": "/blog/", "depth": 2 }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Tree> {
    let run = run::live(cx, &args.run_ref)?;
    let summary = run::summary(cx, &run)?;
    let path = args.path.as_ref().map_or_else(|| "/".to_owned(), |path| folder(path.as_str()));
    let level = u32::try_from(path.matches('/').count().saturating_sub(1)).unwrap_or(LEVELS);
    let deepest = level.saturating_add(u32::try_from(u64::from(args.depth)).unwrap_or(LEVELS)).min(LEVELS);
    let mut folders: Vec<Folder> = Vec::new();
    let mut degraded = summary.degraded.clone();
    let mut cut = false;
    for level in level..=deepest {
        let below = format!("{path}\u{10ffff}");
        let mut next = None;
        loop {
            let at = cx.records::<Folder>().by("run_level_path").equals(&run.id).equals(level);
            let page = at.at_least(&path).below(&below).page(1_000_u64, next)?;
            folders.extend(page.items.into_iter().map(Stored::into_inner));
            next = page.next;
            if next.is_none() {
                break;
            }
        }
    }
    if folders.is_empty() {
        let message = "this crawl has no such folder; call without `path` to see those it has";
        return Err(Fault::not_found("folder_not_found", message).at("/path"));
    }
    if folders.len() > MOST {
        cut = true;
        folders.sort_by(|a, b| b.pages.cmp(&a.pages).then_with(|| a.path.cmp(&b.path)));
        folders.truncate(MOST);
    }
    folders.sort_by(|a, b| a.path.cmp(&b.path));
    if cut {
        degraded.push(Degraded::new(
            "folders",
            format!("only the {MOST} largest folders are shown; `path` and `depth` narrow it down"),
        ));
    }
    let clicks = Clicks::newest(cx, &Id::new(run.0.site_id.as_str()));
    if clicks.is_none() {
        let sync = json!({ "site_id": run.0.site_id });
        let why = "no search figures of this website are stored";
        degraded.push(Degraded::new("clicks", why).supplied_by("search_console.sync.run", sync));
    }
    let by_path = clicks.as_ref().map(ByPath::of);
    let tree = folders.into_iter().map(|folder| {
        let clicks = by_path.as_ref().map(|it| it.below(&folder.path));
        branch(folder, clicks)
    });
    let tree = tree.collect();
    Ok(Tree { tree, summarised_at: Moment::from_millis(summary.built_ms), degraded })
}

/// Clicks by the paths of pages, in order: each with the sum of all before it.
struct ByPath(Vec<(String, u64)>);

impl ByPath {
    fn of(clicks: &Clicks) -> Self {
        let path = |page| kit::url::Url::parse(page).map_or_else(|_| page.to_owned(), |url| url.path().to_owned());
        let mut paths: Vec<(String, u64)> = clicks.pages().map(|(page, clicks)| (path(page), clicks)).collect();
        paths.sort();
        let mut sum = 0;
        for slot in &mut paths {
            let clicks = slot.1;
            slot.1 = sum;
            sum += clicks;
        }
        paths.push((char::MAX.to_string(), sum));
        Self(paths)
    }

    /// The clicks of all pages in a folder, which ends with a slash.
    fn below(&self, folder: &str) -> u64 {
        let end = format!("{folder}{}", char::MAX);
        let before = |bound: &str| {
            let at = self.0.partition_point(|(path, _)| path.as_str() < bound).min(self.0.len() - 1);
            self.0[at].1
        };
        before(&end) - before(folder)
    }
}

/// A path as folders are written.
fn folder(text: &str) -> String {
    let inner = text.trim().trim_matches('/');
    if inner.is_empty() { "/".to_owned() } else { format!("/{inner}/") }
}

#[expect(clippy::cast_precision_loss, reason = "counts of pages and words are far below 2^52")]
fn branch(it: Folder, clicks: Option<u64>) -> Branch {
    let mean = |sum: u64| (sum as f64 / it.pages.max(1) as f64 * 100.0).round() / 100.0;
    Branch {
        level: it.level,
        pages: it.pages,
        indexable: it.indexable,
        indexable_share: (it.indexable as f64 / it.pages.max(1) as f64 * 10_000.0).round() / 10_000.0,
        errors: it.errors,
        depth_avg: mean(it.depths),
        word_count: it.words,
        words_avg: mean(it.words),
        authority: it.authority as f64 / 1e9,
        clicks,
        path: it.path,
    }
}
