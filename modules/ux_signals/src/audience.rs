//! The operations `ux_signals.audience.list` and `.register`: people who opted in.

use campaign::wording;
use kit::url::registrable_domain;
use sdk::Degraded;
use sdk::Request;
use sdk::prelude::*;

use crate::people;
use crate::stored::{Audience, Channel};
use site::Site;

/// Words of a consent basis, at least.
const WORDS: usize = 4;

#[args]
pub(crate) struct Register {
    /// The website that may invite them.
    site_id: Id<Site>,
    /// What it is called. The same name once more for this website puts the new entry in the place of the old one.
    name: Text<1, 80>,
    /// How its people are reached.
    channel: Channel,
    /// How many people.
    size: Count<1, 10_000_000>,
    /// What they agreed to, and how: such as "signed up to the newsletter with double opt-in since 2024".
    consent_basis: Text<10, 1000>,
    /// A public page with the wording that they agreed to, on the website's domain. Without one that answers the audience
    /// stays unusable.
    consent_url: Option<Url>,
    /// Invitations that one person gets in seven days at most.
    #[default(2)]
    max_per_week: Count<1, 14>,
    /// What they like to hear of.
    #[serde(default)]
    topics: List<Text<1, 60>, 0, 20>,
    /// What they read about who pays; standard words when left out. It may not ask for a search, a click, a rating or a
    /// review.
    disclosure: Option<Text<10, 300>>,
}

/// A registered audience.
#[value]
pub(crate) struct Registered {
    /// The audience.
    audience_ref: Id<Audience>,
    /// Whether campaigns may invite it.
    usable: bool,
    /// What is missing before they may: `consent_url`, `consent_url_unreachable`, `consent_url_elsewhere`,
    /// `consent_basis_unclear`.
    missing: Vec<String>,
}

/// Registers an own opted-in audience with consent basis, disclosure and frequency cap; without proof of consent it stays unusable.
///
/// The proof is a public page of the website with the wording that people agreed to; it is asked for now. Nobody's name or
/// address is taken: invitations stand ready for you to pass on, at most as often as the cap says.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["campaigns of this website may invite the audience once its consent is proven"],
    needs = ["store", "web"],
    phrasings = [
        "use my newsletter readers for the boost",
        "add my community as an audience",
        "register people who opted in to hear from us",
        "set how often my followers may be asked",
    ],
    examples = [{
        "site_id": "8123456789012345",
        "name": "Newsletter",
        "channel": "newsletter",
        "size": 1200,
        "consent_basis": "Signed up to the newsletter with double opt-in since 2024.",
        "consent_url": "https://shop.example/newsletter"
    }]
)]
pub(crate) fn register(cx: &Cx, args: Register) -> Result<Registered> {
    let site = site::get(cx, &args.site_id)?;
    if let Some(disclosure) = &args.disclosure {
        wording::check("/disclosure", disclosure)?;
    }
    let missing = missing(cx, &args, &site.domain);
    let usable = missing.is_empty();
    let number = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    let it = Audience {
        site_id: args.site_id.as_str().to_owned(),
        name: args.name.as_str().to_owned(),
        created_ms: cx.now().millis(),
        channel: args.channel,
        size: u64::from(args.size),
        consent_basis: args.consent_basis.as_str().to_owned(),
        consent_url: args.consent_url.map(|url| url.to_string()),
        proven_at: usable.then(|| cx.now()),
        disclosure: args.disclosure.map(Text::into_string),
        max_per_week: number(args.max_per_week.get()),
        topics: args.topics.into_vec().into_iter().map(Text::into_string).collect(),
    };
    let audiences = cx.records::<Audience>();
    let before = audiences.by("site_id_name").equals(&args.site_id).equals(&it.name).first();
    let stored = match before {
        Some(before) => {
            let created_ms = before.created_ms;
            audiences.update(&before.id, |audience| *audience = Audience { created_ms, ..it })?
        }
        None => audiences.insert(it)?,
    };
    Ok(Registered { audience_ref: stored.id, usable, missing })
}

