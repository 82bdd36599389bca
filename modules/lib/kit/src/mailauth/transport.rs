//! Mail in transit: exchangers (RFC 5321, 5; RFC 7505), MTA-STS (RFC 8461), reports of TLS (RFC 8460), and brand indicators
//! (BIMI, a draft).

use std::net::IpAddr;

use super::{NoAnswer, Resolver, is_name, tags, versioned};

/// A policy of fewer seconds is forgotten before it protects (a day; the standard recommends weeks, RFC 8461, 3.2).
pub const SHORTEST: u64 = 86_400;

/// What a domain's exchangers are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exchangers {
    /// Preference and name, the preferred first.
    pub all: Vec<(u16, String)>,
    /// Whether the domain says that it takes no mail (RFC 7505).
    pub is_null: bool,
    /// Names that have no address.
    pub without_address: Vec<String>,
    /// Names that are addresses, which an exchanger may not be (RFC 5321, 5.1).
    pub addresses: Vec<String>,
    /// Names of which nobody answered.
    pub unknown: Vec<String>,
}

/// The exchangers of a domain with what is wrong with them.
///
/// # Errors
/// No answer about the domain itself.
pub fn exchangers(resolver: &mut impl Resolver, domain: &str) -> Result<Exchangers, NoAnswer> {
    let all = resolver.exchangers(domain)?;
    let is_null = matches!(&all[..], [(_, name)] if name.trim_end_matches('.').is_empty());
    let mut out = Exchangers { is_null, all, ..Exchangers::default() };
    if is_null {
        return Ok(out);
    }
    for (_, name) in out.all.iter().take(10) {
        if name.trim_end_matches('.').parse::<IpAddr>().is_ok() {
            out.addresses.push(name.clone());
            continue;
        }
        let found = [false, true].map(|six| if is_name(name) { resolver.addresses(name, six) } else { Ok(Vec::new()) });
        match found {
            [Ok(four), Ok(six)] if four.is_empty() && six.is_empty() => out.without_address.push(name.clone()),
            [Err(_), Ok(six)] if six.is_empty() => out.unknown.push(name.clone()),
            [Ok(four), Err(_)] if four.is_empty() => out.unknown.push(name.clone()),
            [Err(_), Err(_)] => out.unknown.push(name.clone()),
            _ => {}
        }
    }
    Ok(out)
}

/// What a domain says of a policy of MTA-STS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StsRecord {
    /// Nothing.
    None,
    /// There is a policy; its number.
    Id(String),
    /// More than one record, or one that cannot be read: as none.
    Wrong(String),
}

/// The record of MTA-STS (RFC 8461, 3.1).
///
/// # Errors
/// No answer.
pub fn sts_record(resolver: &mut impl Resolver, domain: &str) -> Result<StsRecord, NoAnswer> {
    let texts = versioned(resolver.txt(&format!("_mta-sts.{domain}"))?, "STSv1");
    Ok(match &texts[..] {
        [] => StsRecord::None,
        [one] => {
            let id = tags(one).into_iter().find(|(tag, _)| tag == "id").map(|(_, value)| value);
            let fine = |it: &String| (1..=32).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_alphanumeric());
            id.filter(fine).map_or_else(|| StsRecord::Wrong(one.clone()), StsRecord::Id)
        }
        _ => StsRecord::Wrong("more than one record".to_owned()),
    })
}

/// A policy of MTA-STS.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StsPolicy {
    /// `enforce`, `testing` or `none`.
    pub mode: String,
    /// Names of exchangers, with `*.` for one label.
    pub mx: Vec<String>,
    /// Seconds.
    pub max_age: u64,
}

impl StsPolicy {
    /// Reads the file (RFC 8461, 3.2); none of one that receivers do not take.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut out = Self::default();
        let (mut version, mut age) = (false, None);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (key, value) = line.split_once(':')?;
            let value = value.trim();
            match key.trim() {
                "version" => version = value == "STSv1",
                "mode" => value.clone_into(&mut out.mode),
                "mx" => out.mx.push(value.to_ascii_lowercase()),
                "max_age" => age = value.parse().ok().filter(|it| *it <= 31_557_600),
                _ => {}
            }
        }
        out.max_age = age?;
        let mode = matches!(out.mode.as_str(), "enforce" | "testing" | "none");
        (version && mode && (out.mode == "none" || !out.mx.is_empty())).then_some(out)
    }

    /// Whether it names an exchanger (4.1).
    #[must_use]
    pub fn covers(&self, exchanger: &str) -> bool {
        let name = exchanger.trim_end_matches('.').to_ascii_lowercase();
        self.mx.iter().any(|pattern| match pattern.strip_prefix("*.") {
            Some(above) => name.split_once('.').is_some_and(|(_, rest)| rest == above),
            None => *pattern == name,
        })
    }
}

/// Where reports of TLS go (RFC 8460, 3): addresses, or what is wrong with the record. Empty without one.
///
/// # Errors
/// No answer.
pub fn tls_reports(resolver: &mut impl Resolver, domain: &str) -> Result<Result<Vec<String>, String>, NoAnswer> {
    let texts = versioned(resolver.txt(&format!("_smtp._tls.{domain}"))?, "TLSRPTv1");
    Ok(match &texts[..] {
        [] => Ok(Vec::new()),
        [one] => {
            let rua = tags(one).into_iter().find(|(tag, _)| tag == "rua").map(|(_, value)| value).unwrap_or_default();
            let all: Vec<String> = rua.split(',').map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect();
            let fine = |it: &String| it.starts_with("mailto:") || it.starts_with("https://");
            if !all.is_empty() && all.iter().all(fine) { Ok(all) } else { Err(one.clone()) }
        }
        _ => Err("more than one record".to_owned()),
    })
}

/// A brand's indicator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bimi {
    /// As it is.
    pub record: String,
    /// The address of the picture; empty where the domain declines.
    pub location: String,
    /// The address of the certificate; none without one.
    pub evidence: Option<String>,
}

/// The record of a brand's indicator, of the selector `default`.
///
/// # Errors
/// No answer.
pub fn bimi(resolver: &mut impl Resolver, domain: &str) -> Result<Option<Bimi>, NoAnswer> {
    let texts = versioned(resolver.txt(&format!("default._bimi.{domain}"))?, "BIMI1");
    Ok(texts.into_iter().next().map(|record| {
        let all = tags(&record);
        let value = |name: &str| all.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.clone());
        Bimi { location: value("l").unwrap_or_default(), evidence: value("a").filter(|it| !it.is_empty()), record }
    }))
}

#[cfg(test)]
mod tests;
