//! The operation `crawl.redirect.list`.

use kit::crawled::page_id;
use sdk::prelude::*;
use serde_json::{Map, Value};

use crate::run;
use crate::stored::{External, Linked, Row, Run};

/// Redirects that one call looks through.
const LOOKED_AT: usize = 300;
/// Asked of the host in one call, well below the 1,000 that it allows.
const MOST_CALLS: u32 = 800;
/// Hops that are followed.
const MOST_HOPS: usize = 10;

#[args(paged)]
pub(crate) struct ListArgs {
    /// The crawl.
    run_ref: Id<Run>,
    /// Only redirects of this kind.
    kind: Option<Kind>,
}

/// What a redirect can be; one may be several.
#[value]
pub(crate) enum Kind {
    /// One hop.
    Single,
    /// Two hops or more.
    Chain,
    /// It comes back to an address it has been at.
    Loop,
    /// One of its hops is 302, 303 or 307.
    Temporary,
    /// One of its hops is made by markup.
    MetaRefresh,
    /// It ends at an address without an answer, with 4xx or 5xx.
    ToError,
}

/// One hop.
#[value]
pub(crate) struct HopView {
    /// The address that leads on.
    url: String,
    /// Its status; 200 for a meta refresh.
    status: u64,
    /// Where it leads.
    to: String,
}

/// A redirect with all that follows from it.
#[value]
pub(crate) struct Redirect {
    /// Where it begins.
    from: String,
    /// Every hop, in order.
    hops: Vec<HopView>,
    /// Where it ends.
    r#final: String,
    /// The status there; null when the crawl did not ask there, 0 without an answer.
    status: Option<u64>,
    /// What it is.
    kinds: Vec<Kind>,
    /// Whether permanent and temporary hops are mixed.
    mixed: bool,
    /// Links of the crawl that still lead to where it begins.
    inlinks: u64,
    /// What shows the links to change.
    fix: Option<sdk::Fix>,
}

/// Redirects of a crawl.
#[page]
pub(crate) struct Redirects {
    /// Redirects by status, then meta refreshes.
    redirects: Vec<Redirect>,
    /// How many there are in all; null with `kind`.
    total: Option<u64>,
}

/// Lists redirects, chains, loops and meta refreshes with where they end and the links that still point at them.
///
/// Redirects are followed through what the crawl recorded, up to 10 hops. With `kind` up to 300 redirects are looked
/// through in one call; go on with the cursor. `fix` names the operation that lists the links to be changed.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    phrasings = ["list redirect chains", "find redirect loops", "which internal links point at redirects", "temporary redirects of the site", "redirects that end in 404"],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "kind": "chain", "limit": 100 }]
)]
pub(crate) fn list(cx: &Cx, args: ListArgs) -> Result<Redirects> {
    let run = run::live(cx, &args.run_ref)?;
    let limit = usize::try_from(u64::from(args.limit)).unwrap_or(usize::MAX);
    let (mut part, mut chunk, mut done) = match &args.cursor {
        None => (Part::Http, None, 0),
        Some(cursor) => place(cursor)?,
    };
    let mut following = Following { cx, run: run.id.as_str(), calls: 0 };
    let (mut redirects, mut looked) = (Vec::new(), 0);
    let next_cursor = 'all: loop {
        let page = part.query(cx, &run.id).page(100_u64, chunk.clone())?;
        for (at, row) in page.items.into_iter().enumerate().skip(done) {
            if redirects.len() == limit || looked == LOOKED_AT || following.calls > MOST_CALLS {
                break 'all Some(part.cursor(at, chunk.as_ref()));
            }
            looked += 1;
            let Some(redirect) = following.follow(row.it.0) else { continue };
            if args.kind.is_none_or(|kind| redirect.kinds.contains(&kind)) {
                redirects.push(following.with_links(redirect));
            }
        }
        (chunk, done) = (page.next, 0);
        if chunk.is_none() {
            match part {
                Part::Http => part = Part::Refresh,
                Part::Refresh => break None,
            }
        }
    };
    let total = || [Part::Http, Part::Refresh].iter().map(|part| part.query(cx, &run.id).count()).sum();
    Ok(Redirects { redirects, total: args.kind.is_none().then(total), next_cursor })
}

/// The two lists that follow each other.
#[derive(Clone, Copy)]
enum Part {
    Http,
    Refresh,
}

