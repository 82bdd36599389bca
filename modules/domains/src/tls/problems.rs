//! What is wrong with the secure side of a host.

use sdk::prelude::*;
use sdk::{Certificate, Distrust, Severity, TlsReport};

use super::hsts::Hsts;

const DAY: i64 = 86_400_000;
/// Lifetimes that browsers take, by the day of issue, the newest limit first (CA/Browser Forum, ballot SC-081v3): issued from
/// 2029-03-15 on 47 days, 2027-03-15 100, 2026-03-15 200, 2020-09-01 398.
const LIFETIMES: [((i32, u32, u32), i64); 4] =
    [((2029, 3, 15), 47), ((2027, 3, 15), 100), ((2026, 3, 15), 200), ((2020, 9, 1), 398)];
/// A certificate that ends within so many days has not been renewed in time.
const LATE: i64 = 7;
/// One that ends within so many days is to be renewed now.
const SOON: i64 = 14;

/// What is wrong.
#[value]
pub(crate) struct Problem {
    /// A word for programs.
    pub(crate) id: Id,
    pub(crate) severity: Severity,
    /// What was seen.
    pub(crate) evidence: String,
    /// What to do.
    pub(crate) advice: String,
}

/// Kinds of problems.
#[value]
pub(crate) enum Id {
    Expired,
    NotYetValid,
    NameMismatch,
    SelfSigned,
    /// The certificate of the issuer is not sent; browsers often help themselves, programs do not.
    IncompleteChain,
    /// The chain leads to an authority that this system does not trust.
    UntrustedRoot,
    WeakKey,
    Sha1,
    WrongPurpose,
    Unproven,
    Invalid,
    TooLongValid,
    /// Nothing in the certificate says that it was logged; a server may send that beside it.
    NoTimestamps,
    ExpiresSoon,
    OldVersionOnly,
    HstsMissing,
    HstsNotPreloadable,
}

fn problem(id: Id, severity: Severity, evidence: impl Into<String>, fix: &str) -> Problem {
    Problem { id, severity, evidence: evidence.into(), advice: fix.to_owned() }
}

/// Of a chain and its versions.
pub(super) fn of(report: &TlsReport, now: Moment) -> Vec<Problem> {
    let mut out: Vec<Problem> = report.distrust.iter().map(|it| distrusted(*it, report)).collect();
    let Some(own) = report.chain.first() else { return out };
    let now = i64::try_from(now.millis()).unwrap_or(i64::MAX);
    let left = (own.not_after - now).div_euclid(DAY);
    if (0..SOON).contains(&left) {
        let severity = if left < LATE { Severity::Error } else { Severity::Warning };
        out.push(problem(
            Id::ExpiresSoon,
            severity,
            format!("it ends in {left} days"),
            "renew it, and see why it did not renew by itself",
        ));
    }
    out.extend(lifetime(own));
    for (at, it) in report.chain.iter().enumerate().filter(|(_, it)| !it.self_signed) {
        if it.signature.to_ascii_lowercase().contains("sha1") && !report.distrust.contains(&Distrust::Weak) {
            out.push(problem(
                Id::Sha1,
                Severity::Error,
                format!("certificate {at} is signed with SHA-1"),
                "have it issued anew with SHA-256",
            ));
        }
    }
    if own.timestamps == 0 && !own.self_signed {
        out.push(problem(
            Id::NoTimestamps,
            Severity::Notice,
            "the certificate holds no signed timestamps (RFC 6962)",
            "take a certificate of an authority that logs what it issues, unless the server sends the timestamps beside it",
        ));
    }
    if report.tls13 == sdk::Acceptance::Refused {
        out.push(problem(
            Id::OldVersionOnly,
            Severity::Notice,
            "TLS 1.3 is refused",
            "switch TLS 1.3 on: it saves a round trip",
        ));
    }
    out
}

