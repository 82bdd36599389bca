//! `tls`: inspects the TLS configuration of a host, through the guard of `egress`.

use std::sync::Arc;
use std::time::Duration;

use crate::bindings::tls;
use crate::egress::Failure;
use crate::egress::tls as secure;
use crate::state::State;
use crate::stop::Denial;

/// Handshakes of one inspection: one that offers both versions, and one that offers only the other version.
const HANDSHAKES: u64 = 2;

impl tls::Host for State {
    async fn inspect(&mut self, question: tls::Question) -> wasmtime::Result<Result<tls::Report, tls::Failure>> {
        self.enter_outside("tls", Denial::Tls, HANDSHAKES)?;
        let (guard, manners, mut trail) = (Arc::clone(&self.guard), self.manners(), Vec::new());
        let looked = guard.inspect(&question.host, question.port, &manners, &mut trail);
        let report = self.span.bound(looked).await;
        self.decisions.extend(trail);
        let report = report.map_err(|stop| self.end(stop))?;
        Ok(report.map(told).map_err(failure))
    }
}

fn told(report: secure::Report) -> tls::Report {
    tls::Report {
        address: report.address.ip().to_string(),
        version: match report.version {
            secure::Version::Tls12 => tls::Version::Tls12,
            secure::Version::Tls13 => tls::Version::Tls13,
        },
        cipher: report.cipher,
        alpn: report.alpn,
        chain: report.chain.into_iter().map(certificate).collect(),
        distrust: report.distrust.into_iter().map(distrust).collect(),
        ocsp_stapled: report.ocsp_stapled,
        tls12: acceptance(report.tls12),
        tls13: acceptance(report.tls13),
        milliseconds: milliseconds(report.took),
    }
}

fn certificate(read: secure::Certificate) -> tls::Certificate {
    tls::Certificate {
        der: read.der,
        subject: read.subject,
        issuer: read.issuer,
        serial: read.serial,
        not_before: read.not_before,
        not_after: read.not_after,
        names: read.names,
        key: read.key,
        key_bits: read.key_bits,
        signature: read.signature,
        timestamps: read.timestamps,
        self_signed: read.self_signed,
        authority: read.authority,
    }
}

fn distrust(reason: secure::Distrust) -> tls::Distrust {
    match reason {
        secure::Distrust::Expired => tls::Distrust::Expired,
        secure::Distrust::NotYetValid => tls::Distrust::NotYetValid,
        secure::Distrust::WrongName => tls::Distrust::WrongName,
        secure::Distrust::UnknownIssuer => tls::Distrust::UnknownIssuer,
        secure::Distrust::Weak => tls::Distrust::Weak,
        secure::Distrust::WrongPurpose => tls::Distrust::WrongPurpose,
        secure::Distrust::Unproven => tls::Distrust::Unproven,
        secure::Distrust::Invalid => tls::Distrust::Invalid,
    }
}

fn acceptance(acceptance: secure::Acceptance) -> tls::Acceptance {
    match acceptance {
        secure::Acceptance::Accepted => tls::Acceptance::Accepted,
        secure::Acceptance::Refused => tls::Acceptance::Refused,
        secure::Acceptance::Unknown => tls::Acceptance::Unknown,
    }
}

fn failure(failure: Failure) -> tls::Failure {
    match failure {
        Failure::Refused => tls::Failure::Refused,
        Failure::Unresolved => tls::Failure::Unresolved,
        Failure::Unreachable => tls::Failure::Unreachable,
        Failure::Timeout => tls::Failure::Timeout,
        Failure::Paced(wait) => tls::Failure::Paced(milliseconds(wait)),
        // Failures of a page fetch. In a handshake they can only mean that it failed.
        Failure::Tls | Failure::Redirects | Failure::Malformed | Failure::Disallowed => tls::Failure::Handshake,
    }
}

fn milliseconds(span: Duration) -> u32 {
    u32::try_from(span.as_millis()).unwrap_or(u32::MAX)
}
