//! The operation `ai_visibility.referral.report`.
//!
//! Source: developers.google.com/analytics/devguides/reporting/data/v1 (runReport, dimensions and metrics, metadata).

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Degraded, Need, Next, Send, json};
use site::{Property, Site};

use crate::citation::{Domains, of_period};

/// What GA4 has to permit.
const NEED: Need = Need::consent("ga4", &["viewer of the property"]);
/// Rows of one report.
const ROWS: u64 = 50_000;
/// Pages that are told.
const PAGES: usize = 200;
/// Days that are reported when none are named, and the most.
const DAYS: i32 = 28;
const MAX_DAYS: i32 = 400;

/// Products and the words that their sources have.
const PRODUCTS: [(&str, &[&str]); 12] = [
    ("ChatGPT", &["chatgpt.com", "chat.openai.com", "openai.com", "chatgpt"]),
    ("Perplexity", &["perplexity"]),
    ("Gemini", &["gemini.google", "bard.google", "gemini"]),
    ("Copilot", &["copilot.microsoft", "copilot.com", "copilot"]),
    ("Claude", &["claude.ai", "claude"]),
    ("DeepSeek", &["deepseek"]),
    ("Mistral", &["mistral"]),
    ("Grok", &["grok", "x.ai"]),
    ("Meta AI", &["meta.ai"]),
    ("You.com", &["you.com"]),
    ("Phind", &["phind"]),
    ("Kagi", &["assistant.kagi"]),
];
/// The sources of assistants, as GA4 filters them.
const SOURCES: &str = r"(^|\.)(chatgpt|openai|perplexity|claude|deepseek|mistral|grok|phind)(\.|$)|gemini\.google|bard\.google|copilot|meta\.ai|^you\.com|assistant\.kagi|^gemini$";

#[args]
pub(crate) struct Report {
    /// The website.
    site_id: Id<Site>,
    /// The first day; 28 days in all when left out.
    from: Option<Day>,
    /// The last day; yesterday when left out.
    to: Option<Day>,
}

/// Visits.
#[value]
#[derive(Default)]
pub(crate) struct Visits {
    sessions: u64,
    engaged_sessions: u64,
    /// GA4's key events, which it called conversions before.
    key_events: f64,
}

/// An assistant.
#[value]
pub(crate) struct Product {
    product: String,
    #[serde(flatten)]
    visits: Visits,
    /// Its sources as GA4 names them.
    sources: Vec<String>,
}

/// A landing page.
#[value]
pub(crate) struct Page {
    url: String,
    visits: u64,
    key_events: f64,
    /// Answers of the period that cite the page.
    citations: u64,
    products: Vec<String>,
}

/// A day.
#[value]
pub(crate) struct OfDay {
    date: Day,
    sessions: u64,
}

