//! The operation `indexing.hreflang.generate`.

use std::collections::{BTreeMap, BTreeSet};

use kit::crawled::page_id;
use sdk::Basis;
use sdk::Degraded;
use sdk::prelude::*;

use super::codes::{self, Judged};
use super::features::Features;
use super::matching::{Side, pairs};
use crate::sitemap::write::{Entry, Extensions, File, escaped};
use site::{Crawled, Run};
/// Pages that are compared.
const MOST: usize = 6_000;
/// Pages of which pictures, numbers and the structure are read too.
const READ: usize = 900;
/// Sets that a result shows.
const SHOWN: usize = 300;
/// Pages without a counterpart that are told.
const TOLD: usize = 200;
/// The most bytes of markup as a sitemap.
const BYTES: usize = 400 << 10;

#[args]
pub(crate) struct Generate {
    /// A crawl that has ended, of all versions.
    run_ref: Id<Run>,
    /// The versions; the first is for everybody else (x-default).
    versions: List<VersionGiven, 2, 20>,
    /// Pairs that are less sure are left out.
    #[default(0.8)]
    min_confidence: Decimal<500, 1_000>,
    /// Elements for the head of each page, or one sitemap.
    #[default("html")]
    output: Output,
}

/// A language version.
#[args]
pub(crate) struct VersionGiven {
    /// Its code: a language, perhaps with a country: `en`, `de-CH`.
    lang: Text<2, 20>,
    /// Where its pages are: a path (`/de/`), a host (`de.shop.example`), or both. `/` is what no other version has.
    prefix_or_host: Text<1, 300>,
}

/// How the markup is written.
#[value]
pub(crate) enum Output {
    Html,
    Sitemap,
}

/// A page of a set.
#[value]
pub(crate) struct Member {
    lang: String,
    url: String,
    /// How sure it is that it belongs to the first page of the set, 0 to 1.
    confidence: f64,
}

/// Pages that say the same in different languages.
#[value]
pub(crate) struct Set {
    pages: Vec<Member>,
    /// The lines for the head of each of its pages; none for a sitemap.
    markup: Option<String>,
}

/// A page without a counterpart.
#[value]
pub(crate) struct Unmatched {
    url: String,
    lang: String,
}

/// Sets of language versions.
#[value]
pub(crate) struct Generated {
    /// At most 300, the surest first.
    clusters: Vec<Set>,
    /// How many there are.
    clusters_total: u64,
    /// Changes when the markup does: the same crawl and arguments give the same one.
    markup_ref: Id<Generated>,
    /// The sitemap; none for `html`.
    sitemap: Option<String>,
    /// At most 200.
    unmatched: Vec<Unmatched>,
    /// How many there are.
    unmatched_total: u64,
    /// Pages by version.
    pages: BTreeMap<String, u64>,
    basis: Basis,
    degraded: Vec<Degraded>,
}

