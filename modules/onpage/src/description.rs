//! The operation `onpage.description.suggest`; `pick` takes the sentences.

mod pick;

use kit::glyphs;
use kit::statistics::round;
use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;
use sdk::serde_json::json;
use sdk::{Llm, Prompt};

use crate::live;
use crate::snippet::DESCRIPTION;
use crate::suggest::{Ground, Origin};
use crate::target::{self, KeywordSource};
use crate::title::left_out_of;
use site::live::Seen;

/// Narrower descriptions leave most of their room unused, in pixels.
const NARROW: f64 = 430.0;

#[args]
pub(crate) struct Suggest {
    url: Url,
    /// What the page should be found for; the query that brings it the most clicks when it is left out, where Search Console
    /// tells one.
    keyword: Option<Text<0, 120>>,
    /// At most this many.
    #[default(3)]
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
    descriptions: Vec<Description>,
    source: Origin,
    /// What they are written for; null when nothing told it.
    keyword: Option<String>,
    keyword_source: KeywordSource,
    /// The language model that wrote them.
    model: Option<String>,
    /// The present description, judged in the same way.
    present: Option<Description>,
    language: String,
    page: Seen,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// A description and how good it is.
#[value]
pub(crate) struct Description {
    text: String,
    /// Width at 14 px, in pixels; 920 are shown on a desktop.
    px: f64,
    /// From 0 to 100: the query's words 50, the sentences' rank in the page 25, the room 25.
    score: u32,
}

/// Proposes meta descriptions by picking and trimming the most query-relevant sentences of the page (extractive, TextRank),
/// or by LLM, within pixel limits.
///
/// Sentences are the page's own, alone or two together in their order, trimmed at a clause when they are too wide. What a
/// language model writes is kept only when it fits, names no address and no number that the page does not.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 3),
    needs = ["web", "connection:llm?"],
    outside = [llm],
    phrasings = [
        "suggest a meta description for my page",
        "write a description for this url",
        "which sentences of the page make a good snippet",
        "my meta description is missing",
    ],
    examples = [
        { "url": "https://shop.example/guides/lamps", "keyword": "brass lamp" },
        { "url": "https://shop.example/guides/lamps", "count": 2, "use_llm": true }
    ]
)]
pub(crate) fn suggest(cx: &Cx, args: Suggest) -> Result<Suggested> {
    let llm = args
        .use_llm
        .then(|| Llm::connect(cx, "/use_llm", "use_llm asks your language model", args.model.as_deref()))
        .transpose()?;
    let page = live::page(cx, &args.url, "/url")?;
    let website = site::of(cx, &page.facts.final_url);
    let (keyword, keyword_source) = target::of(cx, website.as_ref(), &page.facts.final_url, args.keyword.as_deref());
    let ground = Ground::new(&page, keyword.as_deref());
    let mut degraded = Vec::new();
    let count = usize::from(args.count);
    let mut written = Vec::new();
    if let Some(llm) = &llm {
        let mut left_out = Vec::new();
        for text in asked(cx, llm, &ground, count)? {
            match ground.checked(&text).and_then(fits) {
                Ok(text) => pick::keep(&mut written, judge(&ground, &text, 0.8)),
                Err(why) => left_out.push(why.to_owned()),
            }
        }
        if let Some(missing) = left_out_of(left_out) {
            degraded.push(missing);
        }
    }
    let source = if written.is_empty() { Origin::Page } else { Origin::Llm };
    let mut descriptions = if written.is_empty() { pick::descriptions(&ground) } else { written };
    descriptions.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.text.cmp(&b.text)));
    descriptions.truncate(count);
    if descriptions.is_empty() {
        let why = "the page's content has no sentence that fits; use_llm can write one";
        degraded.push(Degraded::new("descriptions", why));
    }
    let next = descriptions.first().map(|it| {
        let preview =
            json!({ "title": kit::text::clip(page.title(), 300), "description": it.text, "url": page.facts.final_url });
        Fix::new("onpage.snippet.preview", preview).because("shows how the best description looks in search results")
    });
    Ok(Suggested {
        present: Some(page.description()).filter(|it| !it.is_empty()).map(|it| judge(&ground, it, 0.8)),
        model: llm.filter(|_| source == Origin::Llm).map(|it| it.model),
        descriptions,
        source,
        keyword,
        keyword_source,
        language: ground.language.clone(),
        next: next.into_iter().collect(),
        page: page.seen(),
        degraded,
    })
}

/// What the language model proposes: more than is wanted, since not all will do.
fn asked(cx: &Cx, llm: &Llm, ground: &Ground, count: usize) -> Result<Vec<String>> {
    #[value]
    struct Written {
        descriptions: Vec<String>,
    }
    let wanted = (count * 2).min(10);
    let prompt = Prompt::new(format!(
        "Write {wanted} different meta descriptions for a web page, in its language, each of one or two whole sentences and \
         at most 150 characters. Say what the page offers, use the target query's words when there is one, and use neither \
         quotation marks nor addresses."
    ))
    .data(&ground.material());
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["descriptions"],
        "properties": { "descriptions": { "type": "array", "minItems": wanted, "items": {
            "type": "string", "description": "at most 150 characters"
        } } }
    });
    let written: Written = llm.ask(cx, &prompt, "descriptions", &schema)?;
    Ok(written.descriptions.into_iter().take(20).collect())
}

fn fits(text: String) -> Result<String, &'static str> {
    match px(&text) {
        wide if wide > DESCRIPTION.desktop.1 => Err("too_wide"),
        _ if text.chars().count() < 20 => Err("too_short"),
        _ => Ok(text),
    }
}

/// A description with its score; `rank` is how central it is to the page, from 0 to 1.
fn judge(ground: &Ground, text: &str, rank: f64) -> Description {
    let wide = px(text);
    let room = match wide / DESCRIPTION.desktop.1 {
        share if share > 1.0 => 0.0,
        _ if wide < NARROW => wide / NARROW * 0.6,
        _ => 1.0,
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
    let score = (50.0 * ground.coverage(text) + 25.0 * rank.clamp(0.0, 1.0) + 25.0 * room).round() as u32;
    Description { text: text.to_owned(), px: round(wide, 1), score }
}

/// Width in pixels as results show it.
fn px(text: &str) -> f64 {
    glyphs::width(text, DESCRIPTION.desktop.0)
}

#[cfg(test)]
mod tests;
