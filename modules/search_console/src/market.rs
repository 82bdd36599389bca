//! The operation `search_console.market.report`.

use std::collections::{BTreeMap, BTreeSet};

use kit::crawled::page_id;
use kit::pack::{Figures as _, Search};
use schemars::JsonSchema;
use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, json, schemars};
use search::{Cut, Measurement, SearchType, parts};
use serde::{Deserialize, Serialize};
use site::Site;

use crate::given::{Given, Sums};
use crate::question::country;

/// Clicks of a page in a country, a month, from which it counts as shown there; and the share of its clicks.
const SHOWN: (u64, f64) = (20, 0.1);
/// Pages with these clicks that are looked up in the crawl.
const MAX_PAGES: usize = 300;
/// Mismatches that are listed.
const MAX_MISMATCHES: usize = 100;

/// The languages that most people of a country search in, for countries with one such language.
const LANGUAGES: &[(&str, &str)] = &[
    ("AR", "es"),
    ("AT", "de"),
    ("AU", "en"),
    ("BG", "bg"),
    ("BR", "pt"),
    ("CL", "es"),
    ("CN", "zh"),
    ("CO", "es"),
    ("CZ", "cs"),
    ("DE", "de"),
    ("DK", "da"),
    ("DO", "es"),
    ("EC", "es"),
    ("EE", "et"),
    ("EG", "ar"),
    ("ES", "es"),
    ("FI", "fi"),
    ("FR", "fr"),
    ("GB", "en"),
    ("GR", "el"),
    ("GT", "es"),
    ("HR", "hr"),
    ("HU", "hu"),
    ("ID", "id"),
    ("IE", "en"),
    ("IL", "he"),
    ("IR", "fa"),
    ("IT", "it"),
    ("JP", "ja"),
    ("KR", "ko"),
    ("LT", "lt"),
    ("LV", "lv"),
    ("MX", "es"),
    ("NL", "nl"),
    ("NO", "nb"),
    ("NZ", "en"),
    ("PE", "es"),
    ("PL", "pl"),
    ("PT", "pt"),
    ("RO", "ro"),
    ("RS", "sr"),
    ("RU", "ru"),
    ("SA", "ar"),
    ("SE", "sv"),
    ("SI", "sl"),
    ("SK", "sk"),
    ("TH", "th"),
    ("TR", "tr"),
    ("TW", "zh"),
    ("UA", "uk"),
    ("US", "en"),
    ("UY", "es"),
    ("VE", "es"),
    ("VN", "vi"),
];

/// The languages of a page in a crawl.
#[foreign(collection = "crawl.pages", thing = "page")]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Localized {
    url: String,
    facts: Languages,
}

/// What is read of a page's facts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Languages {
    lang: Option<String>,
    hreflang: Vec<Alternate>,
}

/// An annotation of the page in another language.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Alternate {
    lang: String,
    url: Option<String>,
}

#[args]
pub(crate) struct Report {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The first day; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last stored one when left out.
    to: Option<Day>,
}

/// The performance in a market.
#[value]
pub(crate) struct Market {
    /// The country in two letters (Google's own code where there are none), or the device.
    key: String,
    clicks: u64,
    impressions: u64,
    /// Clicks per impression, 0 to 1.
    ctr: Option<f64>,
    /// The mean position.
    position: Option<f64>,
    /// The share of all clicks.
    share: f64,
}

/// A page that is shown where another language version belongs.
#[value]
pub(crate) struct Mismatch {
    /// The page that is clicked.
    url: String,
    /// Its language, as it declares it.
    language: String,
    /// The country.
    country: String,
    /// Its clicks there.
    clicks: u64,
    /// The share of its clicks that come from there.
    share: f64,
    /// The version that is meant for the country.
    better_url: String,
    /// The language, and country, that version is declared for.
    better_language: String,
    /// What checks the annotations.
    fix: Fix,
}

