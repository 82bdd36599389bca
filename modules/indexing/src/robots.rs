//! The operations `indexing.robots.get` and `indexing.robots.test`, and how a robots.txt is fetched.

pub(crate) mod composing;
pub(crate) mod lines;
pub(crate) mod linting;

use kit::robots::{MOST_BYTES, Robots};
use sdk::Failure;
use sdk::prelude::*;
use sdk::value::GivenUrl;

use self::lines::{Group, Written};

/// Redirects that are followed: Google follows at least five (developers.google.com/crawling/docs/robots-txt,
/// RFC 9309 section 2.3.1.2).
const REDIRECTS: u8 = 5;
/// Characters of a file that a result shows.
const SHOWN: usize = 100_000;

/// What the answer to a request for robots.txt means for crawlers.
#[value]
pub(crate) enum Effect {
    /// There are rules, and they hold.
    Rules,
    /// There is no file: everything may be fetched.
    AllowAll,
    /// The file cannot be had at the moment: nothing may be fetched.
    DisallowAll,
}

/// A robots.txt as it was fetched.
pub(crate) struct Fetched {
    /// The address asked for.
    pub(crate) url: String,
    /// The address that answered.
    pub(crate) final_url: String,
    /// 0 without an answer.
    pub(crate) status: u16,
    pub(crate) failure: Option<String>,
    pub(crate) redirects: usize,
    pub(crate) body: Vec<u8>,
    /// Whether the file was longer than what is read.
    pub(crate) truncated: bool,
}

impl Fetched {
    pub(crate) fn effect(&self) -> Effect {
        match self.status {
            200..=299 => Effect::Rules,
            429 => Effect::DisallowAll,
            300..=499 => Effect::AllowAll,
            _ => Effect::DisallowAll,
        }
    }

    /// What it says to one crawler.
    pub(crate) fn rules(&self, agent: &str) -> Robots {
        Robots::of_answer(self.status, &self.body, agent)
    }
}

/// The origin of an address; 422 at `pointer` when it has none.
pub(crate) fn origin(url: &Url, pointer: &str) -> Result<String> {
    let parsed = kit::url::Url::parse(url.as_str()).ok().filter(kit::url::Url::has_host);
    let origin = parsed.map(|it| kit::url::origin(&it));
    origin.ok_or_else(|| Fault::invalid(pointer, "no_origin", "the address has no host"))
}

/// Fetches the robots.txt of an origin. A host that asks for a pause, and an address that may not be asked, are
/// refusals; every other failure is an answer.
pub(crate) fn fetch(cx: &Cx, origin: &str, pointer: &str) -> Result<Fetched> {
    let url = format!("{origin}/robots.txt");
    let address: Url = url.parse().map_err(|why: String| Fault::invalid(pointer, "no_url", why))?;
    // One byte more than what counts, so that a longer file shows as one.
    let most = u32::try_from(MOST_BYTES + 1).unwrap_or(u32::MAX);
    let answer = cx.web().fetch(&Request::get(&address).follow(REDIRECTS).max_bytes(most).timeout(8_000));
    Ok(match answer {
        Ok(it) => Fetched {
            url,
            final_url: it.url,
            status: it.status,
            failure: None,
            redirects: it.hops.len(),
            truncated: it.truncated,
            body: it.body,
        },
        Err(Failure::Refused) => {
            return Err(Fault::invalid(pointer, "url_refused", "this address is not a public one"));
        }
        Err(failure @ Failure::Paced(_)) => return Err(paused(failure, pointer)),
        // More redirects than crawlers follow are as good as no file (RFC 9309 section 2.3.1.2).
        Err(Failure::Redirects) => unanswered(url, 404, "redirects"),
        Err(failure) => unanswered(url, 0, failure.name()),
    })
}

fn unanswered(url: String, status: u16, failure: &str) -> Fetched {
    Fetched {
        final_url: url.clone(),
        url,
        status,
        failure: Some(failure.to_owned()),
        redirects: 0,
        body: Vec::new(),
        truncated: false,
    }
}

