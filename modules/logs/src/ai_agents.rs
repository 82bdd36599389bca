//! The operation `logs.ai_agents.report`.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Basis, Degraded, Next, json};
use site::Site;
use visits::{Key, Verdict};

use crate::given::Given;

/// Pages that one answer lists.
const MOST: usize = 100;
/// Fetches below which a ratio says nothing.
const FEWEST: u64 = 20;

/// Which assistants fetch by which bots, and send visitors under which name.
const PRODUCTS: [(&str, &str); 10] = [
    ("chatgpt-user", "chatgpt"),
    ("oai-searchbot", "chatgpt"),
    ("gptbot", "chatgpt"),
    ("perplexity-user", "perplexity"),
    ("perplexitybot", "perplexity"),
    ("claude-user", "claude"),
    ("claude-searchbot", "claude"),
    ("claudebot", "claude"),
    ("google-gemininotebook", "gemini"),
    ("mistralai-user", "mistral"),
];

/// What assistants and their crawlers come for.
#[value]
pub(crate) enum Purpose {
    /// Material that models are trained with.
    Training,
    /// The index that assistants answer and cite from.
    Search,
    /// Pages that somebody asked an assistant about.
    UserFetch,
    /// Visitors that an assistant sent.
    Referral,
}

#[args]
pub(crate) struct Report {
    /// The website, as listed.
    site_id: Id<Site>,
    /// One purpose alone.
    purpose: Option<Purpose>,
    /// The first day, in UTC; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last day with lines when left out.
    to: Option<Day>,
}

/// A product.
#[value]
pub(crate) struct Product {
    /// The family of the bot, or the assistant that sent visitors.
    product: String,
    #[own]
    operator: Option<String>,
    purpose: Purpose,
    hits: u64,
    verified_hits: u64,
    unverified_hits: u64,
    pages: u64,
    bytes: u64,
    errors: u64,
}

/// A page.
#[value]
pub(crate) struct Page {
    url: String,
    /// Requests for users of assistants.
    user_fetches: u64,
    /// Requests for the index of assistants.
    search_fetches: u64,
    /// Requests for training.
    training_fetches: u64,
    /// Visitors that assistants sent.
    referrals: u64,
    /// Fetches for users for each visitor of the same assistants; null for fewer than 20 fetches or no visitor.
    fetch_to_visit_ratio: Option<f64>,
}

/// Fetches and visitors of an assistant.
#[value]
pub(crate) struct Ratio {
    /// The assistant.
    product: String,
    user_fetches: u64,
    referrals: u64,
    /// Null for fewer than 20 fetches or no visitor.
    fetch_to_visit_ratio: Option<f64>,
}

/// Requests of a day by purpose.
#[value]
pub(crate) struct OfDay {
    date: Day,
    hits: u64,
    /// Hits by purpose.
    by_purpose: BTreeMap<String, u64>,
}