/// Builds hreflang sets by matching pages across language versions using shared ids, URL patterns, translated-slug dictionaries and image and number fingerprints, with confidence per pair.
///
/// Pages are paired so that all pairs together are the surest. Which folder is called what in another language is learnt
/// from pairs that are sure without it. Put the lines into the head of every page of a set, or the sitemap on the
/// website, and check with `indexing.hreflang.validate`.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = 6_000, unit = "pages"),
    needs = ["store"],
    phrasings = [
        "generate hreflang tags for my website",
        "match my english and german pages",
        "build a hreflang sitemap",
        "which pages are translations of each other",
    ],
    examples = [{
        "run_ref": "run_01",
        "versions": [{ "lang": "en", "prefix_or_host": "/" }, { "lang": "de", "prefix_or_host": "/de/" }],
    }]
)]
pub(crate) fn generate(cx: &Cx, args: Generate) -> Result<Answer<Generated>> {
    let run = site::readable(cx, &args.run_ref)?;
    let versions = versions(&args.versions)?;
    let crawled = addresses::of(cx, &run.id);
    let mut degraded: Vec<Degraded> = crawled.degraded.into_iter().collect();
    let mut by_version: Vec<Vec<Features>> = vec![Vec::new(); versions.len()];
    let mut compared = 0;
    for page in crawled.all.iter().filter(|it| it.is_indexable() && it.status == 200) {
        let Some((at, rest)) = version_of(&versions, &page.url) else { continue };
        if compared == MOST {
            degraded.push(Degraded::new("pages", format!("only the first {MOST} were compared")));
            break;
        }
        let mut features = Features::of_address(&page.url, &rest);
        if compared < READ
            && let Some(whole) = cx.records::<Crawled>().find(&Id::new(page_id(run.id.as_str(), &page.url)))
        {
            features.add(&whole.0.facts);
        }
        by_version[at].push(features);
        compared += 1;
    }
    if compared > READ {
        let why = format!(
            "pictures, numbers and structure are read on the first {READ} pages; the others are matched by address"
        );
        degraded.push(Degraded::new("features", why));
    }
    if let Some(at) = by_version.iter().position(Vec::is_empty) {
        let message = "no indexable page of the crawl is in this version";
        return Err(Fault::invalid(format!("/versions/{at}/prefix_or_host"), "version_empty", message));
    }
    let sets = sets(&versions, &by_version, args.min_confidence.get());
    let matched: BTreeSet<&str> = sets.iter().flatten().map(|it| it.url.as_str()).collect();
    let mut unmatched = Vec::new();
    for (version, pages) in versions.iter().zip(&by_version) {
        let left = pages.iter().filter(|it| !matched.contains(it.url.as_str()));
        unmatched.extend(left.map(|it| Unmatched { url: it.url.clone(), lang: version.lang.clone() }));
    }
    let sitemap = (args.output == Output::Sitemap).then(|| sitemap(&sets, &versions, &mut degraded));
    let html = args.output == Output::Html;
    let fingerprint = sets.iter().map(|it| lines(it, &versions)).collect::<String>();
    let markup_ref = format!("markup_{}", kit::text::hex(&kit::text::sha256(fingerprint.as_bytes())[..12]));
    let (clusters_total, unmatched_total) = (sets.len() as u64, unmatched.len() as u64);
    let shown = |pages: Vec<Member>| Set { markup: html.then(|| lines(&pages, &versions)), pages };
    let clusters: Vec<Set> = sets.into_iter().take(SHOWN).map(shown).collect();
    if clusters_total > SHOWN as u64 {
        degraded.push(Degraded::new(
            "sets",
            format!("{SHOWN} of {clusters_total} are shown; output = sitemap has more room"),
        ));
    }
    unmatched.truncate(TOLD);
    let pages = versions.iter().zip(&by_version).map(|(it, pages)| (it.lang.clone(), pages.len() as u64)).collect();
    let out = Generated {
        clusters,
        clusters_total,
        markup_ref: markup_ref.into(),
        sitemap,
        unmatched,
        unmatched_total,
        pages,
        basis: site::basis(cx, &run),
        degraded,
    };
    Ok(Answer::new(out).units(compared as u64))
}

/// A version that was understood.
pub(crate) struct Version {
    lang: String,
    /// None for any host.
    host: Option<String>,
    /// Begins and ends with `/`.
    prefix: String,
}

fn versions(given: &[VersionGiven]) -> Result<Vec<Version>> {
    let mut out: Vec<Version> = Vec::new();
    for (at, one) in given.iter().enumerate() {
        let lang = match codes::judge(one.lang.as_str()) {
            Judged::Right { canonical, .. } => canonical,
            Judged::Default => {
                let message = "x-default is no language; the first version stands for it";
                return Err(Fault::invalid(format!("/versions/{at}/lang"), "invalid_code", message));
            }
            Judged::Wrong { message, .. } => {
                return Err(Fault::invalid(format!("/versions/{at}/lang"), "invalid_code", message));
            }
        };
        if out.iter().any(|it| it.lang == lang) {
            let message = format!("{lang} is a version already");
            return Err(Fault::invalid(format!("/versions/{at}/lang"), "version_repeated", message));
        }
        let place = one.prefix_or_host.trim().to_lowercase();
        let bare = place.split_once("://").map_or(place.as_str(), |(_, rest)| rest);
        let (host, path) = if let Some(path) = bare.strip_prefix('/') {
            (None, path.to_owned())
        } else {
            let (host, path) = bare.split_once('/').unwrap_or((bare, ""));
            (Some(host.to_owned()), path.to_owned())
        };
        let path = path.trim_matches('/');
        let prefix = if path.is_empty() { "/".to_owned() } else { format!("/{path}/") };
        out.push(Version { lang, host, prefix });
    }
    Ok(out)
}

