//! The operation `ai_visibility.ai_overview.check`.
//!
//! Source: docs.dataforseo.com/v3/serp/google/organic/live/advanced (`load_async_ai_overview`, items of the type `ai_overview`).

use dataforseo::{Account, Answer as Told, Refusal, escaped, money};
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Answer, Degraded, Money, Next, json};
use serps::normal_address;
use site::Site;

use crate::citation::Domains;

/// Results that are looked through.
const DEPTH: u32 = 20;
/// Questions at a time.
const TOGETHER: usize = 8;
/// Milliseconds after which no more are asked.
const ENOUGH_MS: u64 = 55_000;

#[args]
pub(crate) struct Check {
    /// What is searched for.
    keywords: List<Text<1, 200>, 1, 20>,
    /// The place of the search as DataForSEO names it: `London,England,United Kingdom`, or a country.
    location: Text<2, 120>,
    /// The language of the search.
    language: Language,
    /// The website.
    site_id: Id<Site>,
}

/// A page that the overview cites.
#[value]
pub(crate) struct Cited {
    url: String,
    domain: String,
    title: Option<String>,
    own: bool,
    /// The brand of a competitor that it belongs to.
    competitor_brand: Option<String>,
    /// Its place among the organic results of the same page; null beyond the first 20.
    position: Option<u32>,
}

/// What was found for a query.
#[value]
pub(crate) struct Row {
    keyword: String,
    /// Whether an overview was shown.
    present: bool,
    /// Null where an overview was shown whose sources could not be read.
    cited: Option<Vec<Cited>>,
    /// Whether a page of the website is cited; null where that could not be read.
    own_cited: Option<bool>,
    /// The best organic place of the website; null beyond the first 20.
    own_position: Option<u32>,
}

