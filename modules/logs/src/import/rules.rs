//! What a source says about its lines: whose hosts they are of, who asked, and how addresses are written.

use std::borrow::Cow;
use std::net::IpAddr;

use bots::Ranges;
use kit::url::is_tracking;
use site::Site;

use crate::format::Line;
use crate::stored::{RealIp, Source};

/// Hosts of assistants that send visitors, and what `utm_source` says of them.
///
/// Apps send none of both: what is counted is a lower bound.
const ASSISTANTS: [(&str, &str); 22] = [
    ("chatgpt.com", "chatgpt"),
    ("chat.openai.com", "chatgpt"),
    ("perplexity.ai", "perplexity"),
    ("www.perplexity.ai", "perplexity"),
    ("gemini.google.com", "gemini"),
    ("bard.google.com", "gemini"),
    ("notebooklm.google.com", "gemini"),
    ("copilot.microsoft.com", "copilot"),
    ("copilot.cloud.microsoft", "copilot"),
    ("m365.cloud.microsoft", "copilot"),
    ("claude.ai", "claude"),
    ("chat.mistral.ai", "mistral"),
    ("chat.deepseek.com", "deepseek"),
    ("grok.com", "grok"),
    ("meta.ai", "meta"),
    ("www.meta.ai", "meta"),
    ("you.com", "you"),
    ("poe.com", "poe"),
    ("www.phind.com", "phind"),
    ("duck.ai", "duckduckgo"),
    ("kagi.com/assistant", "kagi"),
    ("chat.qwen.ai", "qwen"),
];

/// The rules of a source.
pub(crate) struct Rules {
    origin: String,
    /// The website's own host, in lower case and with its port.
    own: String,
    hosts: Vec<String>,
    ignored: Vec<String>,
    real_ip: RealIp,
    proxies: Option<Ranges>,
}

impl Rules {
    pub(crate) fn of(site: &Site, source: &Source) -> Self {
        let own = site.origin.split("://").nth(1).unwrap_or(&site.domain).to_ascii_lowercase();
        let bare = bare(&own).to_owned();
        let hosts = if source.hosts.is_empty() {
            vec![bare.clone(), format!("www.{bare}"), bare.trim_start_matches("www.").to_owned()]
        } else {
            source.hosts.iter().map(|it| it.to_ascii_lowercase()).collect()
        };
        let proxies = Ranges::of(source.proxies.iter().map(String::as_str)).ok();
        Self {
            origin: site.origin.clone(),
            own,
            hosts,
            ignored: source.ignore_params.iter().map(|it| it.to_ascii_lowercase()).collect(),
            real_ip: source.real_ip,
            proxies,
        }
    }

    /// Whether a line is one of this website's.
    pub(crate) fn has(&self, host: &[u8]) -> bool {
        host.is_empty()
            || std::str::from_utf8(host).is_ok_and(|host| {
                let host = bare(host);
                self.hosts.iter().any(|it| it.eq_ignore_ascii_case(host))
            })
    }

    /// Who asked.
    pub(crate) fn address(&self, line: &Line<'_>) -> Option<IpAddr> {
        let of = |text: &[u8]| -> Option<IpAddr> {
            let text = std::str::from_utf8(text).ok()?.trim();
            let text = text.strip_prefix('[').and_then(|it| it.split(']').next()).unwrap_or(text);
            let text = text.split('%').next().unwrap_or(text);
            let port = || text.rsplit_once(':').filter(|(host, _)| !host.contains(':')).map(|(host, _)| host);
            text.parse().ok().or_else(|| port()?.parse().ok()).map(|it: IpAddr| it.to_canonical())
        };
        if self.real_ip == RealIp::Forwarded {
            let mut all = line.forwarded.split(|it| *it == b',').rev().filter_map(of);
            let known =
                |it: &IpAddr| is_public(it) && !self.proxies.as_ref().is_some_and(|ranges| ranges.contains(*it));
            if let Some(address) = all.find(known) {
                return Some(address);
            }
        }
        of(&line.address)
    }