impl Part {
    fn query<'a>(self, cx: &'a Cx, run: &Id<Run>) -> sdk::Query<'a, Row> {
        let rows = cx.records::<Row>();
        match self {
            Part::Http => rows.by("run_status").equals(run).at_least(300).below(400),
            Part::Refresh => rows.by("run_moved_by").equals(run).equals("meta_refresh"),
        }
    }

    fn cursor(self, done: usize, chunk: Option<&Cursor>) -> Cursor {
        let part = if matches!(self, Part::Http) { "r" } else { "m" };
        Cursor::new(format!("{part}:{done}:{}", chunk.map_or("", Cursor::as_str)))
    }
}

fn place(cursor: &Cursor) -> Result<(Part, Option<Cursor>, usize)> {
    let mut parts = cursor.as_str().splitn(3, ':');
    let part = match parts.next() {
        Some("r") => Part::Http,
        Some("m") => Part::Refresh,
        _ => return Err(sdk::invalid_cursor()),
    };
    let done = parts.next().and_then(|done| done.parse().ok()).ok_or_else(sdk::invalid_cursor)?;
    let chunk = parts.next().filter(|chunk| !chunk.is_empty()).map(Cursor::new);
    Ok((part, chunk, done))
}

struct Following<'a> {
    cx: &'a Cx,
    run: &'a str,
    calls: u32,
}

impl Following<'_> {
    fn follow(&mut self, row: Map<String, Value>) -> Option<Redirect> {
        let from = text(&row, "url")?;
        let mut hops: Vec<HopView> = Vec::new();
        let (mut at, mut row) = (from.clone(), Some(row));
        let (mut circle, mut refreshes, mut status) = (false, false, None);
        while let Some(current) = row {
            status = current.get("status").and_then(Value::as_u64);
            let refresh = text(&current, "meta_refresh").filter(|to| *to != at);
            refreshes |= refresh.is_some() && !current.contains_key("redirect_to");
            let Some(to) = text(&current, "redirect_to").or(refresh) else { break };
            hops.push(HopView { url: at.clone(), status: status.unwrap_or(0), to: to.clone() });
            circle = hops.iter().any(|hop| hop.url == to);
            at = to;
            status = None;
            if circle || hops.len() == MOST_HOPS {
                break;
            }
            self.calls += 1;
            row = self.cx.records::<Row>().find(&Id::new(page_id(self.run, &at))).map(|row| row.it.0);
        }
        if hops.is_empty() {
            return None;
        }
        if status.is_none() && !circle {
            self.calls += 1;
            let external = self.cx.records::<External>().find(&Id::new(page_id(self.run, &at)));
            status = external.filter(|it| it.0.state == "checked").map(|it| u64::from(it.0.status));
        }
        let temporary = |hop: &HopView| matches!(hop.status, 302 | 303 | 307);
        let permanent = |hop: &HopView| matches!(hop.status, 301 | 308);
        let mixed = hops.iter().any(temporary) && hops.iter().any(permanent);
        let kinds = [
            (Kind::Single, hops.len() == 1 && !circle),
            (Kind::Chain, hops.len() > 1 && !circle),
            (Kind::Loop, circle),
            (Kind::Temporary, hops.iter().any(temporary)),
            (Kind::MetaRefresh, refreshes),
            (Kind::ToError, status.is_some_and(|status| status == 0 || status >= 400)),
        ];
        let kinds = kinds.into_iter().filter(|(_, is)| *is).map(|(kind, _)| kind).collect();
        Some(Redirect { from, hops, r#final: at, status, kinds, mixed, inlinks: 0, fix: None })
    }

    fn with_links(&mut self, mut redirect: Redirect) -> Redirect {
        self.calls += 1;
        let links = self.cx.records::<Linked>().by("run_target").equals(self.run).equals(&redirect.from);
        redirect.inlinks = links.count();
        redirect.fix = (redirect.inlinks > 0).then(|| {
            let links = sdk::json!({ "run_ref": self.run, "target": redirect.from, "limit": 100 });
            sdk::Fix::new("crawl.link.list", links)
        });
        redirect
    }
}

fn text(row: &Map<String, Value>, name: &str) -> Option<String> {
    row.get(name).and_then(Value::as_str).map(str::to_owned)
}