/// Overviews.
#[value]
pub(crate) struct Checked {
    rows: Vec<Row>,
    /// Queries that had an overview.
    present: u64,
    /// Queries whose overview cites the website.
    own_cited: u64,
    /// Queries that there was no time for; `next` goes on with them.
    keywords_left: Vec<String>,
    provider_cost: Money,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Checks up to 20 queries for an AI overview through the SERP provider and reports presence, cited pages, own citations and organic positions of the cited pages.
///
/// One result page of Google is asked for each query, with the overview that Google loads afterwards, from the customer's DataForSEO
/// account, which pays for it.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = keywords, unit = "keywords"),
    needs = ["store", "connection:dataforseo"],
    outside = ["dataforseo POST /v3/serp/google/organic/live/advanced query"],
    phrasings = ["is there an AI overview for my keywords", "am I cited in google AI overviews", "who does the AI overview cite", "AI overview check"],
    examples = [
        { "site_id": "4503599627370496", "keywords": ["reading lamp"], "location": "United Kingdom", "language": "en" },
        { "site_id": "4503599627370496", "keywords": ["leselampe", "lampe kaufen"], "location": "Germany", "language": "de" },
    ]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Answer<Checked>> {
    let site = site::get(cx, &args.site_id)?;
    let account = Account::required(cx, "/keywords", "result pages are asked from DataForSEO")?;
    let domains = Domains::of(cx, &site);
    let mut keywords: Vec<String> = Vec::new();
    for keyword in args.keywords.iter() {
        let keyword = kit::text::collapse(keyword.as_str());
        if !keyword.is_empty() && !keywords.contains(&keyword) {
            keywords.push(keyword);
        }
    }
    let language = dataforseo::language_code(&args.language);
    let task = |keyword: &String| {
        json!({
            "keyword": escaped(keyword), "location_name": args.location, "language_code": language, "depth": DEPTH,
            "load_async_ai_overview": true,
        })
    };
    let (mut rows, mut cost, mut failed, mut refusal) = (Vec::new(), 0, 0_u64, None);
    let mut done = 0;
    for some in keywords.chunks(TOGETHER) {
        if cx.elapsed() > ENOUGH_MS {
            break;
        }
        let tasks: Vec<Value> = some.iter().map(task).collect();
        for (keyword, told) in some.iter().zip(account.ask_many("serp/google/organic/live/advanced", &tasks)) {
            match told {
                Ok(told) => {
                    cost += told.cost_micros;
                    rows.push(row(keyword, &told, &domains));
                }
                Err(refused) => {
                    failed += 1;
                    refusal.get_or_insert(refused);
                }
            }
        }
        done += some.len();
    }
    if rows.is_empty()
        && let Some(refusal) = &refusal
    {
        let pointer = if matches!(refusal, Refusal::Field(name) if name.starts_with("language")) {
            "/language"
        } else {
            "/location"
        };
        return Err(refusal.fault(pointer));
    }
    let mut degraded = Vec::new();
    if let Some(refusal) = refusal {
        degraded.push(Degraded::new(
            "rows",
            format!("{failed} queries have no answer: {}", refusal.fault("/keywords").message),
        ));
    }
    let left: Vec<String> = keywords.into_iter().skip(done).collect();
    let next = next(&site, &rows, &left, &args);
    let count = rows.len() as u64;
    let tell = |holds: fn(&Row) -> bool| rows.iter().filter(|it| holds(it)).count() as u64;
    let (present, own_cited) = (tell(|it| it.present), tell(|it| it.own_cited == Some(true)));
    let checked = Checked { rows, present, own_cited, keywords_left: left, provider_cost: money(cost), next, degraded };
    Ok(Answer::new(checked).units(count))
}

fn row(keyword: &str, told: &Told, domains: &Domains) -> Row {
    let page = told.results.first().map(serps::Page::read);
    let organic: Vec<(String, u32)> =
        page.iter().flat_map(|it| &it.results).filter_map(|it| Some((normal_address(&it.url)?, it.position))).collect();
    let own_position = page.iter().flat_map(|it| &it.results).find(|it| domains.is_own(&it.url)).map(|it| it.position);
    let overview = told.items().iter().find(|it| it["type"] == "ai_overview");
    let cited = overview.and_then(|it| {
        let references = it["references"].as_array().filter(|all| !all.is_empty())?;
        Some(references.iter().filter_map(|it| cited(it, &organic, domains)).collect::<Vec<_>>())
    });
    Row {
        keyword: keyword.to_owned(),
        present: overview.is_some(),
        own_cited: match (&cited, overview) {
            (Some(cited), _) => Some(cited.iter().any(|it| it.own)),
            (None, Some(_)) => None,
            (None, None) => Some(false),
        },
        cited: if overview.is_none() { Some(Vec::new()) } else { cited },
        own_position,
    }
}

fn cited(reference: &Value, organic: &[(String, u32)], domains: &Domains) -> Option<Cited> {
    let url = crate::run::sources::clean(reference["url"].as_str()?)?;
    let normal = normal_address(&url);
    let position = normal.and_then(|normal| organic.iter().find(|it| it.0 == normal)).map(|it| it.1);
    Some(Cited {
        domain: serps::registrable(&url)?,
        title: reference["title"].as_str().map(|it| kit::text::clip(it, 200).to_owned()),
        own: domains.is_own(&url),
        competitor_brand: domains.competitor(&url).map(str::to_owned),
        position,
        url,
    })
}

fn next(site: &Stored<Site>, rows: &[Row], left: &[String], args: &Check) -> Vec<Next> {
    let mut out = Vec::new();
    if !left.is_empty() {
        let rest =
            json!({ "site_id": site.id, "keywords": left, "location": args.location, "language": args.language });
        out.push(Next::new(
            "ai_visibility.ai_overview.check",
            rest,
            "goes on with the queries that there was no time for",
        ));
    }
    // Ranked and not cited: the page is found, and its passage is not taken.
    let missed = rows.iter().find(|it| it.own_cited == Some(false) && it.present && it.own_position.is_some());
    if let Some(row) = missed.filter(|it| it.keyword.chars().count() >= 5) {
        let arguments = json!({ "site_id": site.id, "prompt": row.keyword });
        out.push(Next::new(
            "ai_visibility.fanout.expand",
            arguments,
            "shows which passages of yours answer what the overview is made of",
        ));
    }
    out
}
