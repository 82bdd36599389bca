//! The graph that a result rests on, how old it is, and the refusals when there is none.

use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, json};
use search::Clicks;

use crate::node::MOST_BYTES;
use crate::stored::{Graph, GraphState};
use site::{Run, Site};

/// The clicks of the website's pages from searches, and what is to be said when there are none.
pub(crate) fn clicks(cx: &Cx, site: &str) -> (Option<Clicks>, Option<Degraded>) {
    let clicks = Clicks::newest(cx, &Id::new(site));
    let why = "no search figures of this website are stored; authority and the length of texts weigh instead";
    let sync = json!({ "site_id": site });
    let missing = clicks.is_none().then(|| Degraded::new("clicks", why).supplied_by("search_console.sync.run", sync));
    (clicks, missing)
}

/// The crawl that a graph was built from.
pub(crate) fn of(cx: &Cx, graph: &Graph) -> Basis {
    Basis::of_run(graph.run_ref.as_str(), Moment::from_millis(graph.crawled_ms), cx.now(), graph.complete)
}

/// The newest graph of a crawl that can be read.
///
/// # Errors
/// 404 for a crawl that is not the customer's, 409 `graph_not_built` with the call that builds it.
pub(crate) fn graph(cx: &Cx, run: &Id<Run>) -> Result<Stored<Graph>> {
    cx.records::<Run>().get(run).map_err(|fault| fault.at("/run_ref"))?;
    let graphs = cx.records::<Graph>().by("run_ref_created_ms").equals(run).descending();
    let ready = graphs.scan().take(20).find(|graph| graph.state == GraphState::Ready);
    ready.ok_or_else(|| not_built("/run_ref", &Fix::new("links.graph.build", json!({ "run_ref": run }))))
}

/// The newest graph of a website that can be read.
///
/// # Errors
/// 404 for a website that is not the customer's, 409 `graph_not_built` with the call that comes first.
pub(crate) fn newest(cx: &Cx, site: &Id<Site>) -> Result<Stored<Graph>> {
    site::get(cx, site)?;
    let graphs = cx.records::<Graph>().by("site_id_created_ms").equals(site).descending();
    let ready = graphs.scan().take(20).find(|graph| graph.state == GraphState::Ready);
    ready.ok_or_else(|| {
        let first = match site::newest(cx, site) {
            Some(run) => Fix::new("links.graph.build", json!({ "run_ref": run.id })),
            None => Fix::new("crawl.run.start", json!({ "site_id": site })),
        };
        not_built("/site_id", &first)
    })
}

fn not_built(pointer: &str, first: &Fix) -> Fault {
    let message = format!("there is no link graph to read yet; call {} first", first.operation_id);
    Fault::conflict("graph_not_built", message)
        .at(pointer)
        .detail(json!({ "operation_id": first.operation_id, "arguments": first.arguments }))
}

/// Refuses a graph whose links are more than one read can look at.
pub(crate) fn readable(graph: &Graph) -> Result<()> {
    if graph.bytes <= MOST_BYTES {
        return Ok(());
    }
    let message = "the links of this crawl are more than one call can look at; crawl a part of the website for this";
    Err(Fault::conflict("graph_too_large", message)
        .at("/run_ref")
        .detail(json!({ "bytes": graph.bytes, "most_bytes": MOST_BYTES })))
}
