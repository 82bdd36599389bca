//! What jobs look at outside: result pages of a search engine, and pages with their content.

use dataforseo::{Account, Refusal, language_code, location_code};
use kit::number::as_number;
use kit::page::PageFacts;
use sdk::prelude::*;
use sdk::serde_json::json;
use sdk::{Failure, Request};

/// Why an account is needed.
pub(crate) const WHY: &str = "search results come from DataForSEO, which is asked by your own account";
const ENDPOINT: &str = "serp/google/organic/live/advanced";
/// What a question is reckoned to cost for each ten results before the first answer, in millionths of a dollar, as documented in
/// 2026-11: two thousandths, and five times that with search operators.
const TEN_MICROS: u64 = 10_000;
/// Pages that are fetched together.
pub(crate) const TOGETHER: usize = 8;

/// What searches cost so far.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Spent {
    pub(crate) micros: u64,
    pub(crate) questions: u64,
}

impl Spent {
    /// Whether the next question may cost more than is left of a cap: by the mean of those before, the first time by the documented
    /// price.
    pub(crate) fn is_beyond(&self, cap: Option<f64>, depth: u64) -> bool {
        let next = self.micros.checked_div(self.questions).unwrap_or(TEN_MICROS * depth.div_ceil(10));
        cap.is_some_and(|cap| as_number(self.micros + next) > cap * 1e6)
    }
}

/// Asks a search engine for so many results.
///
/// # Errors
/// See [`Refusal`].
pub(crate) fn search(
    account: &Account<'_>,
    spent: &mut Spent,
    query: &str,
    country: Country,
    language: &Language,
    depth: u64,
) -> Result<Vec<serps::Result>, Refusal> {
    let task = json!({
        "keyword": dataforseo::escaped(query),
        "location_code": location_code(country),
        "language_code": language_code(language),
        "device": "desktop",
        "depth": depth,
    });
    let answer = account.ask(ENDPOINT, &task)?;
    (spent.micros, spent.questions) = (spent.micros + answer.cost_micros, spent.questions + 1);
    Ok(answer.results.first().map(|it| serps::Page::read(it).results).unwrap_or_default())
}

/// A page that was read.
pub(crate) struct Read {
    pub(crate) facts: PageFacts,
    /// Its content: paragraphs, one a line.
    pub(crate) content: String,
}

/// What came of a page.
pub(crate) enum Came {
    Page(Box<Read>),
    /// Its host asks for a pause.
    Paced,
    /// It may not be read, did not answer well, or is no HTML.
    Not,
}

/// Fetches some pages together, in their order.
pub(crate) fn pages(cx: &Cx, urls: &[&str]) -> Vec<Came> {
    let parsed: Vec<Option<Url>> = urls.iter().map(|it| it.parse().ok()).collect();
    let requests: Vec<Request> =
        parsed.iter().flatten().map(|url| site::live::request(url, site::live::Reach::bytes(1 << 20))).collect();
    let mut answers = cx.web().fetch_many(requests).into_iter();
    let each = urls.iter().zip(&parsed).map(|(url, parsed)| {
        let answer = parsed.as_ref().and_then(|_| answers.next());
        match answer {
            Some(Err(Failure::Paced(_))) => Came::Paced,
            None | Some(Err(_)) => Came::Not,
            Some(Ok(response)) if !response.is_success() => Came::Not,
            Some(Ok(response)) => match site::live::whole(url, &response) {
                (facts, Some(document)) => {
                    let content = content(&document.dom);
                    Came::Page(Box::new(Read { facts, content }))
                }
                _ => Came::Not,
            },
        }
    });
    each.collect()
}

/// The content of a page: its blocks, one a line.
fn content(dom: &kit::dom::Dom) -> String {
    kit::extract::plain(&kit::extract::blocks(dom, &kit::extract::content(dom)))
}
