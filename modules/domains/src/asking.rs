//! Questions to the host's resolver for the algorithms of `kit::mailauth`: each asked once, at most so many.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;

use kit::mailauth::{NoAnswer, Resolver, Said};
use sdk::prelude::*;
use sdk::{Degraded, DnsAnswer, DnsFailure, Entry, Outcome, Question, Trust};

/// Milliseconds of a call after which nothing is asked any more; the host gives a call that asks 60 seconds.
const LATE: u64 = 40_000;

/// The host's resolver within one call.
pub(crate) struct Asking<'a> {
    cx: &'a Cx,
    known: HashMap<(String, &'static str), Result<Vec<Entry>, NoAnswer>>,
    /// Questions that may still be asked.
    left: u32,
    /// Names that nobody answered for.
    silent: BTreeSet<String>,
    /// Names whose signatures are wrong: what they say is not believed.
    pub(crate) bogus: BTreeSet<String>,
    /// Whether questions were left out.
    is_cut: bool,
}

impl<'a> Asking<'a> {
    /// At most so many questions.
    pub(crate) fn new(cx: &'a Cx, most: u32) -> Self {
        let (silent, bogus) = (BTreeSet::new(), BTreeSet::new());
        Self { cx, known: HashMap::new(), left: most, silent, bogus, is_cut: false }
    }

    /// What nobody answered, and what was left out, for a result's `degraded`.
    pub(crate) fn degraded(&self, most: u32) -> Vec<Degraded> {
        let mut out = Vec::new();
        if !self.silent.is_empty() {
            let names: Vec<&str> = self.silent.iter().take(5).map(String::as_str).collect();
            let why = format!("nobody answered for {} names, such as {}", self.silent.len(), names.join(", "));
            out.push(Degraded::new("records", why));
        }
        if self.is_cut {
            let why = format!(
                "a call asks {most} questions at most, and none after {} seconds; the rest was left out",
                LATE / 1_000
            );
            out.push(Degraded::new("records", why));
        }
        out
    }

    /// Asks many questions together before they are needed one by one.
    pub(crate) fn ahead(&mut self, names: &[(String, &'static str)]) {
        let mut open: Vec<(String, &'static str)> = Vec::new();
        for (name, kind) in names {
            let key = (plain(name), *kind);
            if !self.known.contains_key(&key) && !open.contains(&key) && self.left > 0 {
                self.left -= 1;
                open.push(key);
            }
        }
        let answers = self.cx.dns().lookup_many(open.iter().map(|(name, kind)| Question::new(name, kind)));
        for (key, answer) in open.into_iter().zip(answers) {
            _ = self.keep(key, answer);
        }
    }

    /// The records of a name of one kind.
    pub(crate) fn entries(&mut self, name: &str, kind: &'static str) -> Result<Vec<Entry>, NoAnswer> {
        let key = (plain(name), kind);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        if self.left == 0 || self.cx.elapsed() > LATE {
            self.is_cut = true;
            return Err(NoAnswer);
        }
        self.left -= 1;
        let answer = self.cx.dns().lookup(&Question::new(&key.0, kind));
        self.keep(key, answer)
    }

    fn keep(
        &mut self,
        key: (String, &'static str),
        answer: Result<DnsAnswer, DnsFailure>,
    ) -> Result<Vec<Entry>, NoAnswer> {
        let said = match answer {
            // Names that may not be asked are nobody's.
            Err(DnsFailure::Malformed | DnsFailure::Refused) => Ok(Vec::new()),
            Err(_) => Err(NoAnswer),
            Ok(answer) if answer.trust == Some(Trust::Bogus) => {
                self.bogus.insert(key.0.clone());
                Err(NoAnswer)
            }
            Ok(answer) if answer.outcome == Outcome::Failed => Err(NoAnswer),
            Ok(answer) => Ok(answer.entries.into_iter().filter(|it| it.kind == key.1).collect()),
        };
        if said.is_err() {
            self.silent.insert(key.0.clone());
        }
        self.known.insert(key, said.clone());
        said
    }
}

fn plain(name: &str) -> String {
    name.trim_end_matches('.').to_ascii_lowercase()
}

impl Resolver for Asking<'_> {
    fn txt(&mut self, name: &str) -> Said<Vec<u8>> {
        Ok(self.entries(name, "TXT")?.iter().filter_map(Entry::joined).collect())
    }

    fn addresses(&mut self, name: &str, six: bool) -> Said<IpAddr> {
        let all = self.entries(name, if six { "AAAA" } else { "A" })?;
        Ok(all.iter().filter_map(|it| it.text.parse().ok()).collect())
    }

    fn exchangers(&mut self, name: &str) -> Said<(u16, String)> {
        let all = self.entries(name, "MX")?;
        let one = |it: &Entry| {
            let (preference, to) = it.text.split_once(' ')?;
            Some((preference.parse().ok()?, if to == "." { String::new() } else { plain(to) }))
        };
        let mut all: Vec<(u16, String)> = all.iter().filter_map(one).collect();
        all.sort();
        Ok(all)
    }

    fn names(&mut self, address: IpAddr) -> Said<String> {
        let name = match address {
            IpAddr::V4(four) => {
                let parts: Vec<String> = four.octets().iter().rev().map(u8::to_string).collect();
                format!("{}.in-addr.arpa", parts.join("."))
            }
            IpAddr::V6(six) => {
                let nibbles = six.octets().into_iter().rev().flat_map(|it| [it & 15, it >> 4]);
                format!("{}.ip6.arpa", nibbles.map(|it| format!("{it:x}")).collect::<Vec<_>>().join("."))
            }
        };
        Ok(self.entries(&name, "PTR")?.iter().map(|it| plain(&it.text)).collect())
    }
}
