//! The operation `domains.settings.update`.

use sdk::prelude::*;
use sdk::{Fix, Next, json};

use crate::name::registrable;
use crate::registrar::{Contacts, Registrar, Told};

#[args]
pub(crate) struct Update {
    /// A domain that a connected registrar holds.
    domain: Text<3, 253>,
    /// Whether the registrar renews it by itself.
    auto_renew: Option<bool>,
    /// Whether it is locked against transfer.
    locked: Option<bool>,
    /// Whether the holder's address is kept back.
    privacy: Option<bool>,
    /// A set of contacts that the registrar keeps; told as unsupported where its interface takes none.
    contact_ref: Option<Id<Contacts>>,
}

/// How a domain is set.
#[value]
pub(crate) struct Settings {
    /// Null where the registrar does not say.
    auto_renew: Option<bool>,
    locked: Option<bool>,
    privacy: Option<bool>,
}

/// How a domain is set now.
#[value]
pub(crate) struct Updated {
    domain: String,
    #[own]
    registrar: String,
    /// As the registrar says after the change.
    settings: Settings,
    before: Settings,
    /// What was sent and is not shown yet.
    pending: Vec<Setting>,
    /// What the registrar's interface cannot set: do it on its website.
    unsupported: Vec<Setting>,
    /// What to do next.
    next: Vec<Next>,
}

/// What can be set.
#[value]
pub(crate) enum Setting {
    AutoRenew,
    Locked,
    Privacy,
    Contact,
}

/// Sets automatic renewal, the lock against transfer, privacy and contacts of a domain at its registrar, and reads them again.
///
/// Only what differs is sent. What the registrar does not offer over its interface is told in `unsupported`.
#[operation(
    write,
    scope = "domains:manage",
    cost = live(most = 12),
    side_effects = ["changes how your domain is renewed, locked and shown"],
    needs = ["store", "connection:registrar"],
    outside = [
        "name_com GET /core/v1/domains/*",
        "name_com PATCH /core/v1/domains/* change",
        "porkbun POST /api/json/v3/domain/listAll query",
        "porkbun POST /api/json/v3/domain/getNs/* query",
        "porkbun POST /api/json/v3/domain/updateAutoRenew/* change",
    ],
    phrasings = [
        "turn on auto renew for my domain",
        "unlock my domain for a transfer",
        "hide my address in the registration data",
        "change the registrar settings of a domain",
    ],
    examples = [{ "domain": "shop.example", "auto_renew": true }, { "domain": "shop.example", "locked": false }]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    let (domain, _) = registrable(args.domain.as_str(), "/domain")?;
    let wanted = [args.auto_renew, args.locked, args.privacy];
    if wanted.iter().all(Option::is_none) && args.contact_ref.is_none() {
        let message = "name at least one of auto_renew, locked, privacy and contact_ref";
        return Err(Fault::invalid("/auto_renew", "nothing_to_set", message));
    }
    let (registrar, told) = Registrar::holding(cx, &domain)?;
    let before = Settings::of(&told);
    let differs = |wanted: Option<bool>, is: Option<bool>| wanted.filter(|it| Some(*it) != is);
    let auto_renew = differs(args.auto_renew, before.auto_renew);
    let locked = differs(args.locked, before.locked);
    let privacy = differs(args.privacy, before.privacy);
    let is_sent = auto_renew.or(locked).or(privacy).is_some();
    let mut unsupported: Vec<Setting> = Vec::new();
    if is_sent {
        let names = registrar.set(&domain, auto_renew, locked, privacy)?;
        unsupported.extend(names.iter().map(|it| if *it == "locked" { Setting::Locked } else { Setting::Privacy }));
    }
    if args.contact_ref.is_some() {
        unsupported.push(Setting::Contact);
    }
    let settings = if is_sent {
        registrar.find(&domain)?.map_or_else(|| before.clone(), |it| Settings::of(&it))
    } else {
        before.clone()
    };
    let pending = [
        (Setting::AutoRenew, auto_renew, settings.auto_renew),
        (Setting::Locked, locked, settings.locked),
        (Setting::Privacy, privacy, settings.privacy),
    ];
    let is_open =
        |it: &(Setting, Option<bool>, Option<bool>)| it.1.is_some() && it.1 != it.2 && !unsupported.contains(&it.0);
    let pending: Vec<Setting> = pending.into_iter().filter(is_open).map(|it| it.0).collect();
    let mut back = json!({ "domain": domain });
    for (name, is, was) in [
        ("auto_renew", settings.auto_renew, before.auto_renew),
        ("locked", settings.locked, before.locked),
        ("privacy", settings.privacy, before.privacy),
    ] {
        if let Some(was) = was.filter(|it| Some(*it) != is) {
            back[name] = json!(was);
        }
    }
    let is_changed = settings != before;
    let next = is_changed.then(|| Fix::new("domains.settings.update", back).because("sets it as it was before"));
    Ok(Updated {
        registrar: registrar.title().to_owned(),
        settings,
        before,
        pending,
        unsupported,
        next: next.into_iter().collect(),
        domain,
    })
}

impl Settings {
    fn of(told: &Told) -> Self {
        Self { auto_renew: told.auto_renew, locked: told.locked, privacy: told.privacy }
    }
}
