//! The operation `domains.email_auth.check`.

mod findings;
mod mend;
mod proposals;
mod shown;

use kit::mailauth::transport::{Exchangers, StsPolicy, StsRecord};
use kit::mailauth::{dkim, dmarc, spf, transport};
use sdk::prelude::*;
use sdk::{Degraded, Fix, Next};

use crate::asking::Asking;
use crate::name::given;
use findings::Finding;
use proposals::Proposed;
use shown::{BimiShown, DkimShown, DmarcShown, MxShown, SpfShown, StsShown, TlsReports};

/// Questions of one call.
const QUESTIONS: u32 = 120;
/// Selectors that are tried where none are named: those of common senders.
pub(crate) const USUAL: [&str; 20] = [
    "default",
    "google",
    "selector1",
    "selector2",
    "s1",
    "s2",
    "k1",
    "k2",
    "k3",
    "dkim",
    "mail",
    "mx",
    "smtp",
    "key1",
    "key2",
    "mandrill",
    "fm1",
    "fm2",
    "zoho",
    "protonmail",
];

#[args]
pub(crate) struct Check {
    /// The domain of mail addresses, such as `shop.example`.
    domain: Text<3, 253>,
    /// Selectors of DKIM. Left out, 20 usual ones are tried: a domain's selectors cannot be listed.
    dkim_selectors: Option<List<Text<1, 63>, 0, 20>>,
}

