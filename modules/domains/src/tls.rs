//! The operation `domains.tls.check`.

mod hsts;
mod problems;

use kit::url::registrable_domain;
use sdk::prelude::*;
use sdk::{Acceptance, Certificate, Degraded, TlsFailure, TlsReport, TlsVersion, json};

use crate::name::ascii;
use hsts::Hsts;
use problems::Problem;

/// Ports where the handshake comes first.
const PORTS: [i64; 4] = [443, 465, 993, 8_443];
/// Names of a certificate that are shown.
const NAMES: usize = 100;

#[args]
pub(crate) struct Check {
    /// A host, such as `www.shop.example`.
    host: Text<3, 253>,
    /// 443, 465, 993 or 8443.
    #[default(443)]
    port: Count<1, 65_535>,
}

/// A certificate of the chain.
#[value]
pub(crate) struct Link {
    subject: String,
    issuer: String,
    not_before: Option<Day>,
    not_after: Option<Day>,
    /// At most 100.
    names: Vec<String>,
    /// `RSA`, `EC P-256`, `Ed25519` and the like.
    key: String,
    key_bits: u32,
    signature: String,
    /// Whether it may sign others.
    is_authority: bool,
}

/// Whether a version is spoken; null when that could not be tried. Older ones cannot be tried.
#[value]
pub(crate) struct Versions {
    tls12: Option<bool>,
    tls13: Option<bool>,
}

/// What the secure side of a host says.
#[value]
pub(crate) struct Checked {
    host: String,
    port: u16,
    /// The address that was asked.
    address: String,
    /// Whether clients trust it now, for this name. Revocation is not looked up.
    valid: bool,
    /// Until the server's own certificate ends; negative after that.
    days_left: i64,
    /// The server's own first, as sent.
    chain: Vec<Link>,
    /// The most serious first.
    problems: Vec<Problem>,
    /// What the host asks browsers to remember; null at ports that browsers do not use, or without an answer.
    hsts: Option<Hsts>,
    spoken: Versions,
    /// The version that was agreed on: `1.2` or `1.3`.
    version: String,
    cipher: String,
    alpn: Option<String>,
    degraded: Vec<Degraded>,
}

/// Checks a host's certificate chain, names, validity, versions and HSTS, and says what is wrong first.
///
/// Names by RFC 9525, lifetimes by the limits of browsers, trust by the authorities of this service's system. Handshakes only:
/// STARTTLS is not spoken.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 20),
    needs = ["tls", "web"],
    phrasings = [
        "is the certificate of my website all right",
        "when does my ssl certificate run out",
        "is the ssl chain of this host complete",
        "is hsts set up for preload",
    ],
    examples = [{ "host": "www.shop.example" }, { "host": "mail.shop.example", "port": 993 }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let address = args.host.as_str().trim().parse::<std::net::IpAddr>().ok().map(|it| it.to_string());
    let host = address.or_else(|| ascii(args.host.as_str())).ok_or_else(|| {
        Fault::invalid("/host", "invalid_name", "this is not a host: a name without a scheme or path, or an address")
    })?;
    let port = args.port.get();
    if !PORTS.contains(&port) {
        let message = "only ports where the handshake comes first can be asked: 443, 465, 993, 8443";
        return Err(Fault::invalid("/port", "port_not_supported", message).detail(json!({ "supported": PORTS })));
    }
    let port = u16::try_from(port).unwrap_or(443);
    let report = cx.tls().inspect(&host, port).map_err(refused)?;
    let mut degraded = Vec::new();
    let hsts = if matches!(port, 443 | 8_443) { hsts::look(cx, &host, port, &mut degraded) } else { None };
    let now = cx.now();
    let days =
        |milliseconds: i64| (milliseconds - i64::try_from(now.millis()).unwrap_or(i64::MAX)).div_euclid(86_400_000);
    let mut problems = problems::of(&report, now);
    if let Some(hsts) = &hsts {
        let apex = registrable_domain(&host) == Some(host.as_str());
        problems.extend(problems::of_hsts(hsts, apex));
    }
    problems.sort_by_key(|it| it.severity);
    let TlsReport { address, version, cipher, alpn, chain, tls12, tls13, .. } = &report;
    Ok(Checked {
        valid: report.is_trusted(),
        days_left: chain.first().map_or(0, |it| days(it.not_after)),
        chain: chain.iter().map(link).collect(),
        problems,
        hsts,
        spoken: Versions { tls12: spoken(*tls12), tls13: spoken(*tls13) },
        version: if *version == TlsVersion::Tls13 { "1.3" } else { "1.2" }.to_owned(),
        cipher: cipher.clone(),
        alpn: alpn.clone(),
        address: address.clone(),
        degraded,
        host,
        port,
    })
}

fn refused(failure: TlsFailure) -> Fault {
    match failure {
        TlsFailure::Refused => Fault::invalid("/host", "host_refused", "this host is not public"),
        TlsFailure::Unresolved => Fault::conflict("host_unresolved", "the name has no address").at("/host"),
        TlsFailure::Unreachable => {
            Fault::conflict("host_unreachable", "the host does not take connections at this port").at("/port")
        }
        TlsFailure::Timeout => Fault::unavailable("host_timeout", "the host did not answer in time").at("/host"),
        TlsFailure::Handshake => {
            let message =
                "no handshake in TLS 1.2 or 1.3: another protocol, only older versions, or a certificate asked of us";
            Fault::conflict("no_handshake", message).at("/port")
        }
        TlsFailure::Paced(milliseconds) => {
            let seconds = milliseconds.div_ceil(1_000);
            let fault = Fault::unavailable("host_paced", "the host's turn comes later; ask again then").at("/host");
            fault.detail(json!({ "retry_after": seconds }))
        }
    }
}

fn spoken(acceptance: Acceptance) -> Option<bool> {
    match acceptance {
        Acceptance::Accepted => Some(true),
        Acceptance::Refused => Some(false),
        Acceptance::Unknown => None,
    }
}

fn link(it: &Certificate) -> Link {
    Link {
        subject: it.subject.clone(),
        issuer: it.issuer.clone(),
        not_before: day(it.not_before),
        not_after: day(it.not_after),
        names: it.names.iter().take(NAMES).cloned().collect(),
        key: it.key.clone(),
        key_bits: it.key_bits,
        signature: it.signature.clone(),
        is_authority: it.authority,
    }
}

/// The day of a moment; none outside of what days are written for.
fn day(milliseconds: i64) -> Option<Day> {
    let days = i32::try_from(milliseconds.div_euclid(86_400_000)).ok()?;
    (-700_000..2_900_000).contains(&days).then(|| Day::from_epoch(days))
}
