//! The checks of a profile. Each says what was seen, and names the call that mends it.

mod around;

use sdk::serde_json::Value;
use sdk::{Fix, json};

use super::{Checked, Group, Known, shows};
use crate::category::suggest::share_of;
use crate::hours::{closing, without_hours};
use crate::nap::compare::Grade;
use crate::nap::name;
use crate::nap::stored::Nap;
use crate::post::policy;
use crate::profile::Opening;

/// Characters of a description that says something.
const DESCRIPTION: usize = 250;
/// Days that holidays are looked ahead.
const AHEAD: i32 = 60;
const DAY: u64 = 86_400_000;

/// Words that belong in no name of a business.
const ADVERTISING: [&str; 22] = [
    "best", "cheap", "cheapest", "top", "no1", "#1", "discount", "sale", "free", "official", "near", "open", "24/7",
    "beste", "günstig", "billig", "angebot", "meilleur", "pas cher", "mejor", "barato", "oferta",
];

struct Checks<'k> {
    known: &'k Known,
    all: Vec<Checked>,
}

/// All checks.
pub(super) fn all(known: &Known) -> Vec<Checked> {
    let mut checks = Checks { known, all: Vec::new() };
    checks.state();
    checks.name();
    checks.completeness();
    checks.category();
    checks.contact();
    checks.description();
    checks.photos();
    checks.posts();
    checks.reviews();
    checks.landing_page();
    checks.all
}

