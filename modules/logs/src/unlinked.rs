//! The operation `logs.unlinked.list`.

use std::collections::{BTreeMap, HashSet};

use sdk::prelude::*;
use sdk::{Basis, Degraded, Next, json};
use site::Site;
use visits::Verdict;

use crate::bot::report::statuses;
use crate::crawl_budget::is_resource;
use crate::crawled::Crawled;
use crate::given::{self, Given};

/// Addresses that a pattern is shown with.
const SAMPLES: usize = 5;
/// Patterns that are told apart.
const MOST: usize = 20_000;

#[args(paged)]
pub(crate) struct List {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Requests of this bot alone, such as `googlebot`; of all bots when left out.
    family: Option<Text<1, 40>>,
    /// The first day, in UTC; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last day with lines when left out.
    to: Option<Day>,
}

/// Where bots know such addresses from, most likely.
#[value]
pub(crate) enum Origin {
    /// Paths that those who look for holes try everywhere.
    Scanner,
    /// A page that the crawl knows, with a query.
    KnownPage,
    /// It redirects or is gone: an address of before.
    OldAddress,
    /// A feed.
    Feed,
    /// An interface of programs.
    Api,
    /// A file of an older or newer build: its name has a hash.
    Build,
    /// Nobody knows: links from other websites, scripts, or lists.
    Unknown,
}

/// Addresses that are alike.
#[value]
pub(crate) struct Pattern {
    /// The family: a path with `{n}`, `{date}` and `{hex}` for what varies, and the names of parameters.
    pattern: String,
    urls: u64,
    hits: u64,
    origin: Origin,
    /// Hits by status.
    by_status: BTreeMap<String, u64>,
    sample: Vec<String>,
}

/// Addresses that no link and no sitemap names.
#[page]
pub(crate) struct Unlinked {
    /// Those with the most hits first.
    patterns: Vec<Pattern>,
    total: u64,
    /// Requests for such addresses, and all of the bots in question.
    hits: u64,
    all_hits: u64,
    /// The part of them.
    share: Option<f64>,
    known_days: u64,
    crawl: Basis,
    basis: Basis,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// Lists URLs bots request that are in neither the crawl nor a sitemap, grouped by pattern with likely origin.
///
/// Known are the addresses of the newest crawl, which reads the sitemaps too. Scripts, styles, pictures and fonts are left out,
/// unless their name has a hash and they failed.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["which unknown urls do bots request", "orphan urls in logs", "urls google crawls that are not linked"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "family": "googlebot" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Unlinked> {
    let given = Given::of(cx, &args.site_id, args.from, args.to)?;
    let family = args.family.as_ref().map(|it| given::family(it.as_str(), "/family")).transpose()?;
    let crawl = Crawled::required(cx, &given.site.id)?;
    let mut patterns: BTreeMap<String, (Pattern, BTreeMap<u16, u64>)> = BTreeMap::new();
    let mut seen: HashSet<u64> = HashSet::new();
    let (mut hits, mut all_hits, mut dropped) = (0_u64, 0_u64, 0_u64);
    given.bots(|url, of, verdict, status, _, it| {
        if verdict == Verdict::Spoofed || family.is_some_and(|family| family.family != of) {
            return;
        }
        all_hits += it.hits;
        let is_own = url.ends_with("/robots.txt") || url.contains("sitemap");
        if crawl.pages.contains_key(url) || is_own || (is_resource(url) && !(status >= 400 && is_built(url))) {
            return;
        }
        hits += it.hits;
        let pattern = kit::traps::family(url);
        if !patterns.contains_key(&pattern) && patterns.len() == MOST {
            dropped += it.hits;
            return;
        }
        let (found, by) = patterns.entry(pattern.clone()).or_insert_with(|| {
            let found = Pattern {
                pattern,
                urls: 0,
                hits: 0,
                origin: Origin::Unknown,
                by_status: BTreeMap::new(),
                sample: Vec::new(),
            };
            (found, BTreeMap::new())
        });
        found.hits += it.hits;
        *by.entry(status).or_default() += it.hits;
        if seen.insert(hash(url)) {
            found.urls += 1;
            if found.sample.len() < SAMPLES {
                found.sample.push(url.to_owned());
            }
        }
    })?;
    let mut found: Vec<Pattern> = patterns
        .into_values()
        .map(|(mut it, by)| {
            it.origin = origin(&it, &by, &crawl);
            it.by_status = statuses(by);
            it
        })
        .collect();
    found.sort_by(|a, b| b.hits.cmp(&a.hits).then_with(|| a.pattern.cmp(&b.pattern)));
    let mut degraded = given.degraded.clone();
    degraded.extend(crawl.degraded.iter().filter(|it| it.what != "authority").cloned());
    if !crawl.basis.complete {
        let why =
            "the newest crawl did not fetch everything that it knew of; addresses that it left out stand here too";
        degraded.push(Degraded::new("crawl", why).supplied_by("crawl.run.start", json!({ "site_id": given.site.id })));
    }
    if dropped > 0 {
        degraded.push(Degraded::new("patterns", format!("{dropped} requests are of patterns beyond the first {MOST}")));
    }
    let old: Vec<&String> =
        found.iter().filter(|it| it.origin == Origin::OldAddress).flat_map(|it| &it.sample).take(200).collect();
    let mut next = Vec::new();
    if !old.is_empty() {
        let build = json!({ "old_urls": old, "new_run_ref": crawl.run.id });
        next.push(Next::new(
            "cms.redirect.map.build",
            build,
            "finds where old addresses that bots still ask for should lead",
        ));
    }
    let total = found.len() as u64;
    let page = args.window(found)?;
    Ok(Unlinked {
        patterns: page.items,
        next_cursor: page.next,
        total,
        hits,
        all_hits,
        share: given::share(hits, all_hits),
        known_days: given.known_days(),
        crawl: crawl.basis.clone(),
        basis: given.basis,
        degraded,
        next,
    })
}