    /// The address that was asked for, normalised as crawls write theirs; `None` for what is none.
    pub(crate) fn url(&self, host: &[u8], target: &[u8]) -> Option<String> {
        let target = String::from_utf8_lossy(target);
        let path = if target.starts_with('/') {
            target
        } else {
            let (named, path) = super::absolute(&target)?;
            if !self.has(named.as_bytes()) {
                return None;
            }
            Cow::Owned(path)
        };
        let host = String::from_utf8_lossy(host).to_ascii_lowercase();
        let origin = if host.is_empty() || host == self.own || bare(&host) == bare(&self.own) {
            Cow::Borrowed(self.origin.as_str())
        } else {
            let scheme = self.origin.split("://").next().unwrap_or("https");
            Cow::Owned(format!("{scheme}://{host}"))
        };
        let path = self.without(&path, |_| false);
        let mut url = kit::url::normalize(&format!("{origin}{path}"))?;
        // An address with parameters that say where somebody came from is one of its own to a bot, and costs a request.
        for pair in path.split_once('?').map_or("", |it| it.1).split('&') {
            if is_tracking(pair.split('=').next().unwrap_or_default()) && pair.is_ascii() {
                url.push(if url.contains('?') { '&' } else { '?' });
                url.push_str(pair);
            }
        }
        Some(url).filter(|it| !it.contains('\0') && it.len() <= 4_096)
    }

    /// A target without the parameters that the source leaves out, and those that `more` names.
    fn without<'t>(&self, target: &'t str, more: impl Fn(&str) -> bool) -> Cow<'t, str> {
        let target = target.split('#').next().unwrap_or(target);
        let Some((path, query)) = target.split_once('?') else { return Cow::Borrowed(target) };
        let gone = |pair: &&str| {
            let name = pair.split('=').next().unwrap_or(pair).to_ascii_lowercase();
            self.ignored.contains(&name) || more(&name)
        };
        if !query.split('&').any(|pair| gone(&pair)) {
            return Cow::Borrowed(target);
        }
        let kept: Vec<&str> = query.split('&').filter(|pair| !gone(pair)).collect();
        Cow::Owned(if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) })
    }

    /// The page of a visit, without what only says where the visitor came from.
    pub(crate) fn page(&self, host: &[u8], target: &[u8]) -> Option<String> {
        let text = String::from_utf8_lossy(target);
        let plain = self.without(&text, is_tracking);
        self.url(host, plain.as_bytes())
    }
}

/// A host without its port.
fn bare(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|it| it.is_ascii_digit()) => name,
        _ => host,
    }
}

/// The assistant that sent a visitor, by the referrer or by `utm_source`.
pub(crate) fn assistant(referrer: &[u8], target: &[u8]) -> Option<&'static str> {
    let by_source = || {
        let at = target.windows(11).position(|it| it == b"utm_source=")?;
        let value = target[at + 11..].split(|it| *it == b'&').next()?;
        ASSISTANTS.iter().find(|(host, product)| {
            value.eq_ignore_ascii_case(host.as_bytes()) || value.eq_ignore_ascii_case(product.as_bytes())
        })
    };
    let by_referrer = || {
        let rest = referrer.strip_prefix(b"https://").or_else(|| referrer.strip_prefix(b"http://"))?;
        ASSISTANTS.iter().find(|(host, _)| {
            let after = rest.get(host.len());
            rest.get(..host.len()).is_some_and(|it| it.eq_ignore_ascii_case(host.as_bytes()))
                && matches!(after, None | Some(b'/' | b'?' | b':' | b'#'))
        })
    };
    by_referrer().or_else(by_source).map(|(_, product)| *product)
}

/// Whether an address is one of the internet.
pub(crate) fn is_public(address: &IpAddr) -> bool {
    match address {
        IpAddr::V4(it) => {
            let [a, b, ..] = it.octets();
            !(it.is_private() || it.is_loopback() || it.is_link_local() || it.is_unspecified() || it.is_multicast())
                && !(a == 100 && (64..128).contains(&b))
        }
        IpAddr::V6(it) => {
            let first = it.segments()[0];
            !(it.is_loopback() || it.is_unspecified() || it.is_multicast())
                && first & 0xfe00 != 0xfc00
                && first & 0xffc0 != 0xfe80
        }
    }
}
