//! How the links that a list wants are found: by an index where one answers, else by looking through them.

use kit::crawled::page_id;
use kit::page::Placement;
use sdk::prelude::*;

use super::{Scope, Wanted};
use crate::stored::{External, Linked, Row, Run};

/// Links that one call looks through when no index answers alone.
const LOOKED_AT: u64 = 5_000;
/// Links asked for at once while looking: the least, where most of them fit, and the most, where few do.
const CHUNK: (u64, u64) = (50, 500);
/// Targets of one status whose links are listed.
const TARGETS: u64 = 200;

/// What is asked for, in the crawl's own terms.
pub(super) struct Wish {
    pub(super) source: Option<String>,
    pub(super) target: Option<String>,
    pub(super) status: Option<u64>,
    pub(super) rel: Option<String>,
    pub(super) placement: Option<Wanted>,
    pub(super) scope: Option<Scope>,
}

impl Wish {
    /// Whether an index answers all of it.
    pub(super) fn is_indexed(&self) -> bool {
        let others = self.status.is_some() || self.rel.is_some() || self.placement.is_some() || self.scope.is_some();
        !others && (self.source.is_none() || self.target.is_none())
    }

    /// The narrowest index.
    pub(super) fn query<'a>(&self, cx: &'a Cx, run: &Id<Run>) -> sdk::Query<'a, Linked> {
        let links = cx.records::<Linked>();
        match (&self.source, &self.target) {
            (Some(source), _) => links.by("run_source").equals(run).equals(source),
            (None, Some(target)) => links.by("run_target").equals(run).equals(target),
            (None, None) => links.by("run").equals(run),
        }
    }

    /// The number that the run counted while it recorded links.
    pub(super) fn counted(&self, run: &Stored<Run>) -> Option<u64> {
        if self.source.is_some() || self.target.is_some() || self.status.is_some() || self.rel.is_some() {
            return None;
        }
        let scope = self.scope.map(|scope| if scope == Scope::Internal { "internal" } else { "external" });
        let place = self.placement.map(|it| placement(it).word());
        let fits = |key: &str| {
            key.split_once('.')
                .is_some_and(|(of, at)| scope.is_none_or(|scope| scope == of) && place.is_none_or(|place| place == at))
        };
        Some(run.0.link_counts.iter().filter(|(key, _)| fits(key)).map(|(_, count)| count).sum())
    }

    fn holds(&self, cx: &Cx, run: &str, link: &Linked, statuses: &mut Statuses) -> bool {
        let link = &link.0;
        self.target.as_ref().is_none_or(|target| *target == link.target)
            && self.placement.is_none_or(|it| placement(it) == link.placement)
            && self.scope.is_none_or(|scope| (scope == Scope::Internal) == link.internal)
            && self.rel.as_ref().is_none_or(|rel| link.rel.split(' ').any(|token| token == rel))
            && self
                .status
                .is_none_or(|status| statuses.of(cx, run, link.target.as_str(), link.internal) == Some(status))
    }
}

/// Statuses of targets, each looked up once.
#[derive(Default)]
pub(super) struct Statuses(std::collections::HashMap<String, Option<u64>>);

impl Statuses {
    pub(super) fn of(&mut self, cx: &Cx, run: &str, target: &str, internal: bool) -> Option<u64> {
        if let Some(known) = self.0.get(target) {
            return *known;
        }
        let status = if self.0.len() < 600 { status_of(cx, run, target, internal) } else { None };
        self.0.insert(target.to_owned(), status);
        status
    }
}

fn status_of(cx: &Cx, run: &str, target: &str, internal: bool) -> Option<u64> {
    let id = page_id(run, target);
    if internal {
        let row = cx.records::<Row>().find(&Id::new(id))?;
        return row.0.get("status").and_then(serde_json::Value::as_u64);
    }
    let external = cx.records::<External>().find(&Id::new(id))?;
    (external.0.state == "checked").then(|| u64::from(external.0.status))
}

fn placement(wanted: Wanted) -> Placement {
    match wanted {
        Wanted::Nav => Placement::Nav,
        Wanted::Header => Placement::Header,
        Wanted::Main => Placement::Main,
        Wanted::Aside => Placement::Aside,
        Wanted::Footer => Placement::Footer,
    }
}

pub(super) type Selection = (Vec<Linked>, Option<u64>, Option<Cursor>);

