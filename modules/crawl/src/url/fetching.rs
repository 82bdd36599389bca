//! The operation `crawl.url.fetch`.

mod shown;

use std::collections::BTreeMap;

use kit::page::{self, Hop, PageFacts, Timing};
use kit::robots::AGENT;
use kit::url::{bare_host, normal, resolve};
use sdk::Degraded;
use sdk::Whole;
use sdk::prelude::*;

use self::shown::{End, Exchange, HeadView, RobotsVerdict, Secure, TextView, head, text};
use super::{Rules, rules};
use crate::work::failure_name;

/// Outside requests of one call, as the host allows them.
const MOST_REQUESTS: u32 = 8;
/// Bytes of the page that are read: more than 99 of 100 pages have fewer.
const MOST_BYTES: u32 = 2 << 20;
/// After this many milliseconds nothing new is asked for; a whole read has 10 seconds.
const LATEST_MS: u64 = 5_000;
const TIMEOUT_MS: u32 = 4_000;

#[args]
pub(crate) struct Fetch {
    /// The address.
    url: Url,
    /// Who asks. This service always says its own name: with `generic_browser`, `degraded` says that it did so.
    #[default("espalier_bot")]
    user_agent: UserAgent,
    /// Redirects to follow.
    #[default(5)]
    follow: Count<0, 10>,
}

/// Who asks.
#[value]
pub(crate) enum UserAgent {
    EspalierBot,
    GenericBrowser,
}

