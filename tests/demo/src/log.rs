//! An access log of the demo shop whose truth is known: people, bots that are who they say they are, others that are not, and
//! an outage.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::addresses;

/// The form of the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// What Apache and nginx write unless told otherwise.
    Combined,
    /// The virtual host before it.
    VhostCombined,
    /// W3C extended log, as IIS writes it.
    Iis,
    /// JSON, as Caddy writes it.
    Json,
}

/// A log with what is true of it.
#[derive(Debug, Clone)]
pub struct Log {
    /// Its lines in the order of time, each with its second since 1970 UTC.
    pub lines: Vec<(u64, String)>,
    /// Requests by family and by whether they are its own: `googlebot`, `googlebot spoofed`.
    pub bots: BTreeMap<String, u64>,
    /// Requests of people.
    pub people: u64,
    /// Visits that an assistant sent.
    pub referrals: u64,
    /// The second at which the outage begins, and its minutes.
    pub outage: (u64, u64),
}

/// Who comes: family, user agent, the network that it comes from, requests an hour, and whether it is what it says.
const BOTS: [(&str, &str, &str, u64, bool); 5] = [
    ("googlebot", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "192.0.2", 30, true),
    ("gptbot", "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)", "198.51.100", 9, true),
    ("gptbot spoofed", "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)", "203.0.113", 3, false),
    ("chatgpt-user", "Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)", "198.51.100", 5, true),
    ("yandexbot", "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)", "203.0.113", 4, true),
];
const BROWSER: &str =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
/// Requests of people in an hour.
const PEOPLE: u64 = 60;
/// Minutes of the outage.
const OUTAGE: u64 = 20;

/// A log of so many days from the day of `first`, a second since 1970 UTC. The same seed gives the same log.
///
/// The outage is in the afternoon of the last day.
#[must_use]
pub fn access_log(seed: u64, first: u64, days: u64, format: LogFormat) -> Log {
    let paths: Vec<&str> = addresses().collect();
    let midnight = first - first % 86_400;
    let outage = midnight + days.saturating_sub(1) * 86_400 + 15 * 3_600;
    let mut chance = Chance(seed);
    let mut log = Log { lines: Vec::new(), bots: BTreeMap::new(), people: 0, referrals: 0, outage: (outage, OUTAGE) };
    for hour in 0..days * 24 {
        let begin = midnight + hour * 3_600;
        let mut requests: Vec<(u64, Request<'_>)> = Vec::new();
        for (family, agent, network, often, _) in BOTS {
            for _ in 0..often {
                let second = begin + chance.below(3_600);
                let path = paths[usize::try_from(chance.below(paths.len() as u64)).unwrap_or(0)];
                let address = format!("{network}.{}", 1 + chance.below(100));
                *log.bots.entry(family.to_owned()).or_default() += 1;
                requests.push((second, Request { address, path: path.to_owned(), agent, referrer: "-", status: 200 }));
            }
        }
        for at in 0..PEOPLE {
            let second = begin + chance.below(3_600);
            let path = paths[usize::try_from(chance.below(paths.len() as u64)).unwrap_or(0)];
            let address = format!("203.0.113.{}", 101 + chance.below(50));
            let sent = at == 0;
            log.people += 1;
            log.referrals += u64::from(sent && !(outage..outage + OUTAGE * 60).contains(&second));
            let referrer = if sent { "https://chatgpt.com/" } else { "-" };
            requests.push((second, Request { address, path: path.to_owned(), agent: BROWSER, referrer, status: 200 }));
        }
        requests.sort_by_key(|it| it.0);
        for (second, mut request) in requests {
            if (outage..outage + OUTAGE * 60).contains(&second) {
                request.status = 503;
            }
            log.lines.push((second, request.line(second, format)));
        }
    }
    log
}

struct Request<'a> {
    address: String,
    path: String,
    agent: &'a str,
    referrer: &'a str,
    status: u16,
}

impl Request<'_> {
    fn line(&self, second: u64, format: LogFormat) -> String {
        let Self { address, path, agent, referrer, status } = self;
        let (day, time) = (second / 86_400, second % 86_400);
        let (year, month, date) = civil(day);
        let (hour, minute, rest) = (time / 3_600, time / 60 % 60, time % 60);
        let name = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
            [usize::try_from(month - 1).unwrap_or(0)];
        let mut out = String::new();
        let written = match format {
            LogFormat::Combined | LogFormat::VhostCombined => {
                if format == LogFormat::VhostCombined {
                    out.push_str("shop.example:80 ");
                }
                write!(
                    out,
                    "{address} - - [{date:02}/{name}/{year}:{hour:02}:{minute:02}:{rest:02} +0000] \"GET {path} HTTP/1.1\" \
                     {status} 5120 \"{referrer}\" \"{agent}\""
                )
            }
            LogFormat::Iis => {
                let (agent, referrer) = (agent.replace(' ', "+"), referrer.replace(' ', "+"));
                write!(
                    out,
                    "{year}-{month:02}-{date:02} {hour:02}:{minute:02}:{rest:02} 10.0.0.1 GET {path} - 80 - {address} {agent} \
                     {referrer} {status} 0 0 46"
                )
            }
            LogFormat::Json => write!(
                out,
                "{{\"ts\":{second}.25,\"request\":{{\"remote_ip\":\"{address}\",\"method\":\"GET\",\"host\":\"shop.example\",\
                 \"uri\":\"{path}\",\"headers\":{{\"User-Agent\":[\"{agent}\"],\"Referer\":[\"{referrer}\"]}}}},\
                 \"duration\":0.046,\"size\":5120,\"status\":{status}}}"
            ),
        };
        debug_assert!(written.is_ok(), "a text takes everything");
        out
    }
}

/// Year, month and day of a number of days since 1970.
fn civil(days: u64) -> (u64, u64, u64) {
    // Counted from March of the year 0, in eras of 400 years.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

/// A linear congruential generator (Knuth, MMIX).
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most.max(1)
    }
}
