//! The pages of a link graph as the module `links` stores them, with the authority of each.

use sdk::prelude::*;
use serde::{Deserialize, Serialize};
use site::Site;

/// Graphs of a website that are looked at for one that was built.
const GRAPHS: usize = 20;
/// The largest part of a graph.
const PART: u32 = 8 << 20;

/// What stands between a page and the results of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// Nothing.
    #[default]
    Sound,
    /// It asks not to be indexed.
    Noindex,
    /// robots.txt forbids it.
    Blocked,
    /// It leads elsewhere.
    Moved,
    /// Its canonical is another page.
    Canonicalised,
    /// It answers 4xx, 5xx or not at all.
    Failing,
    /// It is a picture, a script or the like.
    NotDocument,
}

impl State {
    /// By the word that a crawl has for it.
    pub fn of(reason: &str) -> Self {
        match reason {
            "ok" => Self::Sound,
            "noindex" | "noindex_header" => Self::Noindex,
            "robots_blocked" => Self::Blocked,
            "redirect" | "meta_refresh" => Self::Moved,
            "canonicalised" => Self::Canonicalised,
            "not_document" => Self::NotDocument,
            _ => Self::Failing,
        }
    }
}

/// One page of a graph.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Its address, normalised.
    pub url: String,
    /// Its status.
    pub status: u16,
    /// What stands between it and the results of a search.
    pub state: State,
    /// The page that links to it count for; itself when absent.
    pub alias: Option<u32>,
    /// Whether a sitemap names it.
    pub in_sitemap: bool,
    /// Words of its main text.
    pub words: u32,
    /// Share of the authority of the website.
    pub authority: f64,
    /// Its score as a hub (HITS).
    pub hub: f32,
    /// Its score as an authority (HITS).
    pub hits: f32,
    /// Links from the home page; none where no way leads.
    pub depth: Option<u32>,
    /// Pages that hand authority on to it.
    pub inlinks: u32,
    /// Pages that it hands authority on to.
    pub outlinks: u32,
    /// Different texts of links to it.
    pub anchors: u32,
    /// The lowest number in its component.
    pub component: u32,
}

impl Node {
    /// Whether it stands for itself: neither moved nor canonicalised.
    pub const fn is_own(&self) -> bool {
        self.alias.is_none()
    }

    /// Whether search engines may show it.
    pub const fn is_sound(&self) -> bool {
        matches!(self.state, State::Sound) && self.alias.is_none()
    }
}

/// A link graph, as `links.graph.build` made it.
#[foreign(collection = "links.graphs", thing = "graph", may_be_missing, index(site_id, created_ms))]
#[derive(Default)]
#[serde(default)]
pub struct Graph {
    /// The website.
    pub site_id: String,
    /// When it was asked for.
    pub created_ms: u64,
    /// When it was built; none before that.
    pub finished_ms: Option<u64>,
    /// Blobs of pages.
    pub page_parts: u32,
}

/// The newest graph of a website that was built.
#[must_use]
pub fn newest(cx: &Cx, site: &Id<Site>) -> Option<Stored<Graph>> {
    let graphs = cx.records::<Graph>().by("site_id_created_ms").equals(site).descending();
    graphs.scan().take(GRAPHS).find(|it| it.finished_ms.is_some())
}

/// The pages of a graph, as another module reads them; `None` where a part of them cannot be read.
#[must_use]
pub fn pages(cx: &Cx, graph: &Stored<Graph>) -> Option<Vec<Node>> {
    let mut pages = Vec::new();
    for part in 0..graph.page_parts {
        let bytes = cx.blobs().read(&format!("links.graph/{}/pages/{part}", graph.id), 0, PART)?;
        pages.extend(postcard::from_bytes::<Vec<Node>>(&bytes).ok()?);
    }
    Some(pages)
}
