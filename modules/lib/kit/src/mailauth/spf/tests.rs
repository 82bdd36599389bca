//! The test suite of RFC 7208, and what a survey counts.

use std::collections::BTreeMap;
use std::net::IpAddr;

use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::Value;

use super::survey::Problem;
use super::{Sender, Verdict, check, survey};
use crate::mailauth::{NoAnswer, Resolver, Said};

#[derive(Deserialize)]
struct Scenario {
    tests: Vec<Test>,
    zone: BTreeMap<String, Vec<(String, Value)>>,
}

#[derive(Deserialize)]
struct Test {
    name: String,
    helo: String,
    host: IpAddr,
    mailfrom: String,
    result: Vec<String>,
}

/// Names with their records, as the suite writes them: after a `TIMEOUT` other kinds have no answer.
#[derive(Clone, Default)]
pub(crate) struct Zone(pub(crate) BTreeMap<String, Vec<(String, Value)>>);

impl Zone {
    fn find(&self, name: &str, kind: &str) -> Result<Vec<Value>, NoAnswer> {
        let mut name = name.trim_end_matches('.').to_ascii_lowercase();
        for _ in 0..8 {
            let Some(all) = self.0.get(&name) else { return Ok(Vec::new()) };
            let found: Vec<Value> = all.iter().filter(|(it, _)| it == kind).map(|(_, value)| value.clone()).collect();
            if !found.is_empty() {
                return Ok(found);
            }
            if all.iter().any(|(it, _)| it == "TIMEOUT") {
                return Err(NoAnswer);
            }
            match all.iter().find(|(it, _)| it == "CNAME") {
                Some((_, to)) => name = to.as_str().unwrap_or_default().to_ascii_lowercase(),
                None => return Ok(Vec::new()),
            }
        }
        Ok(Vec::new())
    }
}

impl Resolver for Zone {
    fn txt(&mut self, name: &str) -> Said<Vec<u8>> {
        let text = |value: &Value| match value {
            Value::Array(parts) => parts.iter().filter_map(Value::as_str).collect(),
            other => other.as_str().unwrap_or_default().to_owned(),
        };
        // The suite's bytes are written as the letters of Latin-1.
        let bytes = |text: String| text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
        Ok(self.find(name, "TXT")?.iter().map(text).map(bytes).collect())
    }

    fn addresses(&mut self, name: &str, six: bool) -> Said<IpAddr> {
        let all = self.find(name, if six { "AAAA" } else { "A" })?;
        Ok(all.iter().filter_map(|it| it.as_str()?.parse().ok()).collect())
    }

    fn exchangers(&mut self, name: &str) -> Said<(u16, String)> {
        let all = self.find(name, "MX")?;
        let one = |it: &Value| Some((u16::try_from(it[0].as_u64()?).ok()?, it[1].as_str()?.to_owned()));
        Ok(all.iter().filter_map(one).collect())
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
        Ok(self.find(&name, "PTR")?.iter().filter_map(|it| Some(it.as_str()?.to_owned())).collect())
    }
}

/// A zone of texts and addresses: `name kind value`, a line each.
pub(crate) fn zone(lines: &[&str]) -> Zone {
    let mut zone = Zone::default();
    for line in lines {
        let mut parts = line.splitn(3, ' ');
        let mut next = || parts.next().unwrap_or_default().to_owned();
        let (name, kind, value) = (next(), next(), next());
        let value = match kind.as_str() {
            "MX" => {
                let (preference, to) = value.split_once(' ').expect("a preference");
                serde_json::json!([preference.parse::<u64>().expect("a number"), to])
            }
            _ => Value::String(value),
        };
        zone.0.entry(name).or_default().push((kind, value));
    }
    zone
}

#[test]
fn every_case_of_the_suite_of_the_standard_comes_out_as_it_says() {
    let scenarios: Vec<Scenario> =
        serde_json::from_reader(GzDecoder::new(&include_bytes!("../fixtures/spf.json.gz")[..])).expect("a fixture");
    let (mut count, mut wrong) = (0, Vec::new());
    for Scenario { tests, zone } in scenarios {
        let zone = zone.into_iter().map(|(name, records)| (name.to_ascii_lowercase(), records)).collect();
        for test in tests {
            count += 1;
            let sender = Sender { address: test.host, helo: &test.helo, mail_from: &test.mailfrom };
            let verdict = match check(&mut Zone(Clone::clone(&zone)), &sender) {
                Verdict::None => "none",
                Verdict::Neutral => "neutral",
                Verdict::Pass => "pass",
                Verdict::Fail => "fail",
                Verdict::SoftFail => "softfail",
                Verdict::TempError => "temperror",
                Verdict::PermError => "permerror",
            };
            if !test.result.iter().any(|it| it == verdict) {
                wrong.push(format!("{}: {verdict} instead of {:?}", test.name, test.result));
            }
        }
    }
    assert_eq!(count, 203);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_survey_counts_what_every_receiver_must_ask() {
    let mut zone = zone(&[
        "shop.example TXT v=spf1 mx a:mail.shop.example include:_spf.post.example ip4:192.0.2.0/24 include:gone.example -all",
        "shop.example MX 10 mail.shop.example",
        "mail.shop.example A 192.0.2.5",
        "_spf.post.example TXT v=spf1 include:a.post.example include:b.post.example ~all",
        "a.post.example TXT v=spf1 ip4:198.51.100.0/24 -all",
        "b.post.example TXT v=spf1 a:nothing.post.example exists:%{i}.list.example include:shop.example -all",
    ]);
    let seen = survey(&mut zone, "shop.example").expect("an answer");
    assert_eq!((seen.records, seen.lookups, seen.void, seen.has_macros), (1, 9, 1, true));
    let terms: Vec<(&str, u32)> = seen.branches.iter().map(|it| (it.term.as_str(), it.lookups)).collect();
    assert_eq!(
        terms,
        [("mx", 1), ("a:mail.shop.example", 1), ("include:_spf.post.example", 6), ("include:gone.example", 1)]
    );
    let below = &seen.branches[2].children[1].children;
    assert_eq!((&below[0].problem, &below[2].problem), (&Some(Problem::Void), &Some(Problem::Loop)));
    assert_eq!(seen.branches[3].problem, Some(Problem::NoRecord));
    assert_eq!(seen.ends(), Some(super::Qualifier::Fail));
}