impl Checks<'_> {
    fn add(&mut self, group: Group, id: &str, weight: u32, pass: Option<bool>, evidence: impl Into<String>, fix: Fix) {
        let fix = (pass == Some(false)).then_some(fix);
        self.all.push(Checked { id: id.to_owned(), group, pass, weight, evidence: evidence.into(), fix });
    }

    fn call(&self, operation: &str, more: sdk::serde_json::Value) -> Fix {
        let mut arguments = json!({ "location_ref": self.known.location });
        for (name, value) in more.as_object().into_iter().flatten() {
            arguments[name] = value.clone();
        }
        Fix::new(operation, arguments)
    }

    fn get(&self) -> Fix {
        shows(&self.known.location)
    }

    /// The call that sets what the record says; without a record, the one that shows the profile.
    fn set(&self, changes: impl FnOnce(&Nap) -> Option<Value>) -> Fix {
        let changes = self.known.nap.as_ref().and_then(changes);
        changes.map_or_else(
            || self.get(),
            |changes| {
                self.call("listings.location.update", json!({ "edit_hash": self.known.edit_hash, "changes": changes }))
            },
        )
    }

    fn set_name(&self) -> Fix {
        let shown = &self.known.profile.name;
        self.set(|nap| (nap.name != *shown).then(|| json!({ "name": nap.name })))
    }

    fn set_phone(&self) -> Fix {
        let others: Vec<&String> = self.known.profile.phones.additional.iter().take(2).collect();
        self.set(|nap| Some(json!({ "phones": { "primary": nap.phone, "additional": others } })))
    }

    fn set_address(&self) -> Fix {
        self.set(|nap| {
            let mut address = json!(nap.address);
            address.as_object_mut()?.retain(|_, it| !it.is_null());
            Some(json!({ "address": address }))
        })
    }

    fn state(&mut self) {
        let (known, group) = (self.known, Group::State);
        let verified = known.profile.verified;
        let words = if verified == Some(false) {
            "Google does not let its owner speak for it: verify it in Google Business Profile"
        } else {
            "its owner speaks for it"
        };
        self.add(
            group,
            "verified",
            3,
            verified,
            if verified.is_none() { "Google does not say" } else { words },
            self.get(),
        );
        let open = match known.profile.open {
            Opening::Open => Some(true),
            Opening::Unknown => None,
            Opening::ClosedTemporarily | Opening::ClosedPermanently => Some(false),
        };
        self.add(group, "open", 3, open, format!("{:?}", known.profile.open), self.get());
        let edits = known.google_edits.as_ref();
        let ours = edits.into_iter().flatten().map(|it| json!({ "field": it.field, "keep": "ours" }));
        let fix = self.call("listings.google_edit.resolve", json!({ "decisions": ours.collect::<Vec<_>>() }));
        let evidence =
            edits.map_or_else(|| "not known".to_owned(), |it| format!("Google changed {} fields by itself", it.len()));
        self.add(group, "no_google_edits", 3, edits.map(Vec::is_empty), evidence, fix);
        self.add(
            group,
            "no_pending_edits",
            1,
            Some(!known.profile.pending_edits),
            if known.profile.pending_edits { "edits wait for Google's review" } else { "none wait" },
            self.get(),
        );
        let fix = Fix::new("listings.location.list", json!({}));
        self.add(
            group,
            "one_profile",
            2,
            known.profile.place_id.as_ref().map(|_| known.same_place == 0),
            format!("{} other profiles of this place in the account", known.same_place),
            fix,
        );
    }

    fn name(&mut self) {
        let (known, group) = (self.known, Group::NamePolicy);
        let name_shown = known.profile.name.clone();
        let lower = name_shown.to_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        self.add(group, "name", 3, Some(!name_shown.is_empty()), name_shown.clone(), self.set_name());
        let record = known.nap.as_ref();
        let equal = record.map(|nap| nap.truth().names.iter().any(|own| name::grade(own, &name_shown) == Grade::Exact));
        let evidence = record.map_or_else(
            || "no record to compare with".to_owned(),
            |nap| format!("the profile says `{name_shown}`, the record `{}`", nap.name),
        );
        self.add(group, "name_equals_record", 3, equal, evidence, self.set_name());
        let allowed = record.map(|nap| nap.name.to_lowercase()).unwrap_or_default();
        let extra = |word: &str| words.contains(&word) && !allowed.contains(word);
        let advertising = ADVERTISING.iter().find(|it| extra(it) || (it.contains(' ') && lower.contains(**it)));
        self.add(
            group,
            "name_without_advertising",
            3,
            Some(advertising.is_none()),
            advertising.map_or_else(|| "no advertising".to_owned(), |it| format!("`{it}` is no part of a name")),
            self.set_name(),
        );
        let city = known.profile.address.as_ref().and_then(|it| it.city.as_ref()).map(|it| it.to_lowercase());
        let has_city = city.as_ref().filter(|city| lower.contains(city.as_str()));
        let pass = record.map(|_| has_city.is_none_or(|city| allowed.contains(city.as_str())));
        self.add(
            group,
            "name_without_town",
            2,
            pass,
            if has_city.is_some() { "the town stands in the name" } else { "no town in the name" },
            self.set_name(),
        );
        let letters: Vec<char> = name_shown.chars().filter(|it| it.is_alphabetic()).collect();
        let loud = letters.len() > 5 && letters.iter().all(|it| it.is_uppercase());
        self.add(group, "name_not_in_capitals", 1, Some(!loud), name_shown.clone(), self.set_name());
        let strange = name_shown
            .chars()
            .find(|it| !it.is_alphanumeric() && !it.is_whitespace() && !"&'’.,-–/()+!:·".contains(*it));
        let pass =
            strange.is_none() && !lower.contains("http") && !lower.contains("www.") && !policy::has_phone(&name_shown);
        self.add(
            group,
            "name_plain",
            2,
            Some(pass),
            strange
                .map_or_else(|| "no signs, addresses or numbers".to_owned(), |it| format!("`{it}` stands in the name")),
            self.set_name(),
        );
    }

    fn completeness(&mut self) {
        let (known, group) = (self.known, Group::Completeness);
        let profile = &known.profile;
        self.add(
            group,
            "phone",
            3,
            Some(profile.phones.primary.is_some()),
            profile.phones.primary.clone().unwrap_or_else(|| "none".to_owned()),
            self.set_phone(),
        );
        self.add(
            group,
            "website",
            3,
            Some(profile.website.is_some()),
            profile.website.clone().unwrap_or_else(|| "none".to_owned()),
            self.set(|nap| nap.website.as_ref().map(|it| json!({ "website": it }))),
        );
        let length = profile.description.as_deref().map_or(0, |it| it.chars().count());
        self.add(
            group,
            "description",
            2,
            Some(length >= DESCRIPTION),
            format!("{length} characters of at least {DESCRIPTION}"),
            self.get(),
        );
        // Hours that nobody gave are not made up.
        let given = known.nap.as_ref().and_then(|it| it.hours.as_ref());
        let hours = given.map_or_else(|| self.get(), |it| self.call("listings.hours.update", json!({ "regular": it })));
        self.add(
            group,
            "hours",
            3,
            Some(!profile.hours.regular.is_empty()),
            format!("{} periods a week", profile.hours.regular.len()),
            hours,
        );
        self.special_hours();
        let placed = profile.address.is_some() || profile.service_area.is_some();
        self.add(
            group,
            "address_or_area",
            3,
            Some(placed),
            if placed { "there" } else { "neither an address nor a service area" },
            self.set_address(),
        );
        self.add(
            group,
            "opening_date",
            1,
            Some(profile.opening_date.is_some()),
            profile.opening_date.clone().unwrap_or_else(|| "none".to_owned()),
            self.get(),
        );
        #[expect(clippy::cast_precision_loss, reason = "attributes are few")]
        let share =
            known.attributes.zip(known.offered).filter(|it| it.1 > 0).map(|(set, offered)| set as f64 / offered as f64);
        let evidence = known.attributes.zip(known.offered).map_or_else(
            || "not known".to_owned(),
            |(set, offered)| format!("{set} of {offered} attributes that Google offers"),
        );
        self.add(group, "attributes", 1, share.map(|it| it >= 0.6), evidence, self.get());
        let services = profile.services.len();
        self.add(group, "services", 2, Some(services >= 5), format!("{services} services of at least 5"), self.get());
    }

    fn special_hours(&mut self) {
        let known = self.known;
        let Some(address) = &known.profile.address else { return };
        let country = address.country.to_string();
        let missing = without_hours(&country, known.now.day(), AHEAD, &known.profile.hours.special);
        let evidence = match &missing {
            None => "public holidays of this country are not known here".to_owned(),
            Some(missing) if missing.is_empty() => "none without special hours".to_owned(),
            Some(missing) => {
                missing.iter().take(3).map(|it| format!("{} {}", it.0, it.1)).collect::<Vec<_>>().join(", ")
            }
        };
        let special = &known.profile.hours.special;
        let close = closing(&known.location, special, missing.as_deref().unwrap_or_default(), known.now.day());
        let fix = Fix { operation_id: close.operation_id, arguments: close.arguments };
        self.add(Group::Completeness, "holiday_hours", 2, missing.map(|it| it.is_empty()), evidence, fix);
    }

    fn category(&mut self) {
        let (known, group) = (self.known, Group::Category);
        let categories = &known.profile.categories;
        let suggest = self.call("listings.category.suggest", json!({}));
        self.add(
            group,
            "category",
            3,
            Some(categories.primary.is_some()),
            categories.primary.as_ref().map_or_else(|| "none".to_owned(), |it| it.name.clone()),
            suggest.clone(),
        );
        let share = known
            .leaders
            .as_ref()
            .zip(categories.primary.as_ref())
            .filter(|it| !it.0.all.is_empty())
            .map(|(leaders, own)| share_of(leaders, own));
        let evidence = share.map_or_else(
            || "no leaders are known".to_owned(),
            |it| format!("{:.0} % of the leaders show it first", it * 100.0),
        );
        self.add(group, "category_of_leaders", 3, share.map(|it| it >= 0.3), evidence, suggest.clone());
        let count = categories.additional.len();
        self.add(
            group,
            "additional_categories",
            1,
            Some((1..=9).contains(&count)),
            format!("{count} additional categories"),
            suggest,
        );
    }
}
