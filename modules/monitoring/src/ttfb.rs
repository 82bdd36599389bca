//! The operation `monitoring.ttfb.sample`.

use kit::statistics::{quantile, round};
use sdk::prelude::*;
use sdk::{Degraded, Failure, Next, Request, Response, json};

/// The longest pause of a host that is waited for, and all waiting together, in milliseconds.
const LONGEST_PAUSE: u32 = 5_000;
const LONGEST: u64 = 75_000;
/// Samples from which a 95th percentile is one.
const ENOUGH: usize = 20;
/// First bytes are what counts: a little of the body is enough.
const BYTES: u32 = 1_024;

#[args]
pub(crate) struct Sample {
    /// A public address.
    url: Url,
    /// Requests that are counted.
    #[default(5)]
    samples: Count<3, 20>,
}

/// Milliseconds of the parts of a request, at the median.
#[value]
pub(crate) struct Phases {
    /// Looking up the name; 0 where the host knew it.
    dns_ms: f64,
    connect_ms: f64,
    /// Agreeing on keys; null for an address without.
    tls_ms: Option<f64>,
    /// From the request to the first byte.
    wait_ms: f64,
}

/// What the address answers from a cache, and what it makes anew.
#[value]
pub(crate) struct Halves {
    /// The median of plain requests, and of those with a parameter that no cache knows.
    plain_p50_ms: f64,
    busted_p50_ms: f64,
    /// The values of caches in the answers, such as `cf-cache-status: HIT`.
    cache_headers: Vec<String>,
    /// Whether plain requests are answered from a cache, as far as these tell.
    is_cached: Option<bool>,
}

/// How soon an address answers.
#[value]
pub(crate) struct Sampled {
    /// From the start of a request to the first byte, name and connection included: at the median of plain requests.
    p50_ms: f64,
    p95_ms: f64,
    samples: u64,
    failed: u64,
    phases: Phases,
    cached_vs_origin: Halves,
    status: u16,
    final_url: String,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// Samples connect, TLS and first-byte times of a URL several times, cached and cache-busted, and returns p50, p95 and the split.
///
/// After one request that is not counted, plain requests alternate with such that have a parameter no cache knows. All are made from
/// one place, as fast as the host's manners allow. The time of TLS is estimated: that of a handshake less that of a connection.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 24),
    needs = ["web", "tls"],
    phrasings = ["measure time to first byte", "how fast does my server answer", "is my page cached"],
    examples = [{ "url": "https://shop.example/", "samples": 5 }]
)]
pub(crate) fn sample(cx: &Cx, args: Sample) -> Result<Sampled> {
    let count = usize::try_from(args.samples.get()).unwrap_or(3);
    let first = ask(cx, &args.url).map_err(|failure| refused(failure, "/url"))?;
    let (mut plain, mut busted, mut failed) = (Vec::new(), Vec::new(), 0);
    for at in 0..count {
        if cx.elapsed() > LONGEST {
            break;
        }
        let is_plain = at % 2 == 0;
        let url = if is_plain { args.url.clone() } else { bust(cx, &args.url) };
        match ask(cx, &url) {
            Ok(answer) if is_plain => plain.push(answer),
            Ok(answer) => busted.push(answer),
            Err(_) => failed += 1,
        }
    }
    if plain.is_empty() || busted.is_empty() {
        let message = "too few requests were answered to say anything; try again later";
        return Err(Fault::unavailable("too_few_answers", message).at("/url"));
    }
    let times = |of: &[Response]| of.iter().map(|it| f64::from(it.timing.first_byte_ms)).collect::<Vec<_>>();
    let middle = |of: &[Response], part: &dyn Fn(&Response) -> u32| {
        round(quantile(&of.iter().map(|it| f64::from(part(it))).collect::<Vec<_>>(), 0.5), 1)
    };
    let connect_ms = middle(&plain, &|it| it.timing.connect_ms);
    let all = plain.iter().chain(&busted);
    let mut cache_headers: Vec<String> = plain.iter().flat_map(said).collect();
    cache_headers.sort();
    cache_headers.dedup();
    let mut degraded = vec![Degraded::new("place", "measured from one place; visitors are elsewhere")];
    let answered = plain.len() + busted.len();
    if plain.len() < ENOUGH {
        let why = format!("of {} plain requests the 95th percentile is near the slowest one", plain.len());
        degraded.push(Degraded::new("p95_ms", why));
    }
    if answered + failed < count {
        let why = format!("the host asks for pauses: {answered} of {count} requests fit into the time");
        degraded.push(Degraded::new("samples", why));
    }
    let statuses: Vec<u16> = all.map(|it| it.status).collect();
    if statuses.iter().any(|it| *it != first.status) {
        degraded
            .push(Degraded::new("status", "the answers have different statuses, so the times are of different things"));
    }
    let tls_ms = (args.url.scheme() == "https").then(|| handshake(cx, &args.url, connect_ms)).flatten();
    let is_cached = is_cached(&plain);
    let weigh = json!({ "url": args.url });
    Ok(Sampled {
        p50_ms: round(quantile(&times(&plain), 0.5), 1),
        p95_ms: round(quantile(&times(&plain), 0.95), 1),
        samples: answered as u64,
        failed: failed as u64,
        phases: Phases {
            dns_ms: middle(&plain, &|it| it.timing.dns_ms),
            connect_ms,
            tls_ms,
            wait_ms: middle(&plain, &|it| {
                it.timing.first_byte_ms.saturating_sub(it.timing.dns_ms + it.timing.connect_ms)
            }),
        },
        cached_vs_origin: Halves {
            plain_p50_ms: round(quantile(&times(&plain), 0.5), 1),
            busted_p50_ms: round(quantile(&times(&busted), 0.5), 1),
            cache_headers,
            is_cached,
        },
        status: first.status,
        final_url: first.url,
        degraded,
        next: vec![Next::new("monitoring.headers.check", weigh, "shows what the headers say to caches")],
    })
}

