//! The operation `indexing.sitemap.validate`.

use std::collections::{BTreeSet, HashMap};

use kit::robots::Robots;
use kit::url::Url as Address;
use sdk::Degraded;
use sdk::Failure;
use sdk::Fix;
use sdk::prelude::*;

use super::fault::{Code, Fault as Wrong, Faults};
use super::xml::{self, Item, Kind};
use super::{Fetched, Type, datetime, fetch};

/// The most entries of one file (sitemaps.org).
const MOST: usize = 50_000;
/// The most bytes of one file after inflation: 50 MB (sitemaps.org).
const MOST_BYTES: u64 = 52_428_800;
/// The most news entries of one file, and how old they may be (Google): two days.
const MOST_NEWS: usize = 1_000;
const NEWS_AGE: i64 = 2 * 86_400_000;
/// Other hosts whose robots.txt is asked whether it names the file.
const HOSTS: usize = 3;
/// Files of an index that are opened to see whether they are indexes themselves.
const CHILDREN: usize = 8;

#[args]
pub(crate) struct Validate {
    /// The sitemap or the index of sitemaps; gzip too.
    url: Url,
    /// Asks so many of its addresses, evenly from its beginning to its end, how they answer.
    #[default(10)]
    sample: Count<0, 50>,
}

/// What a file holds.
#[value]
pub(crate) struct Counts {
    /// Addresses.
    urls: u32,
    /// Files, of an index.
    sitemaps: u32,
    images: u32,
    videos: u32,
    news: u32,
    /// Language versions.
    alternates: u32,
    /// Entries with a date.
    lastmod: u32,
    /// Bytes after inflation.
    bytes: u64,
    /// Whether it came as gzip.
    gzip: bool,
}

/// One thing that is wrong.
#[value]
pub(crate) struct Told {
    /// From 1.
    line: u32,
    code: Code,
    message: String,
    /// Whether search engines pass over it.
    warning: bool,
}

/// How an address answered.
#[value]
pub(crate) struct Sampled {
    url: String,
    /// 0 without an answer.
    status: u16,
    /// `ok`, `redirect`, `client_error`, `server_error`, `noindex`, `canonicalised`, `robots_disallowed`, or why there
    /// was no answer.
    state: String,
    /// What looks at it closely; none where nothing is wrong.
    fix: Option<Fix>,
}

/// A sitemap that was checked.
#[value]
pub(crate) struct Validated {
    /// Whether nothing is wrong that search engines mind.
    valid: bool,
    #[serde(rename = "type")]
    kind: Type,
    counts: Counts,
    /// In the order of the file, at most 50 of one code.
    errors: Vec<Told>,
    /// All errors and warnings.
    errors_total: u32,
    sample: Vec<Sampled>,
    /// When the file was fetched.
    fetched_at: Moment,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Validates a sitemap or index (gzip too) against sitemaps.org and the image, video, news and hreflang extensions: encoding, size, count, host, dates, duplicates and a sample of URL states.
///
/// Addresses of another host, and those outside of the file's folder, are right where the robots.txt of their host names
/// the file (sitemaps.org, cross submits). The first 8 MiB are read.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 64),
    needs = ["web"],
    phrasings = [
        "validate my sitemap",
        "is my sitemap.xml correct",
        "why does google not accept my sitemap",
        "search console could not fetch my sitemap or calls it invalid",
        "check the dates and urls in my sitemap",
    ],
    examples = [
        { "url": "https://shop.example/sitemap.xml" },
        { "url": "https://shop.example/sitemap_index.xml.gz", "sample": 0 },
    ]
)]
pub(crate) fn validate(cx: &Cx, args: Validate) -> Result<Validated> {
    let fetched = fetch(cx, &args.url, "/url")?;
    let mut degraded = Vec::new();
    let (kind, items, mut faults) = opened(&fetched);
    if fetched.truncated {
        degraded.push(Degraded::new("file", "only its first 8 MiB were read; what lies behind was not checked"));
    }
    bounds(&fetched, &items, cx.now(), &mut faults);
    duplicates(&items, &mut faults);
    hosts(cx, &fetched.url, &items, &mut faults, &mut degraded);
    let most = usize::try_from(args.sample.get()).unwrap_or(0);
    let sample = match kind {
        Type::Index => {
            children(cx, &items, most.min(CHILDREN), &mut faults);
            Vec::new()
        }
        _ => sampled(cx, &items, most),
    };
    let counts = counts(&fetched, kind, &items);
    let errors = faults.told().into_iter().map(|it| Told {
        warning: it.code.is_warning(),
        line: it.line,
        code: it.code,
        message: it.message,
    });
    Ok(Validated {
        valid: !faults.matter(),
        kind,
        counts,
        errors: errors.collect(),
        errors_total: faults.total(),
        sample,
        fetched_at: cx.now(),
        degraded,
    })
}