/// The refusal of a host that wants a pause.
pub(crate) fn paused(failure: Failure, pointer: &str) -> Fault {
    let told = || Fault::unavailable("host_paced", "the host wants to be left alone; ask again later").at(pointer);
    failure.unasked(pointer).unwrap_or_else(told)
}

#[args]
pub(crate) struct Get {
    /// The website, by any of its addresses: `https://shop.example`.
    origin: Url,
}

/// A robots.txt.
#[value]
pub(crate) struct File {
    /// The address asked for.
    url: String,
    /// The address that answered, after redirects.
    final_url: String,
    /// Its status; 0 without an answer.
    status: u16,
    /// Why there was no answer, such as `timeout`.
    failure: Option<String>,
    /// Redirects that were followed.
    redirects: u32,
    /// What that means for crawlers.
    effect: Effect,
    /// In words.
    effect_words: String,
    /// Who the rules are for, in the order of the file.
    groups: Vec<Group>,
    /// The `Sitemap` lines, as written.
    sitemaps: Vec<String>,
    /// Bytes of the file; what lies behind 512,000 is not read by crawlers.
    bytes: u64,
    /// Whether the file is longer than that.
    truncated: bool,
    /// The file as text, at most 100,000 characters.
    raw: String,
    /// When it was fetched.
    fetched_at: Moment,
}

