//! Requests counted by hour: by address, bot and status, for people by folder and status.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::Hasher as _;
use std::net::IpAddr;

use bots::{Agent, Bot};
use rustc_hash::{FxHashMap, FxHasher};
use sdk::prelude::*;
use serde::{Deserialize, Serialize};
use visits::{Figures as _, Key, Verdict, Visits};

use super::claims::Lists;
use super::rules::{Rules, assistant, is_public};
use crate::format::Line;
use crate::stored::Ip;

/// Rows that are counted before they are written as a run.
pub(crate) const MOST_ROWS: usize = if cfg!(test) { 50 } else { 250_000 };
/// User agents, unknown bots and folders that are told apart at a time.
const MOST_AGENTS: usize = 50_000;
const MOST_UNKNOWN: usize = 2_000;
const MOST_FOLDERS: usize = 500;

/// What an hour of a stream has, to know it again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hour {
    pub(crate) lines: u64,
    /// The first and the last second of it.
    pub(crate) first: i64,
    pub(crate) last: i64,
    /// The sum of the hashes of its lines.
    pub(crate) sum: u64,
    /// Requests, and answers of 500 to 599 among them, of each five minutes.
    pub(crate) slots: [(u32, u32); 12],
}

/// Who asked.
#[derive(Debug, Clone, Copy)]
enum Class {
    /// A bot of the table; the second number is its name's.
    Known(&'static Bot, u32),
    /// Another one.
    Unknown(u32),
    Browser,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Bot,
    People,
    Referral,
    Impostor,
    Claim,
}

/// What is counted, by the numbers of its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Row {
    kind: Kind,
    verdict: u8,
    status: u16,
    hour: u32,
    texts: [u32; 3],
}

/// Counts lines.
pub(crate) struct Tally<'a> {
    rules: &'a Rules,
    lists: &'a Lists,
    ip: Ip,
    mark: &'a [u8],
    texts: Vec<Box<str>>,
    numbers: FxHashMap<Box<str>, u32>,
    targets: FxHashMap<Box<[u8]>, Option<u32>>,
    agents: FxHashMap<Box<[u8]>, Class>,
    folders: usize,
    unknown: usize,
    rows: FxHashMap<Row, Visits>,
    pub(crate) hours: BTreeMap<u32, Hour>,
    /// Lines of other hosts, and lines whose address is one of a private network.
    pub(crate) others: u64,
    pub(crate) private: u64,
}

impl<'a> Tally<'a> {
    pub(crate) fn new(rules: &'a Rules, lists: &'a Lists, ip: Ip, mark: &'a [u8], hours: BTreeMap<u32, Hour>) -> Self {
        Self {
            rules,
            lists,
            ip,
            mark,
            texts: Vec::new(),
            numbers: FxHashMap::default(),
            targets: FxHashMap::default(),
            agents: FxHashMap::default(),
            folders: 0,
            unknown: 0,
            rows: FxHashMap::default(),
            hours,
            others: 0,
            private: 0,
        }
    }

    /// Whether what is counted has to be written first.
    pub(crate) fn is_full(&self) -> bool {
        self.rows.len() >= MOST_ROWS || self.texts.len() >= MOST_ROWS || self.targets.len() >= MOST_ROWS
    }