/// What assistants and their crawlers do on a website.
#[value]
pub(crate) struct Agents {
    /// Those with the most hits first.
    products: Vec<Product>,
    /// Pages with the most fetches for users and visitors first, at most 100.
    pages: Vec<Page>,
    pages_total: u64,
    /// By assistant, over all pages.
    fetch_to_visit_ratio: Vec<Ratio>,
    /// Days without lines are left out.
    series: Vec<OfDay>,
    known_days: u64,
    basis: Basis,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

#[derive(Default)]
struct Sum {
    hits: u64,
    verified: u64,
    pages: u64,
    bytes: u64,
    errors: u64,
    last: String,
}

#[derive(Default)]
struct OfPage {
    /// Training, search, fetches for users, referrals.
    counts: [u64; 4],
}

/// Reports AI crawler, AI answer-fetch and assistant-referral traffic by product and page, which pages assistants fetch for users and the visits they send back.
///
/// Requests under the name of a bot from addresses that are not its operator's are left out. Visitors are known by the page that
/// they come from or by `utm_source`; apps send neither, so referrals are a lower bound and ratios an upper one.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["does chatgpt read my site", "ai crawler traffic", "visits from chatgpt and perplexity", "which pages do ai assistants fetch"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "purpose": "user_fetch" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Agents> {
    let given = Given::of(cx, &args.site_id, args.from, args.to)?;
    let is_wanted = |purpose: Purpose| args.purpose.is_none_or(|wanted| wanted == purpose);
    let mut products: BTreeMap<(Purpose, String), Sum> = BTreeMap::new();
    let mut pages: BTreeMap<String, OfPage> = BTreeMap::new();
    let mut days: BTreeMap<Day, [u64; 4]> = BTreeMap::new();
    let mut assistants: BTreeMap<&'static str, (u64, u64)> = BTreeMap::new();
    given.bots(|url, family, verdict, status, day, it| {
        if verdict == Verdict::Spoofed {
            return;
        }
        let purpose = match bots::family(family).map(|bot| bot.purpose) {
            Some(bots::Purpose::AiTraining) => Purpose::Training,
            Some(bots::Purpose::AiSearch) => Purpose::Search,
            Some(bots::Purpose::UserFetch) => Purpose::UserFetch,
            _ => return,
        };
        if purpose == Purpose::UserFetch
            && let Some((_, product)) = PRODUCTS.iter().find(|(bot, _)| *bot == family)
        {
            assistants.entry(product).or_default().0 += it.hits;
        }
        if !is_wanted(purpose) {
            return;
        }
        let sum = products.entry((purpose, family.to_owned())).or_default();
        sum.hits += it.hits;
        sum.bytes += it.bytes;
        sum.verified += if verdict == Verdict::Verified { it.hits } else { 0 };
        sum.errors += if status >= 400 { it.hits } else { 0 };
        if sum.last != url {
            url.clone_into(&mut sum.last);
            sum.pages += 1;
        }
        days.entry(day).or_default()[purpose as usize] += it.hits;
        if !crate::crawl_budget::is_resource(url) {
            pages.entry(url.to_owned()).or_default().counts[purpose as usize] += it.hits;
        }
    })?;
    let read = given.store.days(given.period, Key::REFERRALS, |key, day, it| {
        let Key::Referral { product, url } = key else { return };
        if let Some((_, product)) = PRODUCTS.iter().find(|(_, name)| *name == product) {
            assistants.entry(product).or_default().1 += it.hits;
        }
        if !is_wanted(Purpose::Referral) {
            return;
        }
        let sum = products.entry((Purpose::Referral, product.to_owned())).or_default();
        sum.hits += it.hits;
        sum.bytes += it.bytes;
        if sum.last != url {
            url.clone_into(&mut sum.last);
            sum.pages += 1;
        }
        days.entry(day).or_default()[Purpose::Referral as usize] += it.hits;
        pages.entry(url.to_owned()).or_default().counts[Purpose::Referral as usize] += it.hits;
    });
    read.map_err(|why| why.at("/from"))?;
    let mut shown: Vec<Product> =
        products.into_iter().map(|((purpose, product), sum)| of_product(purpose, product, &sum)).collect();
    shown.sort_by(|a, b| b.hits.cmp(&a.hits).then_with(|| a.product.cmp(&b.product)));
    let pages_total = pages.len() as u64;
    let mut all: Vec<Page> = pages.into_iter().map(|(url, it)| of_page(url, it.counts)).collect();
    all.sort_by(|a, b| {
        let weight = |it: &Page| (it.user_fetches + it.referrals, it.search_fetches, it.training_fetches);
        weight(b).cmp(&weight(a)).then_with(|| a.url.cmp(&b.url))
    });
    all.truncate(MOST);
    let fetch_to_visit_ratio = assistants.into_iter().map(|(product, (user_fetches, referrals))| Ratio {
        product: product.to_owned(),
        user_fetches,
        referrals,
        fetch_to_visit_ratio: ratio(user_fetches, referrals),
    });
    let fetch_to_visit_ratio = fetch_to_visit_ratio.collect();
    let series = days.into_iter().map(|(date, counts)| {
        let named = ["training", "search", "user_fetch", "referral"].into_iter().zip(counts);
        let by_purpose = named.filter(|(_, hits)| *hits > 0).map(|(name, hits)| (name.to_owned(), hits)).collect();
        OfDay { date, hits: counts.iter().sum(), by_purpose }
    });
    let site_id = json!({ "site_id": given.site.id });
    let mut next = Vec::new();
    if shown.iter().any(|it| it.unverified_hits > 0) {
        next.push(Next::new("logs.bot.verify", site_id, "tells visits of bots from those that use their names"));
    }
    if shown.iter().any(|it| it.purpose == Purpose::Training) {
        let policy = json!({ "site_id": given.site.id, "policy": { "ai_training_bots": "disallow", "ai_search_bots": "allow" } });
        next.push(Next::new(
            "indexing.robots.compose",
            policy,
            "writes a robots.txt that forbids training and allows answers",
        ));
    }
    Ok(Agents {
        products: shown,
        pages: all,
        pages_total,
        fetch_to_visit_ratio,
        series: series.collect(),
        known_days: given.known_days(),
        basis: given.basis,
        degraded: given.degraded,
        next,
    })
}

fn of_product(purpose: Purpose, product: String, sum: &Sum) -> Product {
    Product {
        operator: bots::family(&product).map(|it| it.operator.to_owned()),
        product,
        purpose,
        hits: sum.hits,
        verified_hits: sum.verified,
        unverified_hits: if purpose == Purpose::Referral { 0 } else { sum.hits - sum.verified },
        pages: sum.pages,
        bytes: sum.bytes,
        errors: sum.errors,
    }
}

fn of_page(url: String, [training, search, user_fetches, referrals]: [u64; 4]) -> Page {
    Page {
        url,
        user_fetches,
        search_fetches: search,
        training_fetches: training,
        referrals,
        fetch_to_visit_ratio: ratio(user_fetches, referrals),
    }
}

fn ratio(fetches: u64, visits: u64) -> Option<f64> {
    let number = kit::number::as_number;
    (fetches >= FEWEST && visits > 0).then(|| kit::statistics::round(number(fetches) / number(visits), 3))
}

#[cfg(test)]
mod tests;