fn hash(text: &str) -> u64 {
    use std::hash::Hasher as _;
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Where addresses of a pattern come from, by the first rule that fits.
fn origin(it: &Pattern, by: &BTreeMap<u16, u64>, crawl: &Crawled) -> Origin {
    const SCANNED: [&str; 16] = [
        "/wp-login",
        "/wp-admin",
        "/xmlrpc.php",
        "/.env",
        "/.git",
        "/phpmyadmin",
        "/vendor/",
        "/cgi-bin",
        "/wp-includes",
        "/wp-content/plugins",
        "/admin.php",
        "/shell",
        "/.aws",
        "/config.php",
        "/boaform",
        "/actuator",
    ];
    let sample = it.sample.first().map_or("", String::as_str);
    let path = kit::url::path_and_query(sample).to_ascii_lowercase();
    let missing: u64 = by.iter().filter(|(status, _)| matches!(**status, 404 | 403 | 410)).map(|(_, hits)| hits).sum();
    let moved: u64 = by
        .iter()
        .filter(|(status, _)| matches!(**status, 301 | 302 | 307 | 308 | 404 | 410))
        .map(|(_, hits)| hits)
        .sum();
    if SCANNED.iter().any(|it| path.contains(it)) && missing * 2 > it.hits {
        Origin::Scanner
    } else if it.sample.iter().any(|url| crawl.without_query(url).is_some()) {
        Origin::KnownPage
    } else if path.contains("/feed") || path.contains("/rss") || path.ends_with("atom.xml") {
        Origin::Feed
    } else if path.starts_with("/api/")
        || path.contains("/wp-json/")
        || path.contains("/graphql")
        || path.contains("/ajax")
    {
        Origin::Api
    } else if is_built(sample) {
        Origin::Build
    } else if moved * 2 > it.hits {
        Origin::OldAddress
    } else {
        Origin::Unknown
    }
}

/// Whether a file has a hash in its name, as builds give it.
fn is_built(url: &str) -> bool {
    let path = kit::url::path_and_query(url).split('?').next().unwrap_or_default();
    let last = path.rsplit('/').next().unwrap_or_default();
    is_resource(url)
        && last.split(['.', '-', '_']).any(|part| {
            part.len() >= 8
                && part.bytes().all(|it| it.is_ascii_alphanumeric())
                && part.bytes().any(|it| it.is_ascii_digit())
                && part.bytes().any(|it| it.is_ascii_alphabetic())
        })
}