/// Fetches robots.txt following Google's redirect and status rules and returns groups, rules, sitemaps, size and the effect of the HTTP status.
///
/// A status of 400 to 499 other than 429 is no file and allows everything; 429, 500 to 599 and no answer forbid
/// everything for the time being (RFC 9309 section 2.3.1, and Google's documentation for 429). More than five redirects
/// count as no file.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "show me the robots.txt of my site",
        "what does my robots.txt say",
        "is my robots.txt reachable",
        "which sitemaps does my robots.txt list",
    ],
    examples = [{ "origin": "https://shop.example" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<File> {
    let origin = origin(&args.origin, "/origin")?;
    let fetched = fetch(cx, &origin, "/origin")?;
    let effect = fetched.effect();
    let written = if effect == Effect::Rules { Written::read(&fetched.body) } else { Written::default() };
    let text = String::from_utf8_lossy(&fetched.body);
    let raw = if effect == Effect::Rules { kit::text::clip(&text, SHOWN).to_owned() } else { String::new() };
    Ok(File {
        effect_words: words(&fetched),
        groups: written.groups(),
        sitemaps: written.sitemaps().map(|(_, url)| url.to_owned()).collect(),
        bytes: fetched.body.len() as u64,
        truncated: fetched.truncated,
        url: fetched.url,
        final_url: fetched.final_url,
        status: fetched.status,
        failure: fetched.failure,
        redirects: u32::try_from(fetched.redirects).unwrap_or(u32::MAX),
        effect,
        raw,
        fetched_at: cx.now(),
    })
}

fn words(it: &Fetched) -> String {
    match (it.effect(), it.failure.as_deref()) {
        (Effect::Rules, _) => "the rules of the file hold".to_owned(),
        (Effect::AllowAll, Some(_)) => "too many redirects: crawlers act as if there were no file".to_owned(),
        (Effect::AllowAll, None) => format!("status {} is no file: crawlers may fetch everything", it.status),
        (Effect::DisallowAll, Some(failure)) => {
            format!("no answer ({failure}): crawlers fetch nothing until the file can be had again")
        }
        (Effect::DisallowAll, None) => {
            format!("status {}: crawlers fetch nothing until the file can be had again", it.status)
        }
    }
}

#[args]
pub(crate) struct Test {
    /// The website whose live robots.txt is asked; that of the first address when left out.
    origin: Option<Url>,
    /// A robots.txt to be tried instead of the live one.
    robots_txt: Option<Text<0, 512_000>>,
    /// The addresses.
    urls: List<GivenUrl, 1, 200>,
    /// Crawlers, by the product token that robots.txt names them by.
    #[default(vec!["Googlebot"])]
    agents: List<Text<1, 60>, 1, 10>,
}

/// One address for one crawler.
#[value]
pub(crate) struct Verdict {
    /// As it was given.
    url: String,
    /// As crawlers compare it with the rules.
    tested: String,
    agent: String,
    /// Whether it may be fetched.
    allowed: bool,
    /// The line that decides, from 1; none when no rule fits or there is no file.
    line: Option<u32>,
    /// That line as written.
    rule: Option<String>,
}

/// What a robots.txt says of addresses.
#[value]
pub(crate) struct Verdicts {
    /// Each address for each crawler.
    results: Vec<Verdict>,
    /// Where the rules are from: an address, or `robots_txt`.
    source: String,
    /// The status that it answered with; none for pasted rules.
    status: Option<u16>,
    /// When it was fetched.
    fetched_at: Option<Moment>,
}

/// Tests URLs against robots.txt (live or pasted) for up to ten user agents with RFC 9309 longest-match semantics and shows the deciding line.
///
/// Addresses of another origin than the file's are refused: a robots.txt holds for its own scheme, host and port only.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "is this URL blocked by robots.txt",
        "can Googlebot crawl these pages",
        "which robots.txt line blocks my page",
        "try this robots.txt draft on my URLs",
    ],
    examples = [
        { "urls": ["https://shop.example/private/"], "agents": ["Googlebot", "Bingbot"] },
        { "urls": ["https://shop.example/a?b=1"], "robots_txt": "User-agent: *\nDisallow: /*?b=" },
    ]
)]
pub(crate) fn test(cx: &Cx, args: Test) -> Result<Verdicts> {
    let origin = match &args.origin {
        Some(url) => origin(url, "/origin")?,
        None => origin(&args.urls[0], "/urls/0")?,
    };
    for (at, url) in args.urls.iter().enumerate() {
        if self::origin(url, &format!("/urls/{at}"))? != origin {
            let message =
                format!("the address is of another origin than {origin}, whose robots.txt does not hold for it");
            return Err(Fault::invalid(format!("/urls/{at}"), "other_origin", message));
        }
    }
    let (fetched, source) = match &args.robots_txt {
        Some(text) => (pasted(&origin, text.as_str()), "robots_txt".to_owned()),
        None => {
            let fetched = fetch(cx, &origin, "/origin")?;
            let source = fetched.final_url.clone();
            (fetched, source)
        }
    };
    let written = if fetched.effect() == Effect::Rules { Written::read(&fetched.body) } else { Written::default() };
    let mut results = Vec::with_capacity(args.urls.len() * args.agents.len());
    for agent in &args.agents {
        let rules = fetched.rules(agent.as_str());
        for url in &args.urls {
            let allowed = rules.allows(url.as_str());
            let decides = written.deciding(agent.as_str(), url.as_str()).filter(|it| it.allow == allowed);
            results.push(Verdict {
                url: url.given().to_owned(),
                tested: url.as_str().to_owned(),
                agent: agent.as_str().to_owned(),
                allowed,
                line: decides.as_ref().map(|it| it.line),
                rule: decides.map(|it| it.rule),
            });
        }
    }
    let live = args.robots_txt.is_none();
    Ok(Verdicts { results, source, status: live.then_some(fetched.status), fetched_at: live.then(|| cx.now()) })
}

/// A pasted file, as if it had been fetched.
pub(crate) fn pasted(origin: &str, text: &str) -> Fetched {
    let url = format!("{origin}/robots.txt");
    Fetched {
        final_url: url.clone(),
        url,
        status: 200,
        failure: None,
        redirects: 0,
        body: text.as_bytes().to_vec(),
        truncated: false,
    }
}

#[cfg(test)]
mod tests;
