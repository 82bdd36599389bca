//! The operation `audit.metadata.report`.

use std::collections::BTreeMap;

use sdk::Degraded;
use sdk::prelude::*;

use super::{Ground, Judged, Row, Sum, about, sums};
use crate::index::Entry;
use crate::rule::Area;
use site::Run;

/// Groups of equal texts that one report shows.
const GROUPS: usize = 25;
/// Pages that are named for each group.
const NAMED: usize = 20;

/// The part of a result that a report is about.
#[value]
#[derive(Default)]
pub(crate) enum Element {
    /// Titles.
    #[default]
    Title,
    /// Descriptions.
    Description,
}

#[args(paged)]
pub(crate) struct Report {
    /// A crawl that has ended.
    run_ref: Id<Run>,
    /// What is reported on.
    #[serde(default)]
    element: Element,
}

/// Pages that share one text.
#[value]
pub(crate) struct Group {
    /// The text.
    text: String,
    /// Pages that have it.
    count: u32,
    /// The first of them.
    urls: Vec<String>,
}

/// What is wrong with titles or descriptions.
#[page]
pub(crate) struct Metadata {
    /// Pages, problem by problem.
    rows: Vec<Row>,
    /// Problems with their numbers of pages, the worst first.
    summary: Vec<Sum>,
    /// Texts that several indexable pages share, the most shared first; at most 25, with the first page only.
    duplicate_groups: Option<Vec<Group>>,
    /// What the report stands on.
    #[serde(flatten)]
    judged: Judged,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Reports titles and descriptions that are missing, duplicated, multiple, truncated in pixels, boilerplate or
/// mismatched with the H1.
///
/// Widths are those of Arial at the size of a desktop result.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "rows", most = limit),
    phrasings = ["which titles are too long", "find duplicate meta descriptions", "pages without a title or description", "titles cut off in google results"],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "element": "description", "limit": 100 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Answer<Metadata>> {
    let topic = match args.element {
        Element::Title => "title.",
        Element::Description => "description.",
    };
    let mut ground = Ground::of(cx, &args.run_ref)?;
    let rules = about(&ground, |rule| rule.area == Area::Metadata && rule.id.starts_with(topic));
    let (found, next_cursor) = ground.page(&rules, usize::from(args.limit), args.cursor.as_ref())?;
    let units = found.len() as u64;
    let duplicate_groups = args.cursor.is_none().then(|| groups(&ground.entries(), args.element));
    ground.degraded.push(Degraded::new("queries", "texts are not held against the queries of their pages"));
    let metadata = Metadata {
        summary: sums(&ground, &rules),
        rows: found.into_iter().map(Row::from).collect(),
        duplicate_groups,
        judged: ground.judged,
        degraded: ground.degraded,
        next_cursor,
    };
    Ok(Answer::new(metadata).units(units))
}

fn groups(entries: &[Entry], element: Element) -> Vec<Group> {
    let mut groups: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
    let text = |entry: &Entry| match element {
        Element::Title => entry.title.clone(),
        Element::Description => entry.description.clone(),
    };
    for entry in entries.iter().filter(|entry| entry.page && entry.indexable) {
        let key = kit::text::collapse(&text(entry)).to_lowercase();
        if !key.is_empty() {
            groups.entry(key).or_default().push(entry);
        }
    }
    let mut shared: Vec<Vec<&Entry>> = groups.into_values().filter(|group| group.len() > 1).collect();
    shared.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let shown = shared.into_iter().take(GROUPS).map(|group| Group {
        text: text(group[0]),
        count: u32::try_from(group.len()).unwrap_or(u32::MAX),
        urls: group.iter().take(NAMED).map(|entry| entry.url.clone()).collect(),
    });
    shown.collect()
}