/// The performance by market.
#[value]
pub(crate) struct Markets {
    /// Those with the most clicks first.
    countries: Vec<Market>,
    /// Those with the most clicks first.
    devices: Vec<Market>,
    /// Pages that are shown where another version belongs, those with the most clicks first.
    mismatches: Vec<Mismatch>,
    /// Pages whose languages were looked up.
    checked_pages: u32,
    /// Known faults of Google's figures in the period.
    measurement: Vec<Measurement>,
    /// When the figures were imported.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Reports performance by country, device and language version and flags countries served by the wrong language page.
///
/// A page is at the wrong place when it gets at least 20 clicks a month and a tenth of its clicks from a country, and its
/// hreflang annotations name another page for that country, or for the language that is spoken there; countries with several
/// languages are judged by their code alone.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "clicks by country and device",
        "does google show the wrong language version",
        "which countries bring search traffic",
        "is my german page shown in other countries",
    ],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Markets> {
    let mut given = Given::of(cx, &args.site_id, SearchType::Web, args.from, args.to)?;
    let period = given.period;
    given.needs(Cut::Markets, period)?;
    let (mut countries, mut devices) = (BTreeMap::<String, Search>::new(), BTreeMap::<String, Search>::new());
    let read = given.figures.sums(Cut::Markets, period, b"", |key, sum| {
        let (place, device) = parts(key);
        countries.entry(country(place)).or_default().add(&sum);
        devices.entry(device.to_ascii_lowercase()).or_default().add(&sum);
    });
    read.map_err(Given::unread)?;
    let (mismatches, checked_pages) = mismatches(&mut given)?;
    Ok(Markets {
        countries: listed(countries),
        devices: listed(devices),
        mismatches,
        checked_pages,
        measurement: given.measurement,
        basis: given.basis,
        degraded: given.degraded,
    })
}

fn listed(markets: BTreeMap<String, Search>) -> Vec<Market> {
    let all = markets.values().map(|it| it.clicks).sum();
    let mut listed: Vec<Market> = markets
        .into_iter()
        .map(|(key, figures)| {
            let Sums { clicks, impressions, ctr, position } = Sums::of(figures);
            Market { key, clicks, impressions, ctr, position, share: crate::performance::query::share(clicks, all) }
        })
        .collect();
    listed.sort_by(|a, b| b.clicks.cmp(&a.clicks).then_with(|| a.key.cmp(&b.key)));
    listed
}

