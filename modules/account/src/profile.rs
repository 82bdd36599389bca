//! `account.profile.*`, the workspace's defaults.

mod codes;

use sdk::prelude::*;
use sdk::{PlatformQuestion, json};

use crate::platform::account::{Account, Rates};

/// The one row of the settings.
const WORKSPACE: &str = "workspace";

/// The workspace's defaults; one row, under the id `workspace`. Other modules read it.
#[record(collection = "settings", reference = "workspace")]
#[derive(Default)]
pub(crate) struct Settings {
    /// An IANA time zone; UTC when none was set.
    pub(crate) timezone: Option<String>,
    /// ISO 3166-1.
    pub(crate) country: Option<Country>,
    /// ISO 639-1, perhaps with a region.
    pub(crate) language: Option<Language>,
    /// ISO 4217.
    pub(crate) currency: Option<String>,
    /// The day that a week begins with; Monday when none was set.
    pub(crate) week_start: Option<WeekStart>,
    /// For the foot of letters.
    pub(crate) postal_address: Option<String>,
}

/// The day that a week begins with.
#[value]
#[derive(Default)]
pub(crate) enum WeekStart {
    #[default]
    Mon,
    Sun,
}

/// The workspace's defaults as they are in force.
#[value]
pub(crate) struct Profile {
    /// An IANA time zone.
    timezone: String,
    /// ISO 3166-1; null when none was set.
    country: Option<Country>,
    /// ISO 639-1, perhaps with a region; null when none was set.
    language: Option<Language>,
    /// ISO 4217; null when none was set.
    currency: Option<String>,
    week_start: WeekStart,
    /// For the foot of letters; null when none was set.
    postal_address: Option<String>,
}

impl From<Settings> for Profile {
    fn from(it: Settings) -> Self {
        Self {
            timezone: it.timezone.unwrap_or_else(|| "UTC".to_owned()),
            country: it.country,
            language: it.language,
            currency: it.currency,
            week_start: it.week_start.unwrap_or_default(),
            postal_address: it.postal_address,
        }
    }
}

/// The workspace.
#[value]
pub(crate) struct Workspace {
    profile: Profile,
    plan: Plan,
    /// How many calls one window of time takes.
    limits: Rates,
}

/// The plan in force.
#[value]
pub(crate) struct Plan {
    name: String,
    /// The plan after this one; null when none was asked for.
    upcoming: Option<NextPlan>,
}

/// A plan that is to come.
#[value]
pub(crate) struct NextPlan {
    name: String,
    effective_at: Moment,
}

/// Returns workspace defaults: timezone, country, language, currency, week start, postal address used in outreach footers, and the plan in force.
#[operation(
    read,
    scope = "account:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "show my account settings",
        "which time zone is my workspace in",
        "what plan am I on",
        "what address stands in my outreach mails",
    ],
    examples = [{}]
)]
pub(crate) fn get(cx: &Cx, _args: Nothing) -> Result<Workspace> {
    let account: Account = cx.platform().ask(&PlatformQuestion::Account)?;
    let settings = cx.records::<Settings>().find(&Id::new(WORKSPACE)).map(Stored::into_inner);
    Ok(Workspace {
        profile: settings.unwrap_or_default().into(),
        plan: Plan {
            name: account.plan,
            upcoming: account
                .next_plan
                .map(|it| NextPlan { name: it.plan, effective_at: Moment::from_millis(it.effective_at) }),
        },
        limits: account.rates,
    })
}

/// The workspace's zone.
pub(crate) fn timezone(cx: &Cx) -> String {
    let settings = cx.records::<Settings>().find(&Id::new(WORKSPACE));
    settings.and_then(|it| it.it.timezone).unwrap_or_else(|| "UTC".to_owned())
}