fn distrusted(why: Distrust, report: &TlsReport) -> Problem {
    let own = report.chain.first();
    let issuer = own.map(|it| it.issuer.clone()).unwrap_or_default();
    let names = own.map(|it| it.names.iter().take(5).cloned().collect::<Vec<_>>().join(", ")).unwrap_or_default();
    let (id, evidence, fix) = match why {
        Distrust::Expired => (Id::Expired, "a certificate of the chain has ended".to_owned(), "renew it now"),
        Distrust::NotYetValid => {
            (Id::NotYetValid, "a certificate is not valid yet".to_owned(), "check the clock of the server, or wait")
        }
        Distrust::WrongName => (Id::NameMismatch, format!("it is for {names}"), "have one issued that names this host"),
        Distrust::UnknownIssuer if own.is_some_and(|it| it.self_signed) => {
            (Id::SelfSigned, "it is signed by its own key".to_owned(), "have one issued by a public authority")
        }
        Distrust::UnknownIssuer if is_incomplete(&report.chain) => (
            Id::IncompleteChain,
            format!("the certificate of its issuer is not sent: {issuer}"),
            "send the whole chain: the file that authorities call fullchain",
        ),
        Distrust::UnknownIssuer => (
            Id::UntrustedRoot,
            format!("no trusted authority stands behind {issuer}"),
            "have one issued by a public authority",
        ),
        Distrust::Weak => (
            Id::WeakKey,
            own.map(|it| format!("{} of {} bits, {}", it.key, it.key_bits, it.signature)).unwrap_or_default(),
            "have one issued for an RSA key of 2,048 bits or an EC key",
        ),
        Distrust::WrongPurpose => {
            (Id::WrongPurpose, "it is not for servers, or an authority's own".to_owned(), "have one issued for servers")
        }
        Distrust::Unproven => (
            Id::Unproven,
            "the server did not prove that it has the key".to_owned(),
            "install the key that belongs to the certificate",
        ),
        Distrust::Invalid => (Id::Invalid, "it cannot be read, or breaks a rule".to_owned(), "have one issued anew"),
    };
    problem(id, Severity::Error, evidence, fix)
}

/// Whether the issuer of a certificate is missing from those that are sent.
fn is_incomplete(chain: &[Certificate]) -> bool {
    chain.first().is_some_and(|own| !chain.iter().skip(1).any(|it| it.subject == own.issuer))
}

/// Whether it is valid for longer than browsers take.
fn lifetime(own: &Certificate) -> Option<Problem> {
    let issued = i32::try_from(own.not_before.div_euclid(DAY)).ok()?;
    let since =
        |(year, month, day): (i32, u32, u32)| Day::from_civil(year, month, day).map_or(i32::MAX, Day::since_epoch);
    let (_, most) = LIFETIMES.into_iter().find(|(day, _)| issued >= since(*day))?;
    // A certificate of a day has one second less.
    let days = (own.not_after - own.not_before + 1_000).div_euclid(DAY);
    let evidence = format!("it is valid for {days} days; browsers take {most} of one issued then");
    (days > most).then(|| {
        problem(Id::TooLongValid, Severity::Error, evidence, "have one issued for a shorter time, and renew by program")
    })
}

/// Of what browsers are asked to remember.
pub(super) fn of_hsts(hsts: &Hsts, apex: bool) -> Option<Problem> {
    if hsts.header.is_none() {
        let fix = "send strict-transport-security: max-age=31536000 over https, after every address answers there";
        return Some(problem(Id::HstsMissing, Severity::Notice, "no header asks browsers to stay with https", fix));
    }
    let asks = hsts.preload && apex;
    (asks && !hsts.missing.is_empty()).then(|| {
        let evidence = format!("the header asks to be preloaded, and lacks: {}", hsts.missing.join(", "));
        problem(
            Id::HstsNotPreloadable,
            Severity::Warning,
            evidence,
            "add what is missing, or take the word preload away",
        )
    })
}
