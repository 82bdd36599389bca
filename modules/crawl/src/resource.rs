//! The operation `crawl.resource.list`.

use kit::crawled::RunState;
use sdk::Degraded;
use sdk::prelude::*;

use crate::run;
use crate::stored::{Linked, Resource, ResourceKind, ResourceState, Run};

/// Resources that one call looks through when no index answers alone.
const LOOKED_AT: u64 = 5_000;
/// Asked for at once while looking.
const CHUNK: u64 = 500;

#[args(paged)]
pub(crate) struct ListArgs {
    /// The crawl.
    run_ref: Id<Run>,
    /// Only this kind.
    r#type: Option<ResourceKind>,
    /// Only those with at least so many bytes on the wire.
    min_bytes: Option<Count<0, 10_000_000_000>>,
    /// Only those that answered with this status; 0 is no answer.
    status: Option<Count<0, 599>>,
}

/// A resource.
#[value]
pub(crate) struct View {
    /// Its address.
    url: String,
    /// What it is.
    r#type: ResourceKind,
    /// Whether it is on the website.
    internal: bool,
    /// Whether it was asked for.
    state: ResourceState,
    /// The status of the answer; 0 without one.
    status: Option<u16>,
    /// Why there was no answer.
    failure: Option<String>,
    /// Bytes on the wire, when the server says.
    bytes: Option<u64>,
    /// The media type.
    content_type: Option<String>,
    /// What says how long it may be kept.
    cache: Cache,
    /// The compression that it was sent with.
    content_encoding: Option<String>,
    /// Whether it holds up the first paint of a page.
    blocking: bool,
    /// Pages that load it, or, of a document, links to it.
    used_by: u64,
    /// The first of them.
    pages: Vec<String>,
}

/// Headers of caches.
#[value]
pub(crate) struct Cache {
    /// `Cache-Control`.
    control: Option<String>,
    /// `max-age` of it in seconds.
    max_age: Option<u64>,
    /// `Expires`.
    expires: Option<String>,
    /// `ETag`.
    etag: Option<String>,
    /// `Last-Modified`.
    last_modified: Option<String>,
}

/// Resources of a crawl.
#[page]
pub(crate) struct Resources {
    /// In the order of what was asked: by size, by status, by kind.
    resources: Vec<View>,
    /// How many there are in all; null when there are too many to be looked through in one call.
    total: Option<u64>,
    /// When the crawl ended.
    ended_at: Option<Moment>,
    /// What was not asked for.
    degraded: Vec<Degraded>,
}

/// Lists images, scripts, style sheets, fonts and documents with size, type, cache headers, status and use.
///
/// Each is asked for its headers once at the end of a crawl, at most 2,000 of them, those on other hosts only when the
/// crawl checks external addresses. One of `type`, `min_bytes` and `status` alone is answered at any size; several
/// together look through 5,000 resources in one call and go on with the cursor.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    phrasings = ["which images are too heavy", "list broken images", "list pdf files on the site", "scripts without cache headers", "largest resources of my website"],
    examples = [{ "run_ref": "run_01", "type": "image", "min_bytes": 200000 }, { "run_ref": "run_01", "status": 404 }]
)]
pub(crate) fn list(cx: &Cx, args: ListArgs) -> Result<Resources> {
    let run = run::live(cx, &args.run_ref)?;
    let wish = Wish {
        kind: args.r#type,
        min_bytes: args.min_bytes.map(u64::from),
        status: args.status.map(|status| u16::try_from(u64::from(status)).unwrap_or(0)),
    };
    let limit = u64::from(args.limit);
    let (found, total, next_cursor) = if wish.is_indexed() {
        let total = wish.query(cx, &run.id).count();
        let page = wish.query(cx, &run.id).page(limit, args.cursor)?;
        (page.items.into_iter().map(Stored::into_inner).collect(), Some(total), page.next)
    } else {
        wish.looked_through(cx, &run.id, limit, args.cursor)?
    };
    let resources = found.into_iter().map(|it| view(cx, &run.id, it)).collect();
    Ok(Resources {
        resources,
        total,
        ended_at: run.0.finished_ms.map(Moment::from_millis),
        degraded: missing(cx, &run),
        next_cursor,
    })
}

/// What is asked for.
struct Wish {
    kind: Option<ResourceKind>,
    min_bytes: Option<u64>,
    status: Option<u16>,
}

type Selection = (Vec<Resource>, Option<u64>, Option<Cursor>);

impl Wish {
    /// Whether one index answers all of it.
    fn is_indexed(&self) -> bool {
        [self.kind.is_some(), self.min_bytes.is_some(), self.status.is_some()].into_iter().filter(|it| *it).count() <= 1
    }

