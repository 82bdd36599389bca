//! The operation `domains.dns.template.apply`.

mod recipes;

use sdk::prelude::*;
use sdk::{Connection, Degraded, Fix, Next, json};

use crate::change::undo;
use crate::name::given;
use crate::zone::apply::{ChangeSet, Verified, carry_out};
use crate::zone::plan::{Changed, Plan, Record, upserts};
use crate::zone::{Zone, conflicts};

/// Ready sets of records.
#[value]
pub(crate) enum Template {
    /// Proves the domain to Google Search Console: `token`.
    GscVerify,
    /// Mail at Google Workspace: its exchanger, SPF that names it.
    GoogleWorkspace,
    /// Mail at Microsoft 365, with the values of your tenant's console: `mx`, `verify`, and `dkim1` and `dkim2` if you have them.
    #[serde(rename = "microsoft_365")]
    Microsoft365,
    /// DMARC that only reports: `rua`.
    DmarcNone,
    /// DMARC that puts forged mail aside: `rua`; `testing` first asks for reports without it (RFC 9989, `t=y`).
    DmarcQuarantine,
    /// Let's Encrypt may issue certificates, and so may `issuers` and whoever issued those in use.
    CaaLetsencrypt,
    /// Both `www` and the domain itself lead to the website.
    WwwApex,
}

/// What a template needs to know; members that it does not take are refused.
#[derive(Default)]
#[args]
pub(crate) struct Values {
    /// What Search Console shows, with or without `google-site-verification=`.
    token: Option<Text<10, 120>>,
    /// The exchanger that the tenant's console shows.
    mx: Option<Text<4, 253>>,
    /// The proof that the tenant's console shows, such as `MS=ms12345678`.
    verify: Option<Text<4, 60>>,
    /// What the first selector of DKIM leads to, as the tenant's console shows it.
    dkim1: Option<Text<4, 253>>,
    /// The same of the second one.
    dkim2: Option<Text<4, 253>>,
    /// Where reports go: an address of mail.
    rua: Option<Text<3, 320>>,
    /// Whether receivers are asked only to report yet.
    testing: Option<bool>,
    /// More authorities that may issue, as their CAA names, such as `pki.goog`.
    issuers: Option<List<Text<3, 253>, 1, 10>>,
}

#[args]
pub(crate) struct Apply {
    /// A domain whose zone a connected DNS provider holds.
    domain: Text<3, 253>,
    template: Template,
    values: Option<Values>,
    /// Goes on where mail of your own would be put aside.
    #[default(false)]
    force: bool,
    /// Only shows the difference.
    #[default(false)]
    dry_run: bool,
}

/// What a template makes of a zone.
#[value]
pub(crate) struct Difference {
    add: Vec<Record>,
    change: Vec<Changed>,
    /// Records that stand there already.
    unchanged: Vec<Record>,
}