/// The report.
#[value]
pub(crate) struct Reported {
    from: Day,
    to: Day,
    /// The property that was asked.
    property: String,
    /// By source; the one with the most visits first.
    products: Vec<Product>,
    /// The landing pages with the most visits, 200 at most.
    pages: Vec<Page>,
    series: Vec<OfDay>,
    total: Visits,
    /// What GA4 itself counts as its channel of AI assistants; null where the property has no such channel, or did not tell.
    ai_channel: Option<Visits>,
    /// Pages that answers cite and nobody came to, those with the most citations first.
    cited_without_visits: Vec<String>,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Reports visits and conversions from AI assistants by product and landing page from the GA4 connection, next to citations of the same pages.
///
/// A visit counts by its source, `utm_source` included. Applications that hand on no referrer are not seen: their visits stand under
/// (direct). Conversions are GA4's key events.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = 200, unit = "pages"),
    needs = ["store", "connection:ga4"],
    outside = ["ga4 POST /v1beta/properties/*:runReport query"],
    phrasings = ["traffic from chatgpt", "how many visits come from AI assistants", "which pages do AI assistants send people to", "conversions from perplexity"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "from": "2026-08-01", "to": "2026-08-31" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<sdk::Answer<Reported>> {
    let site = site::get(cx, &args.site_id)?;
    let to = args.to.unwrap_or_else(|| cx.now().day().plus(-1));
    let from = args.from.unwrap_or_else(|| to.plus(1 - DAYS));
    if from > to {
        return Err(Fault::invalid("/from", "reversed_period", "from is after to"));
    }
    if to.since_epoch() - from.since_epoch() >= MAX_DAYS {
        return Err(Fault::invalid("/from", "period_too_long", format!("a report is of {MAX_DAYS} days at most")));
    }
    let (connection, property) = property(cx, &site)?;
    let mut degraded = Vec::new();
    let by_source = json!({ "filter": { "fieldName": "sessionSource", "stringFilter": { "matchType": "PARTIAL_REGEXP", "value": SOURCES, "caseSensitive": false } } });
    let dimensions = ["date", "sessionSource", "sessionMedium", "landingPagePlusQueryString"];
    let rows = asked(cx, &connection, &property, from, to, &dimensions, &by_source, &mut degraded)?;
    let channel = channel(cx, &connection, &property, from, to, &mut degraded);
    let mut found = Gathered::default();
    rows.iter().for_each(|row| found.add(row));
    if rows.is_empty() {
        degraded.push(Degraded::new("products", "GA4 has no visit from an assistant in the period"));
    }
    degraded.push(Degraded::new(
        "apps",
        "visits from applications without a referrer stand under (direct) and cannot be told",
    ));
    let domains = Domains::of(cx, &site);
    let mut citations: BTreeMap<String, std::collections::BTreeSet<String>> = BTreeMap::new();
    for it in of_period(cx, &site, from, to, &mut degraded).iter().filter(|it| domains.is_own(&it.url)) {
        if let Some(url) = kit::url::normalize(&it.url) {
            citations.entry(url).or_default().insert(it.answer.clone());
        }
    }
    let (pages, cited_without_visits) = found.pages(&site, &citations, &mut degraded);
    let next = pages.first().map(|page| {
        Next::new(
            "onpage.eeat.check",
            json!({ "url": page.url }),
            "looks at the page that assistants send most people to",
        )
    });
    let count = pages.len() as u64;
    let reported = Reported {
        from,
        to,
        property,
        products: found.products(),
        series: found.days.iter().map(|(date, sessions)| OfDay { date: *date, sessions: *sessions }).collect(),
        total: found.total,
        pages,
        ai_channel: channel,
        cited_without_visits,
        next: next.into_iter().collect(),
        degraded,
    };
    Ok(sdk::Answer::new(reported).units(count))
}

/// The GA4 property of a website: the one that is mapped to it.
fn property(cx: &Cx, site: &Stored<Site>) -> Result<(String, String)> {
    let best = cx.connections().required(NEED, "/site_id", "visits are asked from Google Analytics")?;
    let held = cx.connections().of("ga4");
    let mapped = cx.records::<Property>().by("site_id_kind").equals(&site.id).equals("ga4").first();
    if let Some(mapped) = mapped.filter(|it| held.iter().any(|one| one.reference == it.connection_ref)) {
        return Ok((mapped.connection_ref.clone(), named(&mapped.remote_id)));
    }
    let fix = json!({ "operation_id": "connections.property.list", "arguments": { "connection_ref": best.reference } });
    let message =
        "which property of Google Analytics is this website's is not known; map it with connections.property.map";
    Err(Fault::conflict("property_not_mapped", message).at("/site_id").detail(fix))
}

fn named(property: &str) -> String {
    if property.starts_with("properties/") { property.to_owned() } else { format!("properties/{property}") }
}

#[expect(clippy::too_many_arguments, reason = "one report of the provider")]
fn asked(
    cx: &Cx,
    connection: &str,
    property: &str,
    from: Day,
    to: Day,
    dimensions: &[&str],
    filter: &Value,
    degraded: &mut Vec<Degraded>,
) -> Result<Vec<Row>> {
    let names = |all: &[&str]| all.iter().map(|it| json!({ "name": it })).collect::<Vec<_>>();
    let body = json!({
        "dateRanges": [{ "startDate": from, "endDate": to }],
        "dimensions": names(dimensions),
        "metrics": names(&["sessions", "engagedSessions", "keyEvents"]),
        "dimensionFilter": filter,
        "limit": ROWS.to_string(),
    });
    let send =
        Send::post(connection, format!("/v1beta/{property}:runReport")).timeout(30_000).max_bytes(8 << 20).json(&body);
    let answer: Value = cx.connections().send(&send)?.accepted()?.json()?;
    let metadata = &answer["metadata"];
    let mut tell = |flag: &str, why: &str| {
        if metadata[flag] == true {
            degraded.push(Degraded::new("visits", why));
        }
    };
    tell("dataLossFromOtherRow", "GA4 put rare rows together under (other)");
    tell("subjectToThresholding", "GA4 left out rows of few people");
    let total = answer["rowCount"].as_u64().unwrap_or(0);
    if total > ROWS {
        degraded.push(Degraded::new("visits", format!("{ROWS} of {total} rows are read")));
    }
    Ok(answer["rows"].as_array().into_iter().flatten().map(Row::of).collect())
}

/// What GA4 counts in its own channel, where the property has one.
fn channel(
    cx: &Cx,
    connection: &str,
    property: &str,
    from: Day,
    to: Day,
    degraded: &mut Vec<Degraded>,
) -> Option<Visits> {
    let filter = json!({ "filter": { "fieldName": "sessionDefaultChannelGroup", "stringFilter": { "matchType": "PARTIAL_REGEXP", "value": "^ai |assistant", "caseSensitive": false } } });
    let asked = asked(cx, connection, property, from, to, &["sessionDefaultChannelGroup"], &filter, degraded);
    let rows = match asked {
        Ok(rows) => rows,
        Err(fault) => {
            let why = format!("GA4 did not tell what it counts as its own channel: {}", fault.message);
            degraded.push(Degraded::new("ai_channel", why));
            return None;
        }
    };
    let mut sum = Visits::default();
    rows.iter().for_each(|row| row.count(&mut sum));
    (!rows.is_empty()).then_some(sum)
}

/// A row of a report.
struct Row {
    dimensions: Vec<String>,
    metrics: [f64; 3],
}

impl Row {
    fn of(row: &Value) -> Self {
        let values = |name: &str| row[name].as_array().into_iter().flatten();
        let text = |it: &Value| it["value"].as_str().unwrap_or_default().to_owned();
        let mut metrics = [0.0; 3];
        for (place, it) in metrics.iter_mut().zip(values("metricValues")) {
            *place = it["value"].as_str().and_then(|it| it.parse().ok()).unwrap_or(0.0);
        }
        Self { dimensions: values("dimensionValues").map(text).collect(), metrics }
    }

    fn count(&self, visits: &mut Visits) {
        visits.sessions += kit::number::as_count(self.metrics[0]);
        visits.engaged_sessions += kit::number::as_count(self.metrics[1]);
        visits.key_events += self.metrics[2];
    }
}

/// What was gathered of all rows.
#[derive(Default)]
struct Gathered {
    total: Visits,
    days: BTreeMap<Day, u64>,
    products: BTreeMap<&'static str, (Visits, std::collections::BTreeSet<String>)>,
    pages: BTreeMap<String, (Visits, std::collections::BTreeSet<&'static str>)>,
}

impl Gathered {
    fn add(&mut self, row: &Row) {
        let [date, source, _, landing] = row.dimensions.as_slice() else { return };
        let product = product(source);
        row.count(&mut self.total);
        if let Some(day) = day(date) {
            *self.days.entry(day).or_default() += kit::number::as_count(row.metrics[0]);
        }
        let of = self.products.entry(product).or_default();
        row.count(&mut of.0);
        of.1.insert(source.clone());
        let page = self.pages.entry(landing.clone()).or_default();
        row.count(&mut page.0);
        page.1.insert(product);
    }

    fn products(&self) -> Vec<Product> {
        let product = |(name, (visits, sources)): (&&str, &(Visits, std::collections::BTreeSet<String>))| Product {
            product: (*name).to_owned(),
            visits: Visits { ..*visits },
            sources: sources.iter().cloned().collect(),
        };
        let mut all: Vec<Product> = self.products.iter().map(product).collect();
        all.sort_by(|a, b| b.visits.sessions.cmp(&a.visits.sessions).then_with(|| a.product.cmp(&b.product)));
        all
    }

    /// Landing pages, and cited ones that nobody came to.
    fn pages(
        &self,
        site: &Site,
        citations: &BTreeMap<String, std::collections::BTreeSet<String>>,
        degraded: &mut Vec<Degraded>,
    ) -> (Vec<Page>, Vec<String>) {
        let mut by_url: BTreeMap<String, Page> = BTreeMap::new();
        for (landing, (visits, products)) in &self.pages {
            let is_path = landing.starts_with('/');
            let address = if is_path { format!("{}{landing}", site.origin) } else { landing.clone() };
            let url = crate::run::sources::clean(&address).and_then(|it| kit::url::normalize(&it)).unwrap_or(address);
            let count = citations.get(&url).map_or(0, |it| it.len() as u64);
            let page = by_url.entry(url.clone()).or_insert_with(|| Page {
                url,
                visits: 0,
                key_events: 0.0,
                citations: count,
                products: Vec::new(),
            });
            page.visits += visits.sessions;
            page.key_events += visits.key_events;
            for product in products {
                if !page.products.iter().any(|it| it == product) {
                    page.products.push((*product).to_owned());
                }
            }
        }
        let mut missing: Vec<(usize, String)> = citations
            .iter()
            .filter(|it| !by_url.contains_key(it.0))
            .map(|(url, answers)| (answers.len(), url.clone()))
            .collect();
        missing.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let mut pages: Vec<Page> = by_url.into_values().collect();
        pages.sort_by(|a, b| b.visits.cmp(&a.visits).then_with(|| a.url.cmp(&b.url)));
        if pages.len() > PAGES {
            let why = format!("the {PAGES} pages of {} with most visits are told", pages.len());
            degraded.push(Degraded::new("pages", why));
            pages.truncate(PAGES);
        }
        (pages, missing.into_iter().take(50).map(|it| it.1).collect())
    }
}

/// The product that a source is of.
fn product(source: &str) -> &'static str {
    let low = source.to_lowercase();
    PRODUCTS.iter().find(|it| it.1.iter().any(|word| low.contains(word))).map_or("Other", |it| it.0)
}

/// A day as GA4 writes it: `20260801`.
fn day(text: &str) -> Option<Day> {
    let part = |from: usize, to: usize| text.get(from..to)?.parse::<u32>().ok();
    let (year, month, date) = (part(0, 4)?, part(4, 6)?, part(6, 8)?);
    format!("{year:04}-{month:02}-{date:02}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_of_the_product_that_its_words_name() {
        assert_eq!(product("chatgpt.com"), "ChatGPT");
        assert_eq!(product("www.perplexity.ai"), "Perplexity");
        assert_eq!(product("gemini.google.com"), "Gemini");
        assert_eq!(product("something.example"), "Other");
        assert_eq!(day("20260801").map(|it| it.to_string()).as_deref(), Some("2026-08-01"));
        assert_eq!(day("(other)"), None);
    }
}
