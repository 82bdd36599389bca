//! Names: how long a certificate and a registration still hold.

use rdap::{Answered, Registries};
use sdk::prelude::*;
use sdk::{Distrust, TlsFailure};

use super::look::Looked;
use crate::event::stored::EventKind;
use crate::monitor::stored::{Monitor, Seen};

/// Days before the end from which it is told, where nothing else is wanted.
const CERTIFICATE: i64 = 14;
const DOMAIN: i64 = 30;

fn days_left(cx: &Cx, until: Moment) -> i64 {
    i64::from(until.day().since_epoch() - cx.now().day().since_epoch())
}

fn least(monitor: &Monitor, usual: i64) -> i64 {
    monitor.threshold.days_left.as_ref().map_or(usual, |it| it.get())
}

fn good(days: i64) -> Looked {
    let number = f64::from(i32::try_from(days).unwrap_or(i32::MAX));
    Looked { seen: Some((Seen { number: Some(number), ..Seen::default() }, None)), ..Looked::default() }
}

/// Why browsers do not trust a certificate.
const fn words(why: Distrust) -> &'static str {
    match why {
        Distrust::Expired => "a certificate of the chain has ended",
        Distrust::NotYetValid => "a certificate of the chain does not hold yet",
        Distrust::WrongName => "it is for other names",
        Distrust::UnknownIssuer => "no authority that browsers trust has issued it",
        Distrust::Weak => "its key or signature is no longer safe",
        Distrust::WrongPurpose => "it is not for servers",
        Distrust::Unproven => "the server did not prove that it has its key",
        Distrust::Invalid => "it cannot be read, or breaks a rule",
    }
}

/// The certificate of a host.
pub(super) fn certificate(cx: &Cx, monitor: &Monitor) -> Looked {
    let report = match cx.tls().inspect(&monitor.target, 443) {
        Ok(report) => report,
        // What was not seen says nothing of the certificate.
        Err(TlsFailure::Refused) => return Looked::skipped("not_public"),
        Err(TlsFailure::Unresolved) => return Looked::skipped("unresolved"),
        Err(TlsFailure::Unreachable) => return Looked::skipped("unreachable"),
        Err(TlsFailure::Timeout) => return Looked::skipped("timeout"),
        Err(TlsFailure::Paced(_)) => return Looked::skipped("paced"),
        Err(TlsFailure::Handshake) => {
            let why = "no secure connection could be agreed on";
            return Looked { requests: 1, ..Looked::wrong(EventKind::CertificateInvalid, why) };
        }
    };
    let looked = if let Some(why) = report.distrust.first() {
        Looked::wrong(EventKind::CertificateInvalid, words(*why))
    } else {
        let ends = report.chain.first().map(|it| Moment::from_millis(u64::try_from(it.not_after).unwrap_or(0)));
        match ends.map(|it| (it, days_left(cx, it))) {
            None => Looked::skipped("no_certificate"),
            Some((ends, days)) if days < least(monitor, CERTIFICATE) => {
                let words = format!("it ends on {}, in {days} days", ends.day());
                Looked::wrong(EventKind::CertificateExpires, words)
            }
            Some((_, days)) => good(days),
        }
    };
    Looked { requests: 1, ..looked }
}

/// The registration of a domain.
pub(super) fn domain(cx: &Cx, registries: &mut Registries, monitor: &Monitor) -> Looked {
    let looked = match registries.ask(cx, &monitor.target) {
        Answered::Object(object) => match object.expires_at.or(object.registrar_expires_at()) {
            None => Looked::skipped("registry_tells_no_end"),
            Some(ends) => match days_left(cx, ends) {
                days if days < least(monitor, DOMAIN) => {
                    let words = format!("its registration ends on {}, in {days} days", ends.day());
                    Looked::wrong(EventKind::DomainExpires, words)
                }
                days => good(days),
            },
        },
        Answered::NotFound => Looked::wrong(EventKind::DomainExpires, "the registry does not have it"),
        other => Looked::skipped(other.reason().unwrap_or("registry_unknown")),
    };
    Looked { requests: 1, ..looked }
}