    /// Counts a request; `raw` is its line.
    pub(crate) fn add(&mut self, raw: &[u8], line: &Line<'_>) {
        let Ok(hour) = u32::try_from(line.second.div_euclid(3_600)) else { return };
        self.know(hour, raw, line);
        if !self.rules.has(&line.host) {
            self.others += 1;
            return;
        }
        let address = self.rules.address(line);
        if address.is_some_and(|it| !is_public(&it)) {
            self.private += 1;
        }
        match self.class(&line.agent) {
            Class::Browser => self.person(hour, line),
            Class::Unknown(family) => self.bot(hour, line, family, Verdict::Unverified),
            Class::Known(bot, family) => {
                let (verdict, claim) = self.lists.judge(bot, address);
                self.bot(hour, line, family, verdict);
                match (address, verdict) {
                    (Some(address), Verdict::Unverified) if claim && self.ip != Ip::Drop => {
                        self.claim(hour, line, family, address);
                    }
                    (Some(address), Verdict::Spoofed) if self.ip != Ip::Drop => {
                        self.impostor(hour, line, bot.family, address);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Remembers the hour of a line.
    fn know(&mut self, hour: u32, raw: &[u8], line: &Line<'_>) {
        let known = self.hours.entry(hour).or_default();
        if known.lines == 0 {
            (known.first, known.last) = (line.second, line.second);
        }
        known.lines += 1;
        (known.first, known.last) = (known.first.min(line.second), known.last.max(line.second));
        let mut hasher = FxHasher::default();
        hasher.write(raw);
        // The mixing is that of splitmix64: a sum of weak hashes could be the same for other lines.
        let mixed = (hasher.finish() ^ (hasher.finish() >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        known.sum = known.sum.wrapping_add(mixed ^ (mixed >> 27));
        let slot = usize::try_from(line.second.rem_euclid(3_600) / 300).unwrap_or(0);
        let (requests, errors) = &mut known.slots[slot.min(11)];
        *requests += 1;
        *errors += u32::from(line.status >= 500);
    }

    fn class(&mut self, agent: &[u8]) -> Class {
        if let Some(class) = self.agents.get(agent) {
            return *class;
        }
        let text = String::from_utf8_lossy(agent);
        let class = match bots::tell(&text) {
            Agent::Known(bot) => Class::Known(bot, self.number(bot.family)),
            Agent::Browser => Class::Browser,
            Agent::Unknown(name) => {
                self.unknown += 1;
                let name = if self.unknown > MOST_UNKNOWN { String::new() } else { plain(name) };
                Class::Unknown(self.number(&format!("?{name}")))
            }
        };
        if self.agents.len() < MOST_AGENTS {
            self.agents.insert(agent.into(), class);
        }
        class
    }

    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text.into());
        self.numbers.insert(text.into(), number);
        number
    }

    /// The number of the address that was asked for.
    fn url(&mut self, line: &Line<'_>) -> Option<u32> {
        let asked: Cow<'_, [u8]> = if line.host.is_empty() {
            Cow::Borrowed(line.target.as_ref())
        } else {
            Cow::Owned([&line.host, b"\0".as_slice(), &line.target].concat())
        };
        if let Some(known) = self.targets.get(asked.as_ref()) {
            return *known;
        }
        let url = self.rules.url(&line.host, &line.target);
        let number = url.map(|it| self.number(&it));
        self.targets.insert(asked.as_ref().into(), number);
        number
    }

    fn count(&mut self, row: Row, line: &Line<'_>) {
        let second = u64::try_from(line.second).unwrap_or(0);
        let it = Visits {
            hits: 1,
            bytes: line.bytes.unwrap_or(0),
            milliseconds: line.milliseconds.unwrap_or(0),
            timed: u64::from(line.milliseconds.is_some()),
            first: second,
            last: second,
        };
        self.rows.entry(row).or_default().add(&it);
    }

    fn bot(&mut self, hour: u32, line: &Line<'_>, family: u32, verdict: Verdict) {
        let Some(url) = self.url(line) else { return };
        self.count(
            Row { kind: Kind::Bot, verdict: verdict as u8, status: line.status, hour, texts: [url, family, 0] },
            line,
        );
    }

    fn claim(&mut self, hour: u32, line: &Line<'_>, family: u32, address: IpAddr) {
        let Some(url) = self.url(line) else { return };
        let address = self.number(&address.to_string());
        self.count(
            Row { kind: Kind::Claim, verdict: 0, status: line.status, hour, texts: [address, family, url] },
            line,
        );
    }

    fn impostor(&mut self, hour: u32, line: &Line<'_>, family: &str, address: IpAddr) {
        let network = self.number(&bots::network(address));
        let mark = if self.ip == Ip::Hash { mark(self.mark, address) } else { String::new() };
        let texts = [self.number(family), network, self.number(&mark)];
        self.count(Row { kind: Kind::Impostor, verdict: 0, status: 0, hour, texts }, line);
    }

    fn person(&mut self, hour: u32, line: &Line<'_>) {
        let folder = self.folder(&line.target);
        self.count(Row { kind: Kind::People, verdict: 0, status: line.status, hour, texts: [folder, 0, 0] }, line);
        if line.status < 400
            && let Some(product) = assistant(&line.referrer, &line.target)
            && let Some(url) = self.rules.page(&line.host, &line.target)
        {
            let texts = [self.number(product), self.number(&url), 0];
            self.count(Row { kind: Kind::Referral, verdict: 0, status: 0, hour, texts }, line);
        }
    }

    /// The first folder of a path; those beyond the first 500 are one.
    fn folder(&mut self, target: &[u8]) -> u32 {
        let path = target.split(|it| matches!(it, b'?' | b'#')).next().unwrap_or_default();
        let inner = path.strip_prefix(b"/").unwrap_or_default();
        let folder = match inner.iter().position(|it| *it == b'/') {
            Some(end) if end <= 80 => String::from_utf8_lossy(&path[..end + 2]).replace('\0', ""),
            _ => "/".to_owned(),
        };
        if self.numbers.contains_key(folder.as_str()) {
            return self.number(&folder);
        }
        self.folders += 1;
        if self.folders > MOST_FOLDERS { self.number("/") } else { self.number(&folder) }
    }

    /// Everything that was counted as rows of keys, by month and in the order of the keys, claims apart; and begins anew.
    pub(crate) fn take(&mut self) -> (Sorted, Sorted) {
        let (mut rows, mut claims) = (Sorted::new(), Sorted::new());
        for (row, figures) in std::mem::take(&mut self.rows) {
            let day = Day::from_epoch(i32::try_from(row.hour / 24).unwrap_or(0));
            let month = search::Month::of(day);
            let (mut key, of_day) = (self.key(row), day.civil().2);
            key.extend_from_slice(format!("\0{of_day:02}").as_bytes());
            let hour = u8::try_from(row.hour % 24).unwrap_or(0);
            let into = if row.kind == Kind::Claim { &mut claims } else { &mut rows };
            into.entry(month).or_default().push((key, hour, figures));
        }
        rows.values_mut()
            .chain(claims.values_mut())
            .for_each(|it| it.sort_unstable_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1))));
        self.texts.clear();
        self.numbers.clear();
        self.targets.clear();
        self.agents.clear();
        self.folders = 0;
        (rows, claims)
    }

    fn key(&self, row: Row) -> Vec<u8> {
        let [a, b, c] = row.texts.map(|it| self.texts.get(it as usize).map_or("", AsRef::as_ref));
        let verdict = match row.verdict {
            1 => Verdict::Verified,
            2 => Verdict::Spoofed,
            _ => Verdict::Unverified,
        };
        match row.kind {
            Kind::Bot => Key::Bot { url: a, family: b, verdict, status: row.status }.bytes(),
            Kind::People => Key::People { folder: a, status: row.status }.bytes(),
            Kind::Referral => Key::Referral { product: a, url: b }.bytes(),
            Kind::Impostor => Key::Impostor { family: a, network: b, mark: c }.bytes(),
            Kind::Claim => format!("{a}\0{b}\0{c}\0{:03}", row.status).into_bytes(),
        }
    }
}

/// Rows by month: key with its day, hour of the day, figures.
pub(crate) type Sorted = BTreeMap<search::Month, Vec<(Vec<u8>, u8, Visits)>>;

/// The name of an unknown bot, as it is stored.
fn plain(name: &str) -> String {
    let kept = name.chars().filter(|it| it.is_alphanumeric() || matches!(it, '-' | '_' | '.' | ' '));
    kept.flat_map(char::to_lowercase).take(40).collect::<String>().trim().to_owned()
}

/// What tells addresses apart without saying them.
pub(crate) fn mark(key: &[u8], address: IpAddr) -> String {
    let text = [key, address.to_string().as_bytes()].concat();
    kit::text::hex(&kit::text::sha256(&text)[..6])
}