/// What was written.
#[value]
pub(crate) struct Applied {
    zone: String,
    connection_ref: Id<Connection>,
    diff: Difference,
    /// Records that were added or changed.
    applied: u64,
    /// What `domains.dns.zone.import` takes this back by; null when nothing was written.
    change_ref: Option<Id<ChangeSet>>,
    /// What the zone's own servers say of the names that changed.
    verified: Vec<Verified>,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// Applies a ready set of records: proof for Search Console, mail at Google or Microsoft, DMARC in steps, certificates, or www beside the bare domain.
///
/// SPF that stands there is joined, never replaced. With `dry_run` it only shows.
#[operation(
    write,
    scope = "domains:manage",
    cost = live(most = 40),
    side_effects = ["changes DNS records of your domain"],
    needs = ["store", "dns", "tls", "connection:dns_provider"],
    outside = [
        "cloudflare GET /client/v4/zones",
        "cloudflare GET /client/v4/zones/*/dns_records",
        "cloudflare POST /client/v4/zones/*/dns_records/batch change",
        "powerdns GET /api/v1/servers/localhost/zones",
        "powerdns GET /api/v1/servers/localhost/zones/*",
        "powerdns PATCH /api/v1/servers/localhost/zones/* change",
    ],
    phrasings = [
        "set up google workspace mail for my domain",
        "add the search console verification record",
        "start dmarc for my domain",
        "set up microsoft 365 dns records",
        "let lets encrypt issue certificates",
    ],
    examples = [
        { "domain": "shop.example", "template": "dmarc_none", "values": { "rua": "dmarc@shop.example" }, "dry_run": true },
        { "domain": "shop.example", "template": "gsc_verify", "values": { "token": "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg" } },
    ]
)]
pub(crate) fn apply(cx: &Cx, args: Apply) -> Result<Applied> {
    let domain = given(args.domain.as_str(), "/domain")?;
    let values = args.values.unwrap_or_default();
    values.only_of(args.template)?;
    let zone = Zone::of(cx, &domain)?;
    let held = zone.all(cx)?;
    let mut degraded = Vec::new();
    let recipe = recipes::Recipe { cx, zone: &zone, held: &held, values: &values };
    let records = recipe.records(args.template, args.force, &mut degraded)?;
    let (plan, _) = upserts(&held, &records, false);
    conflicts::check(cx, &zone, &held, &plan, "/template", &mut degraded)?;
    let diff = Difference::of(&plan, &records);
    let mut next = Vec::new();
    if args.dry_run {
        return Ok(Applied {
            connection_ref: Id::new(zone.connection.reference),
            zone: zone.name,
            diff,
            applied: 0,
            change_ref: None,
            verified: Vec::new(),
            degraded,
            next,
        });
    }
    let outcomes = carry_out(cx, &zone, "domains.dns.template.apply", plan, None, "/template")?;
    degraded.extend(outcomes.degraded);
    if matches!(
        args.template,
        Template::GoogleWorkspace | Template::Microsoft365 | Template::DmarcNone | Template::DmarcQuarantine
    ) {
        let check = Fix::new("domains.email_auth.check", json!({ "domain": zone.name }));
        next.push(check.because("checks the domain's mail as receivers do"));
    }
    next.extend(outcomes.change_ref.as_ref().map(|it| undo(&zone.name, it)));
    Ok(Applied {
        connection_ref: Id::new(zone.connection.reference),
        zone: zone.name,
        diff,
        applied: outcomes.applied.len() as u64,
        change_ref: outcomes.change_ref,
        verified: outcomes.verified,
        degraded,
        next,
    })
}

impl Values {
    /// Refuses what a template does not take.
    fn only_of(&self, template: Template) -> Result<()> {
        let taken: &[&str] = match template {
            Template::GscVerify => &["token"],
            Template::GoogleWorkspace | Template::WwwApex => &[],
            Template::Microsoft365 => &["mx", "verify", "dkim1", "dkim2"],
            Template::DmarcNone => &["rua"],
            Template::DmarcQuarantine => &["rua", "testing"],
            Template::CaaLetsencrypt => &["issuers"],
        };
        let given = json!(self);
        let extra =
            given.as_object().into_iter().flatten().find(|(name, it)| !it.is_null() && !taken.contains(&name.as_str()));
        match extra {
            None => Ok(()),
            Some((name, _)) => {
                let allowed = if taken.is_empty() { "none".to_owned() } else { taken.join(", ") };
                let message = format!("this template does not take {name}; its values: {allowed}");
                Err(Fault::invalid(format!("/values/{name}"), "value_not_taken", message))
            }
        }
    }
}

impl Difference {
    fn of(plan: &Plan, wanted: &[Record]) -> Self {
        let new = |it: &Record| {
            plan.add.iter().chain(plan.change.iter().map(|it| &it.after)).any(|new| new.key() == it.key())
        };
        Self {
            add: plan.add.clone(),
            change: plan.change.clone(),
            unchanged: wanted.iter().filter(|it| !new(it)).cloned().collect(),
        }
    }
}