/// What a file lists and what is wrong with its form.
fn opened(fetched: &Fetched) -> (Type, Vec<Item>, Faults) {
    if fetched.is_list() {
        let mut faults = Faults::default();
        let mut items = Vec::new();
        for (number, line) in (1..).zip(fetched.text.lines()) {
            let line = line.trim().trim_start_matches('\u{feff}');
            if !line.is_empty() {
                super::values::loc(line, number, &mut faults);
                items.push(Item { line: number, loc: line.to_owned(), ..Item::default() });
            }
        }
        if items.is_empty() {
            faults.push(Wrong::new(Code::Empty, 1, "the file lists nothing".to_owned()));
        }
        return (Type::Text, items, faults);
    }
    let read = xml::read(&fetched.text);
    let kind = match read.kind {
        Kind::UrlSet => Type::Urlset,
        Kind::Index => Type::Index,
        Kind::Unknown => Type::Unreadable,
    };
    let mut faults = read.faults;
    if fetched.truncated {
        // Where it was cut, it breaks off.
        faults.forgive(Code::NotWellFormed);
    }
    (kind, read.items, faults)
}

/// Encoding, size, count, dates yet to come, and the bounds of news.
fn bounds(fetched: &Fetched, items: &[Item], now: Moment, faults: &mut Faults) {
    let mut tell = |code: Code, line: u32, message: String| faults.push(Wrong::new(code, line, message));
    if fetched.not_utf8 {
        tell(Code::NotUtf8, 1, "the file is not UTF-8, which the protocol asks for".to_owned());
    }
    if fetched.bad_gzip {
        tell(Code::BadGzip, 1, "the gzip archive cannot be inflated to its end".to_owned());
    }
    if fetched.bytes > MOST_BYTES {
        tell(Code::TooLarge, 1, format!("the file has more than {MOST_BYTES} bytes after inflation"));
    }
    if items.len() > MOST {
        tell(
            Code::TooMany,
            items[MOST].line,
            format!("the file lists {} entries; at most {MOST} are allowed", items.len()),
        );
    }
    let now = i64::try_from(now.millis()).unwrap_or(i64::MAX);
    let news: Vec<&Item> = items.iter().filter(|it| it.news).collect();
    if news.len() > MOST_NEWS {
        tell(Code::NewsBounds, news[MOST_NEWS].line, format!("a news sitemap has at most {MOST_NEWS} entries"));
    }
    for item in items {
        let Some(date) = item.lastmod.as_deref().and_then(datetime::read) else { continue };
        // A day without a time may already have begun somewhere on earth.
        let slack = if date.exact { 60_000 } else { 14 * 3_600_000 };
        if date.millis > now + slack {
            tell(Code::LastmodFuture, item.line, "lastmod is yet to come".to_owned());
        } else if item.news && date.millis < now - NEWS_AGE - 86_400_000 {
            tell(Code::NewsBounds, item.line, "a news sitemap has articles of the last two days only".to_owned());
        }
    }
}

fn duplicates(items: &[Item], faults: &mut Faults) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for item in items {
        let key = kit::url::normalize(&item.loc).unwrap_or_else(|| item.loc.clone());
        if let Some(first) = seen.get(&key) {
            faults.push(Wrong::new(Code::Duplicate, item.line, format!("the address stands on line {first} already")));
        } else {
            seen.insert(key, item.line);
        }
        let mut codes: BTreeSet<String> = BTreeSet::new();
        for (code, _) in &item.alternates {
            if !codes.insert(code.to_ascii_lowercase()) {
                let message = format!("two addresses for hreflang {code}");
                faults.push(Wrong::new(Code::HreflangInvalid, item.line, message));
            }
        }
    }
}

