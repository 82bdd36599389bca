//! The operation `onpage.title.suggest`; `write` puts titles together.

mod write;

use kit::glyphs;
use sdk::Basis;
use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;
use sdk::serde_json::json;
use sdk::{Llm, Prompt};

use crate::live;
use crate::siblings;
use crate::snippet::TITLE;
use crate::suggest::{Ground, Origin};
use crate::target::{self, KeywordSource};
use site::live::Seen;
use write::Judge;

#[args]
pub(crate) struct Suggest {
    url: Url,
    /// What the page should be found for. When it is left out, the query that brings the page the most clicks, where Search
    /// Console tells one; else the page's own main heading leads.
    keyword: Option<Text<0, 120>>,
    /// At most this many.
    #[default(5)]
    count: Count<1, 10>,
    /// Lets the customer's language model write them.
    #[default(false)]
    use_llm: bool,
    /// Which of the language model's models; one that fits when it is left out.
    model: Option<Text<1, 128>>,
}

#[value]
pub(crate) struct Suggested {
    /// The best first.
    titles: Vec<Title>,
    source: Origin,
    /// What they are written for; null when nothing told it.
    keyword: Option<String>,
    keyword_source: KeywordSource,
    /// The language model that wrote them.
    model: Option<String>,
    /// The present title, judged in the same way.
    present: Option<Title>,
    language: String,
    page: Seen,
    /// The crawl whose pages it was compared with; null without one.
    basis: Option<Basis>,
    /// Pages of it that were compared.
    site_pages: u64,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// A title and what speaks for it.
#[value]
pub(crate) struct Title {
    text: String,
    /// Width at 20 px, in pixels; 580 are shown on a desktop.
    px: f64,
    /// From 0 to 100.
    score: u32,
    reasons: Vec<String>,
}

/// Proposes page titles that fit 580 px, lead with the target query and differ from sibling titles, from templates over page
/// facts or from the LLM connection, scored and ranked.
///
/// Templates join what stands on the page and add no words, so they suit every language. What a language model writes is
/// kept only when it fits, names no address and no number that the page does not. Siblings are the titles of the newest crawl
/// of the website that the address belongs to.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 3),
    needs = ["web", "connection:llm?"],
    outside = [llm],
    phrasings = [
        "suggest a better title for my page",
        "write a title tag for this url",
        "title ideas for a keyword",
        "my title is too long, what else could it be",
    ],
    examples = [
        { "url": "https://shop.example/guides/lamps", "keyword": "brass lamp" },
        { "url": "https://shop.example/guides/lamps", "keyword": "brass lamp", "count": 3, "use_llm": true }
    ]
)]
pub(crate) fn suggest(cx: &Cx, args: Suggest) -> Result<Suggested> {
    let llm = args
        .use_llm
        .then(|| Llm::connect(cx, "/use_llm", "use_llm asks your language model", args.model.as_deref()))
        .transpose()?;
    let page = live::page(cx, &args.url, "/url")?;
    let mut degraded = Vec::new();
    let website = site::of(cx, &page.facts.final_url);
    let siblings = siblings::of(cx, website.as_ref()).map_err(|missing| degraded.push(missing)).ok();
    let (keyword, keyword_source) = target::of(cx, website.as_ref(), &page.facts.final_url, args.keyword.as_deref());
    let ground = Ground::new(&page, keyword.as_deref());
    let others = siblings.as_ref().map(|it| it.rows.as_slice()).unwrap_or_default();
    let judge = Judge::new(&ground, others);
    let count = usize::from(args.count);
    let mut written = Vec::new();
    if let Some(llm) = &llm {
        let (kept, left_out) = judge.rank(asked(cx, llm, &ground, count)?, true);
        if let Some(missing) = left_out_of(left_out) {
            degraded.push(missing);
        }
        written = kept;
    }
    let source = if written.is_empty() { Origin::Page } else { Origin::Llm };
    let mut titles = if written.is_empty() { judge.rank(write::titles(&ground), false).0 } else { written };
    titles.truncate(count);
    if titles.is_empty() {
        let why = "the page has no words that make a title within 580 px; give a keyword";
        degraded.push(Degraded::new("titles", why));
    }
    let next = titles.first().map(|it| {
        let mut preview = json!({ "title": it.text, "url": page.facts.final_url });
        if let Some(keyword) = &keyword {
            preview["keyword"] = json!(keyword);
        }
        Fix::new("onpage.snippet.preview", preview).because("shows how the best title looks in search results")
    });
    Ok(Suggested {
        present: Some(page.title()).filter(|it| !it.is_empty()).map(|it| judge.title(it)),
        model: llm.filter(|_| source == Origin::Llm).map(|it| it.model),
        titles,
        source,
        keyword,
        keyword_source,
        language: ground.language.clone(),
        site_pages: siblings.as_ref().map_or(0, |it| it.rows.len() as u64),
        basis: siblings.map(|it| it.basis),
        next: next.into_iter().collect(),
        page: page.seen(),
        degraded,
    })
}

/// What the language model proposes: more than is wanted, since not all will do.
fn asked(cx: &Cx, llm: &Llm, ground: &Ground, count: usize) -> Result<Vec<String>> {
    #[value]
    struct Written {
        titles: Vec<String>,
    }
    let wanted = (count * 2).min(12);
    let prompt = Prompt::new(format!(
        "Write {wanted} different titles for a web page, in its language, each at most 58 characters. Begin with the target \
         query when there is one, say what the page offers, and use neither quotation marks nor addresses."
    ))
    .data(&ground.material());
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["titles"],
        "properties": { "titles": { "type": "array", "minItems": wanted, "items": {
            "type": "string", "description": "at most 58 characters"
        } } }
    });
    let written: Written = llm.ask(cx, &prompt, "titles", &schema)?;
    Ok(written.titles.into_iter().take(20).collect())
}

/// What was left out of a model's proposals, and why.
pub(crate) fn left_out_of(reasons: Vec<String>) -> Option<Degraded> {
    let why = format!("{} proposals were left out: {}", reasons.len(), reasons.join(", "));
    (!reasons.is_empty()).then(|| Degraded::new("llm_proposals", kit::text::clip(&why, 400)))
}

/// Width in pixels as results show it.
fn px(text: &str) -> f64 {
    glyphs::width(text, TITLE.desktop.0)
}

#[cfg(test)]
mod tests;