/// The links to every address of a status, address by address.
pub(super) fn by_status(cx: &Cx, run: &Id<Run>, wish: &Wish, limit: u64, cursor: Option<Cursor>) -> Result<Selection> {
    let status = wish.status.unwrap_or_default();
    let mut targets: Vec<String> = Vec::new();
    if wish.scope != Some(Scope::External) {
        let rows = cx.records::<Row>().by("run_status").equals(run).equals(status).page(TARGETS, None)?;
        targets.extend(rows.items.iter().filter_map(|row| row.0.get("url")?.as_str().map(str::to_owned)));
    }
    if wish.scope != Some(Scope::Internal) {
        let externals = cx.records::<External>().by("run_status").equals(run).equals(status).page(TARGETS, None)?;
        targets.extend(externals.items.into_iter().filter(|it| it.0.state == "checked").map(|it| it.it.0.url));
    }
    targets.truncate(usize::try_from(TARGETS).unwrap_or(usize::MAX));
    let from = match cursor {
        Some(cursor) => cursor
            .as_str()
            .strip_prefix("o:")
            .and_then(|text| text.parse::<usize>().ok())
            .ok_or_else(sdk::invalid_cursor)?,
        None => 0,
    };
    let mut statuses = Statuses::default();
    let wish = Wish {
        status: None,
        source: None,
        target: None,
        rel: wish.rel.clone(),
        placement: wish.placement,
        scope: wish.scope,
    };
    let (mut found, mut seen, mut looked) = (Vec::new(), 0_usize, 0_u64);
    for target in targets {
        for link in cx.records::<Linked>().by("run_target").equals(run).equals(&target).scan() {
            looked += 1;
            if looked > LOOKED_AT {
                break;
            }
            if wish.holds(cx, run.as_str(), &link.it, &mut statuses) {
                if seen >= from && (found.len() as u64) < limit {
                    found.push(link.into_inner());
                }
                seen += 1;
            }
        }
    }
    let end = from + found.len();
    let next = (end < seen).then(|| Cursor::new(format!("o:{end}")));
    Ok((found, (looked <= LOOKED_AT).then_some(seen as u64), next))
}

/// Goes through the links in chunks; a cursor is where a chunk began and how many of its links are done. All that fit
/// are counted when asked for, on the first page, and few enough to look at.
pub(super) fn looked_through(
    cx: &Cx,
    run: &Id<Run>,
    wish: &Wish,
    limit: u64,
    cursor: Option<Cursor>,
    count: bool,
) -> Result<Selection> {
    let to_count = count && cursor.is_none() && wish.query(cx, run).count() <= LOOKED_AT;
    let mut chunk = None;
    if let Some(cursor) = &cursor {
        let (done, at) = cursor.as_str().split_once(':').ok_or_else(sdk::invalid_cursor)?;
        let done: u64 = done.parse().map_err(|_| sdk::invalid_cursor())?;
        chunk = (!at.is_empty()).then(|| Cursor::new(at));
        if done > 0 {
            chunk = wish.query(cx, run).page(done.min(CHUNK.1), chunk)?.next;
            if chunk.is_none() {
                return Ok((Vec::new(), None, None));
            }
        }
    }
    let mut statuses = Statuses::default();
    let (mut found, mut matched, mut looked) = (Vec::new(), 0_u64, 0_u64);
    let mut next = None;
    loop {
        let few = to_count || matched * 2 < looked;
        let wanted = if few { CHUNK.1 } else { (limit - found.len() as u64).clamp(CHUNK.0, CHUNK.1) };
        let page = wish.query(cx, run).page(wanted, chunk.clone())?;
        for (at, link) in page.items.into_iter().enumerate() {
            looked += 1;
            if !wish.holds(cx, run.as_str(), &link.it, &mut statuses) {
                continue;
            }
            matched += 1;
            if (found.len() as u64) < limit {
                found.push(link.into_inner());
            } else if next.is_none() {
                next = Some(Cursor::new(format!("{at}:{}", chunk.as_ref().map_or("", Cursor::as_str))));
            }
        }
        let at_end = page.next.is_none();
        let is_full = found.len() as u64 == limit;
        if at_end || looked >= LOOKED_AT || (is_full && !to_count) {
            let total = (to_count && at_end).then_some(matched);
            let next = next.or_else(|| page.next.as_ref().map(|chunk| Cursor::new(format!("0:{}", chunk.as_str()))));
            return Ok((found, total, next));
        }
        chunk = page.next;
    }
}