/// Pages at the wrong place, and how many were looked up.
fn mismatches(given: &mut Given<'_>) -> Result<(Vec<Mismatch>, u32)> {
    let Some(run) = site::newest(given.cx, &given.site.id) else {
        let why = "no crawl of the website has ended, so the languages of its pages are not known";
        let arguments = json!({ "site_id": given.site.id });
        given.degraded.push(Degraded::new("mismatches", why).supplied_by("crawl.run.start", arguments));
        return Ok((Vec::new(), 0));
    };
    let period = given.period;
    if given.figures.stored_days(Cut::PageMarkets, period) == 0 {
        let why = "figures by page and country are not stored";
        let arguments = json!({ "site_id": given.site.id, "dimensions": ["page", "country", "device"] });
        given.degraded.push(Degraded::new("mismatches", why).supplied_by(crate::given::SYNC, arguments));
        return Ok((Vec::new(), 0));
    }
    let mut by_page: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    let read = given.figures.sums(Cut::PageMarkets, period, b"", |key, sum| {
        let (page, rest) = parts(key);
        let place = country(rest.split('\0').next().unwrap_or_default());
        *by_page.entry(page.to_owned()).or_default().entry(place).or_default() += sum.clicks;
    });
    read.map_err(Given::unread)?;
    let days = u64::try_from(period.length()).unwrap_or(28);
    // 20 clicks a month, and a tenth of the page's own.
    let shown = |clicks: u64, all: u64| {
        clicks * 30 >= SHOWN.0 * days && crate::performance::query::share(clicks, all) >= SHOWN.1
    };
    let mut pages: Vec<(u64, String, BTreeMap<String, u64>)> = by_page
        .into_iter()
        .map(|(page, places)| (places.values().sum(), page, places))
        .filter(|(all, _, places)| places.values().any(|clicks| shown(*clicks, *all)))
        .collect();
    pages.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    if pages.len() > MAX_PAGES {
        let why = format!("the {MAX_PAGES} pages with the most clicks of {} were looked up", pages.len());
        given.degraded.push(Degraded::new("mismatches", why));
        pages.truncate(MAX_PAGES);
    }
    let (mut found, mut checked) = (Vec::new(), 0);
    for (all, url, places) in pages {
        let normal = kit::url::normalize(&url).unwrap_or_else(|| url.clone());
        let page = given.cx.records::<Localized>().find(&Id::new(page_id(run.id.as_str(), &normal)));
        let Some(page) = page.filter(|it| !it.facts.hreflang.is_empty()) else { continue };
        checked += 1;
        let versions = versions(&page.facts.hreflang);
        let own: BTreeSet<&str> = versions.iter().filter(|it| it.1 == normal).map(|it| it.0.as_str()).collect();
        for (place, clicks) in places.iter().filter(|(_, clicks)| shown(**clicks, all)) {
            let Some((language, better)) = meant_for(&versions, place) else { continue };
            if *better == normal || own.contains(language.as_str()) {
                continue;
            }
            let fix = Fix::new("indexing.hreflang.validate", json!({ "run_ref": run.id }));
            let declared = own.iter().next().map(|it| (*it).to_owned()).or_else(|| page.facts.lang.clone());
            found.push(Mismatch {
                url: url.clone(),
                language: declared.unwrap_or_default(),
                country: place.clone(),
                clicks: *clicks,
                share: crate::performance::query::share(*clicks, all),
                better_url: better.clone(),
                better_language: language.clone(),
                fix,
            });
        }
    }
    found.sort_by(|a, b| b.clicks.cmp(&a.clicks).then_with(|| (&a.url, &a.country).cmp(&(&b.url, &b.country))));
    found.truncate(MAX_MISMATCHES);
    Ok((found, checked))
}

/// The versions of a page: what each is declared for, in lower case, and its normal address.
fn versions(alternates: &[Alternate]) -> Vec<(String, String)> {
    let version = |it: &Alternate| Some((it.lang.trim().to_ascii_lowercase(), it.url.clone()?));
    alternates.iter().filter_map(version).collect()
}

/// The version that is declared for a country, else for the language that is spoken there.
fn meant_for<'v>(versions: &'v [(String, String)], place: &str) -> Option<&'v (String, String)> {
    let place = place.to_ascii_lowercase();
    let by_country = versions.iter().find(|it| it.0.split('-').nth(1) == Some(place.as_str()));
    let spoken = LANGUAGES.iter().find(|it| it.0.eq_ignore_ascii_case(&place)).map(|it| it.1);
    by_country.or_else(|| versions.iter().find(|it| Some(it.0.as_str()) == spoken))
}

#[cfg(test)]
mod tests {
    use super::{LANGUAGES, meant_for};

    #[test]
    fn a_version_for_the_country_precedes_one_for_its_language() {
        let version = |lang: &str, url: &str| (lang.to_owned(), url.to_owned());
        let versions = [version("de", "/de"), version("en", "/en"), version("en-gb", "/uk"), version("x-default", "/")];
        let found = |place: &str| meant_for(&versions, place).map(|it| it.1.as_str());
        assert_eq!(
            (found("GB"), found("US"), found("AT"), found("CH"), found("zzz")),
            (Some("/uk"), Some("/en"), Some("/de"), None, None)
        );
        assert!(LANGUAGES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
