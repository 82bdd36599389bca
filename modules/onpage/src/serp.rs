//! What ranks for a query: a result page that a rank tracker or a clustering has stored, else one by the customer's DataForSEO
//! account.

use dataforseo::{Account, escaped, language_code, location_code};
use sdk::json;
use sdk::prelude::*;
use serps::{Page, Snapshot, SnapshotRecord};
use site::Site;

/// Results that are asked for.
const DEPTH: u32 = 20;
/// Days for which a stored page is new enough, and the fewest results that it has.
const MAX_AGE_DAYS: i32 = 30;
const MIN_RESULTS: usize = 10;

/// What ranks for a query.
#[value]
pub(crate) struct Serp {
    /// Addresses of organic results, the best first.
    pub(crate) urls: Vec<String>,
    /// Questions that people also ask.
    pub(crate) questions: Vec<String>,
    /// The day of the result page; none for pages that the caller named.
    #[serde(default)]
    pub(crate) date: Option<Day>,
}

/// The account that is asked, or 422 at `pointer`.
pub(crate) fn account<'a>(cx: &'a Cx, pointer: &str) -> Result<Account<'a>> {
    Account::required(cx, pointer, "without competitors the pages that rank are asked from DataForSEO")
}

/// The newest page of a query that is stored for a website, at most 30 days old, in this country and language.
pub(crate) fn stored(cx: &Cx, site: &Id<Site>, keyword: &str, country: Country, language: &Language) -> Option<Serp> {
    let normal = serps::normal(keyword, language.primary());
    let (country, oldest) = (country.to_string(), cx.now().day().plus(-MAX_AGE_DAYS));
    let fits = |it: &SnapshotRecord| {
        it.date >= oldest && it.is_of(&country, language.primary()) && it.items.len() >= MIN_RESULTS
    };
    let of_site = cx.records::<Snapshot>().by("site_id_keyword").equals(site).equals(&normal).scan();
    let newest = of_site.map(|it| it.into_inner().0).filter(fits).max_by_key(|it| it.date)?;
    Some(Serp {
        urls: newest.items.into_iter().map(|it| it.url).collect(),
        questions: newest.questions,
        date: Some(newest.date),
    })
}

/// Asks what ranks for a query in a country and language, on a desktop, now.
pub(crate) fn ask(
    cx: &Cx,
    account: &Account<'_>,
    keyword: &str,
    country: Country,
    language: &Language,
) -> Result<Serp> {
    let task = json!({ "keyword": escaped(keyword), "location_code": location_code(country),
        "language_code": language_code(language), "device": "desktop", "depth": DEPTH });
    let answer = account.ask("serp/google/organic/live/advanced", &task).map_err(|it| it.fault("/keyword"))?;
    let page = answer.results.first().map(Page::read).unwrap_or_default();
    let questions = page.questions().map(str::to_owned).collect();
    Ok(Serp { urls: page.results.into_iter().map(|it| it.url).collect(), questions, date: Some(cx.now().day()) })
}