/// What is missing for the consent to be proven.
fn missing(cx: &Cx, args: &Register, domain: &str) -> Vec<String> {
    let mut missing = Vec::new();
    if args.consent_basis.split_whitespace().count() < WORDS {
        missing.push("consent_basis_unclear");
    }
    match &args.consent_url {
        None => missing.push("consent_url"),
        Some(url) => {
            let host = registrable_domain(url.host_str().unwrap_or_default());
            if host.is_none() || host != registrable_domain(domain) {
                missing.push("consent_url_elsewhere");
            } else if !cx.web().fetch(&Request::get(url).max_bytes(64 << 10)).is_ok_and(|it| it.is_success()) {
                missing.push("consent_url_unreachable");
            }
        }
    }
    missing.into_iter().map(str::to_owned).collect()
}

#[args(paged)]
pub(crate) struct Listing {
    /// Only own audiences of this website, and the panel's.
    site_id: Option<Id<Site>>,
}

/// An audience.
#[value]
pub(crate) struct Line {
    /// As campaigns take it in `audience_refs`.
    audience_ref: Id<Audience>,
    /// `own`, or `panel` for those of a connected panel.
    source: String,
    /// The website it was registered for; none for a panel's.
    site_id: Option<Id<Site>>,
    /// What it is called.
    name: String,
    /// How its people are reached; none for a panel's.
    channel: Option<Channel>,
    /// How many people.
    size: u64,
    /// What they like to hear of.
    topics: Vec<String>,
    /// Countries they live in, where that is known.
    places: Vec<String>,
    /// What they agreed to.
    consent_basis: String,
    /// Invitations that one of them gets in seven days at most.
    max_per_week: u32,
    /// Whether campaigns may invite it.
    usable: bool,
    /// Invitations that it got in the last seven days, over all campaigns.
    invited_in_seven_days: u64,
    /// The share of people who accepted in the last four weeks, 0 to 1, where a panel says so.
    acceptance_28d: Option<f64>,
}

/// Audiences: own ones oldest first, and on the last page those of the panel.
#[page]
pub(crate) struct Audiences {
    /// The audiences.
    audiences: Vec<Line>,
    /// What could not be asked.
    degraded: Vec<Degraded>,
}

/// Lists opted-in audiences (own newsletter or community, panels of a connected provider) with size, topics, places, consent and recent acceptance.
#[operation(
    read,
    scope = "assets:read",
    cost = list(most = limit, otherwise = 200),
    needs = ["store", "connection:fulfilment?"],
    outside = ["fulfilment GET /v1/audiences"],
    phrasings = [
        "who can I invite to share my pages",
        "list my opted in audiences",
        "which panels can I use for a campaign",
    ],
    examples = [{ "limit": 10 }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Audiences> {
    let all = cx.records::<Audience>();
    let query = match &args.site_id {
        Some(site) => all.by("site_id_created_ms").equals(site),
        None => all.by("created_ms"),
    };
    let page = query.page(args.limit, args.cursor)?;
    let today = cx.now().day();
    let own = page.items.into_iter().map(|it| Line {
        source: "own".to_owned(),
        site_id: Some(it.site_id.as_str().into()),
        name: it.name.clone(),
        channel: Some(it.channel),
        size: it.size,
        topics: it.topics.clone(),
        places: Vec::new(),
        consent_basis: it.consent_basis.clone(),
        max_per_week: it.max_per_week,
        usable: it.proven_at.is_some(),
        invited_in_seven_days: people::in_seven_days(cx, it.id.as_str(), today),
        acceptance_28d: None,
        audience_ref: it.id.clone(),
    });
    let mut audiences: Vec<Line> = own.collect();
    let (panel, degraded) = if page.next.is_none() { people::of_panel(cx) } else { (None, Vec::new()) };
    audiences.extend(panel.unwrap_or_default().into_iter().map(|it| Line {
        source: "panel".to_owned(),
        site_id: None,
        name: it.name,
        channel: None,
        size: it.people,
        topics: it.topics,
        places: it.countries,
        consent_basis: it.consent_basis,
        max_per_week: it.weekly_cap,
        usable: true,
        invited_in_seven_days: people::in_seven_days(cx, &it.audience_ref, today),
        acceptance_28d: it.acceptance_28d,
        audience_ref: it.audience_ref.into(),
    }));
    Ok(Audiences { audiences, degraded, next_cursor: page.next })
}
