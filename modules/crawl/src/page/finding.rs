//! The operation `crawl.page.search`.

mod pattern;
mod ranked;

use sdk::Degraded;
use sdk::prelude::*;

use crate::run;
use crate::stored::Run;

#[args(paged)]
pub(crate) struct Search {
    /// The crawl.
    run_ref: Id<Run>,
    /// Words, a piece of text, or a regular expression of RE2's kind.
    query: Text<2, 200>,
    /// How it is looked for: by words and rank; as written; as an expression; or the pages that lack it as written.
    #[default("bm25")]
    mode: Mode,
    /// Where. Words are looked for in titles and texts together.
    #[serde(rename = "in")]
    #[default("text")]
    within: Field,
}

/// How something is looked for.
#[value]
pub(crate) enum Mode {
    Bm25,
    Literal,
    Regex,
    Absent,
}

/// Where something is looked for.
#[value]
pub(crate) enum Field {
    Text,
    Html,
    Title,
    Headings,
}

/// A page that was found.
#[value]
pub(crate) struct Hit {
    /// The page.
    pub(super) url: String,
    /// Its title.
    pub(super) title: String,
    /// How well it fits, by BM25.
    pub(super) score: Option<f64>,
    /// The text around the first match.
    pub(super) snippet: String,
    /// How often it matches; 0 for a page that lacks what was looked for.
    pub(super) count: u64,
}

/// Pages that were found.
#[page]
pub(crate) struct Hits {
    /// By rank, or in the order of fetching.
    hits: Vec<Hit>,
    /// Pages that match in all, when all were looked through.
    total: Option<u64>,
    /// Pages that were looked through in this call.
    looked_at: u64,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Searches the text of crawled pages by rank, or finds pages that hold or lack a piece of text or HTML.
///
/// `bm25` ranks all pages of a crawl that has ended, at any size: k1 1.2, b 0.75, words stemmed in the language that most
/// pages declare. The other modes read pages one after the other, up to some 4 MiB in one call, and go on with the cursor;
/// case counts, unless an expression begins with `(?i)`.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    phrasings = ["find pages that mention a word", "search my site's text", "which pages lack the tracking snippet", "find pages whose html matches a pattern", "grep the crawled pages"],
    examples = [
        { "run_ref": "run_01", "query": "delivery times" },
        { "run_ref": "run_01", "query": "gtag(", "mode": "absent", "in": "html" }
    ]
)]
pub(crate) fn search(cx: &Cx, args: Search) -> Result<Hits> {
    let run = run::live(cx, &args.run_ref)?;
    let limit = usize::try_from(u64::from(args.limit)).unwrap_or(usize::MAX);
    let query = args.query.as_str();
    if args.mode != Mode::Bm25 {
        let test = pattern::Test::of(args.mode, query)?;
        return pattern::look(cx, &run, &test, args.within, limit, args.cursor);
    }
    if args.within != Field::Text {
        let message = "words are ranked in titles and texts together; `literal` and `regex` look into one field";
        return Err(Fault::invalid("/in", "field_not_ranked", message));
    }
    ranked::look(cx, &run, query, limit, args.cursor)
}

/// Some 160 characters around a place in a text.
fn around(text: &str, start: usize) -> String {
    let from = text.floor_char_boundary(start.saturating_sub(80));
    let to = text.ceil_char_boundary((start + 80).min(text.len()));
    kit::text::collapse(&text[from..to])
}