/// What an address answers now.
#[value]
pub(crate) struct Fetched {
    /// Every exchange, in order.
    chain: Vec<Exchange>,
    /// Where they ended.
    r#final: End,
    /// Milliseconds of the last exchange; `connect_ms` holds the TLS handshake.
    timing: Timing,
    /// The secure connection.
    tls: Secure,
    /// What robots.txt says.
    robots: RobotsVerdict,
    /// The head, of an HTML page.
    head: Option<Whole<HeadView>>,
    /// The text, of an HTML page.
    text: Option<TextView>,
    /// The name that was said.
    user_agent: String,
    /// When.
    fetched_at: Moment,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Fetches one public address now: redirects, headers, timing, robots verdict, head elements and numbers of the text.
///
/// Each redirect is asked for as an exchange of its own, at most eight requests in all with those for robots.txt, which is
/// obeyed on every host: an address that it forbids is not asked, and the answer says so. Of a secure host the certificate
/// is shown too, which counts as two requests. An address that does not answer
/// is an answer too: `failure` says why.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 8),
    needs = ["web", "tls"],
    phrasings = ["fetch this url now", "what does this address answer", "show redirect chain and headers of a url", "is this url blocked by robots.txt", "how fast does this page respond"],
    examples = [{ "url": "https://shop.example/" }, { "url": "https://shop.example/old", "follow": 0 }]
)]
pub(crate) fn fetch(cx: &Cx, args: Fetch) -> Result<Fetched> {
    let mut degraded = vec![Degraded::new(
        "tls",
        "the certificate is checked but not described, and the TLS handshake is part of `connect_ms`",
    )];
    if args.user_agent == UserAgent::GenericBrowser {
        degraded
            .push(Degraded::new("user_agent", format!("asked as {AGENT}: this service does not pass for a browser")));
    }
    let mut known: BTreeMap<String, Rules> = BTreeMap::new();
    let (mut chain, mut requests) = (Vec::new(), 0);
    let mut at = args.url.without_fragment();
    let mut last = None;
    let facts = loop {
        let host = bare_host(&at).to_owned();
        if !known.contains_key(&host) {
            requests += 1;
            known.insert(host.clone(), rules(cx, &at));
        }
        let rules = &known[&host];
        let address = normal(&at).unwrap_or_else(|| at.as_str().to_owned());
        if let Some(failure) = rules.failure {
            break page::unanswered(&address, failure_name(&failure));
        }
        if !rules.robots.allows(&address) {
            degraded.push(Degraded::new("final", "robots.txt forbids the address, so it was not asked"));
            break page::unanswered(&address, "robots");
        }
        requests += 1;
        let answer = match cx.web().fetch(&Request::get(&at).follow(0).max_bytes(MOST_BYTES).timeout(TIMEOUT_MS)) {
            Ok(answer) => answer,
            Err(failure) => {
                chain.push(Exchange::failed(&address, failure_name(&failure)));
                break page::unanswered(&address, failure_name(&failure));
            }
        };
        let facts = read(&address, &chain, &answer);
        let next = (300..400).contains(&answer.status).then(|| resolve(&at, answer.header("location")?)).flatten();
        chain.push(Exchange::of(&address, &answer, next.as_ref().map(|url| url.as_str().to_owned())));
        last = Some(answer);
        let Some(next) = next.and_then(|url| Url::try_from(url).ok()) else { break facts };
        if chain.len() > usize::try_from(u64::from(args.follow)).unwrap_or(usize::MAX) {
            break facts;
        }
        if chain.iter().any(|hop| hop.url == normal(&next).unwrap_or_default()) {
            degraded.push(Degraded::new("chain", "the redirects go in a circle"));
            break facts;
        }
        if requests + 2 > MOST_REQUESTS || cx.elapsed() > LATEST_MS {
            degraded.push(Degraded::new(
                "chain",
                "one call asks eight times and for five seconds at most, so the redirects end here",
            ));
            break facts;
        }
        at = next.without_fragment();
    };
    let truncated = last.as_ref().is_some_and(|answer| answer.truncated);
    if truncated {
        degraded.push(Degraded::new("page", format!("only the first {} KiB of the page were read", MOST_BYTES >> 10)));
    }
    let rules = &known[bare_host(&at)];
    let mut tls = Secure {
        secure: at.scheme() == "https" && facts.failure.is_none(),
        failed: facts.failure.as_deref() == Some("tls"),
        hsts: facts.headers.get("strict-transport-security").map(str::to_owned),
        ..Secure::default()
    };
    let port = at.port_or_known_default().unwrap_or(443);
    if at.scheme() == "https" && (tls.secure || tls.failed) && matches!(port, 443 | 8443) {
        // A look at the certificate counts as two requests.
        let seen = (requests + 2 <= MOST_REQUESTS && cx.elapsed() < LATEST_MS)
            .then(|| cx.tls().inspect(at.host_str().unwrap_or_default(), port).ok())
            .flatten();
        match seen {
            Some(report) => tls.take(report),
            None => degraded.push(Degraded::new("tls", "the certificate could not be looked at within this call")),
        }
    }
    let robots = RobotsVerdict {
        allowed: rules.robots.allows(&facts.url),
        status: rules.status,
        crawl_delay_ms: rules.robots.crawl_delay_ms,
        sitemaps: rules.robots.sitemaps.iter().take(50).cloned().collect(),
    };
    Ok(Fetched {
        r#final: End {
            url: facts.url.clone(),
            status: facts.failure.is_none().then_some(facts.status),
            failure: facts.failure.clone(),
            content_type: facts.content_type.clone(),
            bytes: facts.html_bytes,
            indexability: facts.indexability,
        },
        timing: facts.timing,
        tls,
        robots,
        head: facts.is_html.then(|| Whole(head(&facts))),
        text: facts.is_html.then(|| text(&facts)),
        chain,
        user_agent: AGENT.to_owned(),
        fetched_at: cx.now(),
        degraded,
    })
}

pub(super) fn timing(answer: &Response) -> Timing {
    let it = answer.timing;
    Timing { dns_ms: it.dns_ms, connect_ms: it.connect_ms, first_byte_ms: it.first_byte_ms, total_ms: it.total_ms }
}

fn read(url: &str, chain: &[Exchange], answer: &Response) -> PageFacts {
    let hop = |it: &Exchange| Hop {
        url: it.url.clone(),
        status: it.status,
        location: it.location.clone().unwrap_or_default(),
    };
    let hops: Vec<Hop> = chain.iter().map(hop).collect();
    page::read(&page::Answer {
        url,
        final_url: url,
        status: answer.status,
        hops: &hops,
        headers: &answer.headers,
        body: &answer.body,
        truncated: answer.truncated,
        timing: timing(answer),
    })
}