/// Asks once; a short pause that the host wants is kept.
fn ask(cx: &Cx, url: &Url) -> Result<Response, Failure> {
    let request = || Request::get(url).max_bytes(BYTES).timeout(15_000);
    match cx.web().fetch(&request()) {
        Err(Failure::Paced(seconds)) if seconds * 1_000 <= LONGEST_PAUSE => {
            cx.wait(seconds.max(1) * 1_000);
            cx.web().fetch(&request())
        }
        answer => answer,
    }
}

fn refused(failure: Failure, pointer: &str) -> Fault {
    match failure {
        Failure::Refused => Fault::invalid(pointer, "url_refused", "this address is not a public web page"),
        failure => failure.unasked(pointer).unwrap_or_else(|| {
            let message = format!("the address did not answer: {}", failure.name());
            Fault::invalid(pointer, "page_unreachable", message)
        }),
    }
}

/// The address with a parameter that no cache knows.
fn bust(cx: &Cx, url: &Url) -> Url {
    let random: String = cx.random::<8>().iter().map(|it| format!("{it:02x}")).collect();
    let joined = if url.query().is_some() { '&' } else { '?' };
    let text = url.as_str().split('#').next().unwrap_or_default();
    format!("{text}{joined}espalier={random}").parse().unwrap_or_else(|_| url.clone())
}

/// What caches say of an answer.
fn said(answer: &Response) -> Vec<String> {
    const NAMES: [&str; 7] =
        ["cf-cache-status", "x-cache", "x-cache-status", "cache-status", "age", "x-vercel-cache", "x-varnish-cache"];
    let values = NAMES.iter().filter_map(|name| Some(format!("{name}: {}", answer.header(name)?)));
    values.map(|it| it.chars().take(120).collect()).filter(|it: &String| !it.starts_with("age: ")).collect()
}

/// Whether answers come from a cache; none where nothing says it.
fn is_cached(plain: &[Response]) -> Option<bool> {
    let last = plain.last()?;
    let aged = last.header("age").and_then(|it| it.trim().parse::<u64>().ok()).map(|it| it > 0);
    let told = said(last).join(" ").to_lowercase();
    let hit = told.contains("hit") && !told.contains("nohit");
    if told.is_empty() && aged.is_none() {
        return None;
    }
    Some(hit || aged == Some(true))
}

/// The time of a handshake without its connection.
fn handshake(cx: &Cx, url: &Url, connect_ms: f64) -> Option<f64> {
    let report = cx.tls().inspect(url.host_str()?, url.port().unwrap_or(443)).ok()?;
    Some(round((f64::from(report.milliseconds) - connect_ms).max(0.0), 1))
}

#[cfg(test)]
mod tests;