/// Members that are left out stay as they are.
#[args]
pub(crate) struct Update {
    /// An IANA time zone, such as `Europe/Berlin`.
    timezone: Option<Text<1, 64>>,
    /// ISO 3166-1, such as `DE`.
    country: Option<Country>,
    /// ISO 639-1, such as `de`, perhaps with a region, such as `pt-BR`.
    language: Option<Language>,
    /// ISO 4217, such as `EUR`.
    currency: Option<Text<3, 3>>,
    /// The day that a week begins with.
    week_start: Option<WeekStart>,
    /// For the foot of letters; an empty text takes it away.
    postal_address: Option<Text<0, 300>>,
}

/// The defaults as they are now.
#[value]
pub(crate) struct Updated {
    profile: Profile,
    /// The members that have another value than before.
    changed: Vec<String>,
}

/// Changes workspace defaults, validated against IANA time zones, ISO 3166-1, ISO 639-1 and ISO 4217.
///
/// Names and codes are read in either case and kept as their lists write them. Nothing is converted: amounts that
/// were stored in one currency stay in it.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    needs = ["store"],
    side_effects = ["changes the workspace's defaults"],
    phrasings = [
        "set my time zone",
        "change the default currency",
        "my company moved, update the postal address",
        "weeks should start on Sunday",
        "set the default country and language",
    ],
    examples = [
        { "timezone": "Europe/Berlin", "country": "DE", "language": "de", "currency": "EUR" },
        { "postal_address": "Lamp Shop GmbH, Hauptstr. 1, 10115 Berlin" }
    ]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    let stored = cx.records::<Settings>().find(&Id::new(WORKSPACE));
    let before: Profile = stored.as_ref().map(|it| it.it.clone()).unwrap_or_default().into();
    let mut settings = stored.as_ref().map(|it| it.it.clone()).unwrap_or_default();
    if let Some(name) = args.timezone {
        settings.timezone = Some(time_zone(&name)?);
    }
    if let Some(language) = args.language {
        if !codes::is_language(language.primary()) {
            let message = "the language is not one of ISO 639-1, which has codes of two letters such as de";
            return Err(Fault::invalid("/language", "unknown_language", message));
        }
        settings.language = Some(language);
    }
    if let Some(code) = args.currency {
        let message = "the currency is not one in use by ISO 4217, such as EUR";
        let known = codes::currency(&code).ok_or_else(|| Fault::invalid("/currency", "unknown_currency", message))?;
        settings.currency = Some(known);
    }
    if let Some(address) = args.postal_address {
        let address = address.trim();
        if address.chars().any(|it| it.is_control() && it != '\n') {
            let message = "an address has lines of text and no other control characters than line feeds";
            return Err(Fault::invalid("/postal_address", "invalid_address", message));
        }
        settings.postal_address = Some(address.to_owned()).filter(|it| !it.is_empty());
    }
    settings.country = args.country.or(settings.country);
    settings.week_start = args.week_start.or(settings.week_start);
    let after: Profile = settings.clone().into();
    let changed = changed(&before, &after);
    if !changed.is_empty() {
        match stored {
            Some(row) => drop(cx.records::<Settings>().save(Stored { it: settings, ..row })?),
            None => drop(cx.records::<Settings>().insert_as(Id::new(WORKSPACE), settings)?),
        }
    }
    Ok(Updated { profile: after, changed })
}

fn time_zone(name: &str) -> Result<String> {
    codes::time_zone(name).map(str::to_owned).ok_or_else(|| {
        let message = "the time zone is not one of the IANA database, such as Europe/Berlin or UTC";
        Fault::invalid("/timezone", "unknown_timezone", message).detail(json!({ "similar": codes::similar(name) }))
    })
}

fn changed(before: &Profile, after: &Profile) -> Vec<String> {
    let members = [
        ("timezone", before.timezone != after.timezone),
        ("country", before.country != after.country),
        ("language", before.language != after.language),
        ("currency", before.currency != after.currency),
        ("week_start", before.week_start != after.week_start),
        ("postal_address", before.postal_address != after.postal_address),
    ];
    members.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests;
