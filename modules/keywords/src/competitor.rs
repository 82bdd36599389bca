//! The operation `keywords.competitor.list`.

use dataforseo::{Account, Market, money};
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Money, json};

use crate::market::{Figures, WHY};
use crate::stored::Intent;

#[args]
pub(crate) struct Listing {
    /// A domain, a subdomain, or the address of a page.
    target: Text<3, 300>,
    /// The country.
    country: Country,
    /// The language.
    language: Language,
    /// Keywords, at most; each row costs at the provider.
    #[default(100)]
    limit: Count<1, 1_000>,
    /// Only keywords with at least as many searches in a month.
    min_volume: Option<Count<0, 100_000_000>>,
}

/// A keyword that it ranks for.
#[value]
pub(crate) struct Row {
    keyword: String,
    /// Its place among the organic results.
    position: u32,
    volume: Option<u64>,
    difficulty: Option<u8>,
    intent: Option<Intent>,
    /// The page that is shown.
    url: String,
}

/// Keywords of a competitor.
#[value]
pub(crate) struct Rows {
    /// Those with the most searches first.
    keywords: Vec<Row>,
    /// Keywords in all that the provider knows; null when it does not say.
    total: Option<u64>,
    /// What the provider says that it cost.
    provider_cost: Money,
}

/// Lists the keywords a competitor domain or page ranks for with position, volume and URL through DataForSEO Labs.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["store", "connection:dataforseo"],
    outside = ["dataforseo POST /v3/dataforseo_labs/google/ranked_keywords/live query"],
    phrasings = ["what keywords does a competitor rank for", "keywords of a domain", "which keywords bring traffic to this page", "spy on competitor keywords"],
    examples = [{ "target": "rival.example", "country": "GB", "language": "en" }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    let market = Market::of_labs(args.country, &args.language)?;
    let account = Account::required(cx, "/target", WHY)?;
    let target = target(args.target.as_str())?;
    let mut task = json!({ "target": target, "location_code": market.location, "language_code": market.language,
        "limit": args.limit, "item_types": ["organic"], "order_by": ["keyword_data.keyword_info.search_volume,desc"] });
    if let Some(least) = args.min_volume {
        task["filters"] = json!([["keyword_data.keyword_info.search_volume", ">=", least]]);
    }
    let answer = account.ask("dataforseo_labs/google/ranked_keywords/live", &task).map_err(|it| it.fault("/target"))?;
    let mut keywords: Vec<Row> = answer.items().iter().filter_map(row).collect();
    keywords.sort_by(|a, b| b.volume.cmp(&a.volume).then_with(|| a.keyword.cmp(&b.keyword)));
    Ok(Rows { keywords, total: answer.total(), provider_cost: money(answer.cost_micros) })
}

/// A domain as it is, or the address of a page whole.
pub(crate) fn target(given: &str) -> Result<String> {
    let given = given.trim();
    let wrong =
        || Fault::invalid("/target", "no_target", "give a domain such as rival.example, or the address of a page");
    if given.contains("://") {
        let url: Url = given.parse().map_err(|_| wrong())?;
        let is_home = url.path() == "/" && url.query().is_none();
        return Ok(if is_home { url.host_str().unwrap_or_default().to_owned() } else { url.to_string() });
    }
    if given.contains('/') {
        let url: Url = format!("https://{given}").parse().map_err(|_| wrong())?;
        return Ok(if url.path() == "/" { url.host_str().unwrap_or_default().to_owned() } else { url.to_string() });
    }
    Ok(given.parse::<Domain>().map_err(|_| wrong())?.to_string())
}

fn row(item: &Value) -> Option<Row> {
    let figures = Figures::read(&item["keyword_data"])?;
    let shown = &item["ranked_serp_element"]["serp_item"];
    Some(Row {
        position: u32::try_from(shown["rank_group"].as_u64()?).ok().filter(|it| *it > 0)?,
        url: shown["url"].as_str()?.to_owned(),
        keyword: figures.keyword,
        volume: figures.volume,
        difficulty: figures.difficulty,
        intent: figures.intent,
    })
}

#[cfg(test)]
mod tests {
    use super::target;

    #[test]
    fn a_target_is_a_domain_or_a_whole_page() {
        for (given, wanted) in [
            ("Rival.example", "rival.example"),
            ("https://rival.example/", "rival.example"),
            ("https://www.rival.example/lamps?x=1", "https://www.rival.example/lamps?x=1"),
            ("rival.example/lamps", "https://rival.example/lamps"),
        ] {
            assert_eq!(target(given).as_deref(), Ok(wanted), "{given}");
        }
        assert_eq!(target("no domain").expect_err("refused").pointer.as_deref(), Some("/target"));
    }
}