    fn query<'a>(&self, cx: &'a Cx, run: &Id<Run>) -> sdk::Query<'a, Resource> {
        let resources = cx.records::<Resource>();
        match self {
            Wish { status: Some(status), .. } => resources.by("run_status").equals(run).equals(status),
            Wish { min_bytes: Some(bytes), .. } => resources.by("run_bytes").equals(run).at_least(bytes).descending(),
            Wish { kind: Some(kind), .. } => resources.by("run_kind").equals(run).equals(kind),
            _ => resources.by("run_kind").equals(run),
        }
    }

    fn holds(&self, it: &Resource) -> bool {
        self.kind.is_none_or(|kind| kind == it.kind)
            && self.min_bytes.is_none_or(|least| it.bytes.is_some_and(|bytes| bytes >= least))
            && self.status.is_none_or(|status| it.status == Some(status))
    }

    fn looked_through(&self, cx: &Cx, run: &Id<Run>, limit: u64, cursor: Option<Cursor>) -> Result<Selection> {
        let whole = cursor.is_none() && self.query(cx, run).count() <= LOOKED_AT;
        let (mut chunk, mut done) = match &cursor {
            None => (None, 0),
            Some(cursor) => {
                let (done, chunk) = cursor.as_str().split_once(':').ok_or_else(sdk::invalid_cursor)?;
                let done: usize = done.parse().map_err(|_| sdk::invalid_cursor())?;
                ((!chunk.is_empty()).then(|| Cursor::new(chunk)), done)
            }
        };
        let (mut found, mut matched, mut looked, mut next) = (Vec::new(), 0_u64, 0_u64, None);
        loop {
            let page = self.query(cx, run).page(CHUNK, chunk.clone())?;
            let here = chunk.as_ref().map_or("", Cursor::as_str).to_owned();
            for (at, it) in page.items.into_iter().enumerate().skip(done) {
                looked += 1;
                if !self.holds(&it) {
                    continue;
                }
                matched += 1;
                if (found.len() as u64) < limit {
                    found.push(it.into_inner());
                } else if next.is_none() {
                    next = Some(Cursor::new(format!("{at}:{here}")));
                }
            }
            let ended = page.next.is_none();
            if ended || looked >= LOOKED_AT || (next.is_some() && !whole) {
                let total = (whole && ended).then_some(matched);
                let next =
                    next.or_else(|| page.next.as_ref().map(|chunk| Cursor::new(format!("0:{}", chunk.as_str()))));
                return Ok((found, total, next));
            }
            (chunk, done) = (page.next, 0);
        }
    }
}

fn view(cx: &Cx, run: &Id<Run>, it: Resource) -> View {
    let document = it.pages == 0 && it.internal;
    let links = || cx.records::<Linked>().by("run_target").equals(run).equals(&it.url);
    let used_by = if document { links().count() } else { it.pages };
    let pages = if document {
        links()
            .page(5_u64, None)
            .map(|page| page.items.into_iter().map(|link| link.it.0.source).collect())
            .unwrap_or_default()
    } else {
        it.sample
    };
    let max_age = it.cache_control.as_deref().and_then(|control| {
        control.split(',').find_map(|part| part.trim().to_ascii_lowercase().strip_prefix("max-age=")?.parse().ok())
    });
    View {
        url: it.url,
        r#type: it.kind,
        internal: it.internal,
        state: it.state,
        status: it.status,
        failure: it.failure,
        bytes: it.bytes,
        content_type: it.content_type,
        cache: Cache {
            control: it.cache_control,
            max_age,
            expires: it.expires,
            etag: it.etag,
            last_modified: it.last_modified,
        },
        content_encoding: it.content_encoding,
        blocking: it.blocking,
        used_by,
        pages,
    }
}

fn missing(cx: &Cx, run: &Stored<Run>) -> Vec<Degraded> {
    let count = |state| cx.records::<Resource>().by("run_state").equals(&run.id).equals(state).count();
    let (waiting, left_out, robots) =
        (count(ResourceState::Waiting), count(ResourceState::LeftOut), count(ResourceState::Robots));
    let mut missing = Vec::new();
    if waiting > 0 {
        let why = if run.0.state == RunState::Running {
            "the crawl has not ended"
        } else {
            "the crawl asks for 2,000 at most"
        };
        missing.push(Degraded::new("resources", format!("{waiting} resources were not asked for: {why}")));
    }
    if left_out > 0 {
        missing.push(Degraded::new(
            "resources",
            format!("{left_out} resources on other hosts were not asked for: the crawl ran with `check_external` off"),
        ));
    }
    if robots > 0 {
        missing
            .push(Degraded::new("resources", format!("{robots} resources were not asked for: robots.txt forbids it")));
    }
    missing
}