/// What a domain's mail is judged by.
#[value]
pub(crate) struct Checked {
    domain: String,
    /// The most serious first.
    findings: Vec<Finding>,
    mx: MxShown,
    spf: SpfShown,
    dkim: Vec<DkimShown>,
    dmarc: DmarcShown,
    mta_sts: StsShown,
    tls_reports: TlsReports,
    bimi: Option<BimiShown>,
    /// Records that mend what was found. No mail that passes now fails by them.
    proposed_records: Vec<Proposed>,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// All that was read of a domain; none where nobody answered.
pub(crate) struct Read {
    pub(crate) domain: String,
    pub(crate) mx: Option<Exchangers>,
    pub(crate) spf: Option<spf::Survey>,
    /// Selectors with their keys; whether they were guessed.
    pub(crate) dkim: Vec<(String, Option<dkim::Key>)>,
    pub(crate) guessed: bool,
    pub(crate) dmarc: Option<dmarc::Found>,
    /// Domains that have not said that they take reports.
    pub(crate) unwilling: Vec<String>,
    pub(crate) sts: Option<StsRecord>,
    /// The file of the policy; none where there is no record.
    pub(crate) policy: Option<Result<StsPolicy, String>>,
    pub(crate) tls_reports: Option<Result<Vec<String>, String>>,
    pub(crate) bimi: Option<transport::Bimi>,
}

/// Checks a domain's MX, SPF, DKIM, DMARC, MTA-STS, TLS reports and BIMI by their standards, and proposes records that mend what is wrong.
///
/// SPF by RFC 7208 with every include followed, DKIM keys by RFC 6376 and 8301, DMARC by RFC 9989 with its walk up the tree,
/// MTA-STS by RFC 8461, TLS reports by RFC 8460.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 125),
    needs = ["dns", "web"],
    phrasings = [
        "why does my mail land in spam",
        "check spf dkim and dmarc of my domain",
        "is my spf record right",
        "which dmarc record should I publish",
    ],
    examples = [{ "domain": "shop.example" }, { "domain": "shop.example", "dkim_selectors": ["google", "k1"] }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let domain = given(args.domain.as_str(), "/domain")?;
    let named = args.dkim_selectors.as_ref().filter(|it| !it.is_empty());
    let selectors: Vec<String> = match named {
        Some(all) => {
            let mut out = Vec::new();
            for (at, it) in all.iter().enumerate() {
                let selector = it.as_str().trim().to_ascii_lowercase();
                let fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
                if !selector.chars().all(fine) {
                    let message = "a selector has letters, digits, hyphens and dots";
                    return Err(Fault::invalid(format!("/dkim_selectors/{at}"), "invalid_selector", message));
                }
                out.push(selector);
            }
            out
        }
        None => USUAL.map(str::to_owned).to_vec(),
    };
    let mut asking = Asking::new(cx, QUESTIONS);
    let read = read(cx, &mut asking, &domain, &selectors, named.is_none());
    let degraded = asking.degraded(QUESTIONS);
    let mut findings = findings::of(&read, &asking.bogus);
    let proposed_records = proposals::of(&read, cx.now());
    mend::mend(&mut findings, &domain, &proposed_records);
    let next = (!proposed_records.is_empty())
        .then(|| proposals::call(&domain, &proposed_records))
        .and_then(Fix::if_served)
        .map(|it| it.because("publishes the proposed records and asks the zone's servers for them"));
    Ok(Checked {
        mx: MxShown::of(read.mx.as_ref()),
        spf: SpfShown::of(read.spf.as_ref()),
        dkim: shown::keys(&read),
        dmarc: DmarcShown::of(&read),
        mta_sts: StsShown::of(&read),
        tls_reports: TlsReports::of(read.tls_reports.as_ref()),
        bimi: read.bimi.as_ref().map(BimiShown::of),
        findings,
        proposed_records,
        degraded,
        next: next.into_iter().collect(),
        domain,
    })
}

fn read(cx: &Cx, asking: &mut Asking<'_>, domain: &str, selectors: &[String], guessed: bool) -> Read {
    let under = |name: &str| (format!("{name}.{domain}"), "TXT");
    let mut ahead = vec![(domain.to_owned(), "MX"), (domain.to_owned(), "TXT")];
    ahead.extend(["_dmarc", "_mta-sts", "_smtp._tls", "default._bimi"].map(under));
    ahead.extend(selectors.iter().map(|it| under(&format!("{it}._domainkey"))));
    asking.ahead(&ahead);
    let spf = spf::survey(asking, domain).ok();
    let mx = transport::exchangers(asking, domain).ok();
    let dmarc = dmarc::find(asking, domain).ok();
    let unwilling = match dmarc.as_ref().and_then(|it| Some((it.policy.as_ref()?, it.organisation.clone()))) {
        Some((policy, organisation)) => dmarc::unwilling(asking, policy, &organisation),
        None => Vec::new(),
    };
    let mut dkim = Vec::new();
    for selector in selectors {
        // Of one that nobody answered for nothing is said.
        let Ok(key) = dkim::key(asking, selector, domain) else { continue };
        // Of guessed selectors only those count that are there.
        if key.is_some() || !guessed {
            dkim.push((selector.clone(), key));
        }
    }
    let sts = transport::sts_record(asking, domain).ok();
    let policy = matches!(sts, Some(StsRecord::Id(_))).then(|| policy(cx, domain));
    let tls_reports = transport::tls_reports(asking, domain).ok();
    let bimi = transport::bimi(asking, domain).ok().flatten();
    Read { domain: domain.to_owned(), mx, spf, dkim, guessed, dmarc, unwilling, sts, policy, tls_reports, bimi }
}

/// The file of a policy of MTA-STS: over https, without redirects (RFC 8461, 3.3).
fn policy(cx: &Cx, domain: &str) -> Result<StsPolicy, String> {
    let address = format!("https://mta-sts.{domain}/.well-known/mta-sts.txt");
    let url: Url = address.parse().map_err(|_| "no address".to_owned())?;
    let answer = cx.web().fetch(&Request::get(&url).follow(0).max_bytes(64 << 10));
    let answer = answer.map_err(|failure| format!("{address} does not answer: {}", failure.name()))?;
    if answer.status != 200 {
        return Err(format!("{address} answers {}", answer.status));
    }
    StsPolicy::parse(&answer.text()).ok_or_else(|| format!("{address} holds no policy that receivers take"))
}