/// The version of an address, the one with the longest place, and the path behind it.
fn version_of(versions: &[Version], url: &str) -> Option<(usize, String)> {
    let parsed = kit::url::Url::parse(url).ok()?;
    let host = parsed.host_str()?.to_lowercase();
    let path = kit::url::path_and_query(url);
    let slashed = format!("{}/", path.trim_end_matches('/'));
    let fits = |it: &&(usize, &Version)| {
        let prefix = &it.1.prefix;
        it.1.host.as_ref().is_none_or(|own| *own == host)
            && (path.to_lowercase().starts_with(prefix) || slashed.to_lowercase() == *prefix)
    };
    let all: Vec<(usize, &Version)> = versions.iter().enumerate().collect();
    let (at, version) = all.iter().filter(fits).max_by_key(|(_, it)| (it.host.is_some(), it.prefix.len()))?;
    let rest = path.get(version.prefix.len()..).unwrap_or_default().to_owned();
    Some((*at, rest))
}

/// Sets of pages. Each version in turn leads those that no earlier one leads.
fn sets(versions: &[Version], pages: &[Vec<Features>], least: f64) -> Vec<Vec<Member>> {
    let mut taken: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); pages.len()];
    let mut out: Vec<(f64, Vec<Member>)> = Vec::new();
    for lead in 0..versions.len() {
        let free = |at: usize, taken: &[BTreeSet<usize>]| -> Vec<usize> {
            (0..pages[at].len()).filter(|page| !taken[at].contains(page)).collect()
        };
        let leading = free(lead, &taken);
        let mut led: BTreeMap<usize, Vec<Member>> = BTreeMap::new();
        for other in lead + 1..versions.len() {
            let following = free(other, &taken);
            let side = |at: usize, which: &[usize]| {
                Side::new(&versions[at].lang, which.iter().map(|page| &pages[at][*page]).collect())
            };
            let found = pairs(&side(lead, &leading), &side(other, &following));
            for pair in found.into_iter().filter(|it| it.weight >= least) {
                let (page, counterpart) = (leading[pair.left], following[pair.right]);
                taken[other].insert(counterpart);
                taken[lead].insert(page);
                let member = |at: usize, page: usize, confidence: f64| Member {
                    lang: versions[at].lang.clone(),
                    url: pages[at][page].url.clone(),
                    confidence: kit::statistics::round(confidence, 3),
                };
                let set = led.entry(page).or_insert_with(|| vec![member(lead, page, 1.0)]);
                set.push(member(other, counterpart, pair.weight));
            }
        }
        for set in led.into_values() {
            let surest = set.iter().map(|it| it.confidence).fold(1.0, f64::min);
            out.push((surest, set));
        }
    }
    out.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1[0].url.cmp(&b.1[0].url)));
    out.into_iter().map(|(_, set)| set).collect()
}

/// Code and address of every version of a set, with the first version for everybody else.
fn alternates(set: &[Member], versions: &[Version]) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = set.iter().map(|it| (it.lang.clone(), it.url.clone())).collect();
    let default = set.iter().find(|it| versions.first().is_some_and(|first| it.lang == first.lang));
    out.extend(default.map(|it| ("x-default".to_owned(), it.url.clone())));
    out
}

fn lines(set: &[Member], versions: &[Version]) -> String {
    let line = |(code, url): (String, String)| {
        format!("<link rel=\"alternate\" hreflang=\"{}\" href=\"{}\">\n", escaped(&code), escaped(&url))
    };
    alternates(set, versions).into_iter().map(line).collect()
}

fn sitemap(sets: &[Vec<Member>], versions: &[Version], degraded: &mut Vec<Degraded>) -> String {
    let mut file = File::begin(Extensions { hreflang: true, ..Extensions::default() }, BYTES);
    for set in sets {
        let alternates = alternates(set, versions);
        for page in set {
            let entry = Entry { url: page.url.clone(), alternates: alternates.clone(), ..Entry::default() };
            if !file.add(&entry) {
                degraded.push(Degraded::new(
                    "sitemap",
                    "only what fits into 400 KiB is shown; indexing.sitemap.generate writes files of any size",
                ));
                return file.end();
            }
        }
    }
    file.end()
}