/// Addresses that the file may not speak for.
fn hosts(cx: &Cx, url: &str, items: &[Item], faults: &mut Faults, degraded: &mut Vec<Degraded>) {
    let Ok(own) = Address::parse(url) else { return };
    let folder = own.path().rsplit_once('/').map_or("/", |(folder, _)| folder).to_owned() + "/";
    let mut doubtful: Vec<(&Item, Address, bool)> = Vec::new();
    for item in items {
        let Ok(address) = Address::parse(&item.loc) else { continue };
        let other = kit::url::origin(&address) != kit::url::origin(&own);
        if other || !address.path().starts_with(&folder) {
            doubtful.push((item, address, other));
        }
    }
    if doubtful.is_empty() {
        return;
    }
    let mut origins: Vec<String> = Vec::new();
    for (_, address, _) in &doubtful {
        let origin = kit::url::origin(address);
        if !origins.contains(&origin) {
            origins.push(origin);
        }
    }
    if origins.len() > HOSTS {
        degraded.push(Degraded::new(
            "robots.txt",
            format!("asked of {HOSTS} of {} hosts; the others count as not naming the file", origins.len()),
        ));
        origins.truncate(HOSTS);
    }
    let asked: Vec<Url> = origins.iter().filter_map(|it| format!("{it}/robots.txt").parse().ok()).collect();
    let answers =
        cx.web().fetch_many(asked.iter().map(|it| Request::get(it).max_bytes(512_000).timeout(6_000).any_age()));
    let normal = kit::url::normalize(url);
    let named: Vec<&String> = origins
        .iter()
        .zip(&answers)
        .filter(|(_, answer)| {
            let lines = answer.as_ref().map(|it| Robots::of_answer(it.status, &it.body, "Googlebot").sitemaps);
            lines.is_ok_and(|lines| lines.iter().any(|line| kit::url::normalize(line) == normal))
        })
        .map(|(origin, _)| origin)
        .collect();
    for (item, address, other) in doubtful {
        let origin = kit::url::origin(&address);
        if named.iter().any(|it| **it == origin) {
            continue;
        }
        let (code, what) = if other {
            (Code::OtherHost, format!("the address is at {origin}, whose robots.txt does not name this sitemap"))
        } else {
            let what = format!("the address is outside of {folder}, and robots.txt does not name this sitemap");
            (Code::OutsideFolder, what)
        };
        faults.push(Wrong::new(code, item.line, what));
    }
}

/// An index lists no index.
fn children(cx: &Cx, items: &[Item], most: usize, faults: &mut Faults) {
    let chosen: Vec<(&Item, Url)> = spread(items, most).filter_map(|it| Some((it, it.loc.parse().ok()?))).collect();
    let answers =
        cx.web().fetch_many(chosen.iter().map(|(_, url)| Request::get(url).max_bytes(64 << 10).timeout(8_000)));
    for ((item, _), answer) in chosen.iter().zip(answers) {
        let Ok(response) = answer else { continue };
        if !response.is_success() {
            let message = format!("the file answers with status {}", response.status);
            faults.push(Wrong::new(Code::LocInvalid, item.line, message));
        } else if xml::read(&Fetched::of(&response, 64 << 10).text).kind == Kind::Index {
            let message = "the file is an index itself; indexes are not nested".to_owned();
            faults.push(Wrong::new(Code::NestedIndex, item.line, message));
        }
    }
}

/// Entries evenly from the beginning to the end.
fn spread(items: &[Item], most: usize) -> impl Iterator<Item = &Item> {
    let take = most.min(items.len());
    (0..take).map(move |at| &items[at * items.len() / take])
}

fn sampled(cx: &Cx, items: &[Item], most: usize) -> Vec<Sampled> {
    let urls: Vec<Url> = spread(items, most).filter_map(|it| it.loc.parse().ok()).collect();
    let requests = urls.iter().map(|url| Request::get(url).follow(0).max_bytes(128 << 10).timeout(8_000));
    let answers = cx.web().fetch_many(requests);
    urls.iter().zip(answers).map(|(url, answer)| state(url.as_str(), &answer)).collect()
}

/// How an address of a sitemap answered, in one word.
fn state(url: &str, answer: &Result<Response, Failure>) -> Sampled {
    let (status, state) = match answer {
        Err(Failure::Disallowed) => (0, "robots_disallowed".to_owned()),
        Err(failure) => (0, failure.name().to_owned()),
        Ok(response) => {
            let facts = site::live::whole(url, response).0;
            (response.status, facts.indexability.reason.word().to_owned())
        }
    };
    let fix = (state != "ok").then(|| Fix::on("indexing.url.check", url));
    Sampled { url: url.to_owned(), status, state, fix }
}

fn counts(fetched: &Fetched, kind: Type, items: &[Item]) -> Counts {
    let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    let index = kind == Type::Index;
    Counts {
        urls: if index { 0 } else { number(items.len()) },
        sitemaps: if index { number(items.len()) } else { 0 },
        images: items.iter().map(|it| it.images).sum(),
        videos: items.iter().map(|it| it.videos).sum(),
        news: number(items.iter().filter(|it| it.news).count()),
        alternates: items.iter().map(|it| number(it.alternates.len())).sum(),
        lastmod: number(items.iter().filter(|it| it.lastmod.is_some()).count()),
        bytes: fetched.bytes,
        gzip: fetched.gzip,
    }
}
