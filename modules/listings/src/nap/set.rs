//! The operation `listings.nap.set`.

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Degraded, Next, json};

use super::compare::{Grade, Shown, Truth};
use super::phone;
use super::stored::Nap;
use crate::address::{Address, GivenAddress};
use crate::hours::GivenPeriod;
use crate::place::Place;
use crate::profile;
use crate::stored::Location;
use crate::week::{self, Period};

#[args]
pub(crate) struct Set {
    /// The location, as listed.
    location_ref: Id<Location>,
    /// As it stands over the door.
    name: Text<1, 120>,
    address: GivenAddress,
    /// In any spelling of the country of the address.
    phone: Text<3, 40>,
    /// The page of the location.
    website: Option<Url>,
    /// Other names that it goes by.
    aliases: Option<List<Text<1, 120>, 0, 20>>,
    /// The week; the profile's hours count when left out.
    hours: Option<List<GivenPeriod, 0, 21>>,
}

/// The record.
#[value]
pub(crate) struct Record {
    name: String,
    aliases: Vec<String>,
    address: Address,
    /// In one line.
    address_line: String,
    /// In its international form, E.164.
    phone: String,
    /// As its own country writes it.
    phone_national: String,
    website: Option<String>,
    hours: Option<Vec<Period>>,
}

/// A field in which the profile says something else.
#[value]
pub(crate) struct Difference {
    /// `name`, `address`, `phone`, `website` or `hours`.
    #[own]
    field: String,
    record: Value,
    profile: Value,
    grade: Grade,
}

/// The record as it is now.
#[value]
pub(crate) struct Done {
    nap: Record,
    /// Null when the profile could not be read.
    differs_from_profile: Option<Vec<Difference>>,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Sets the canonical name, address, phone and hours record of a location, normalised (libpostal-style tokens, E.164) for all consistency checks.
///
/// Citations and landing pages are compared with this record. It replaces the one before.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    needs = ["store", "connection:google_business_profile"],
    outside = ["google_business_profile GET /v1/locations/*"],
    phrasings = ["set the correct name address and phone of a store", "define NAP data", "this is the right address of my location"],
    examples = [{
        "location_ref": "108800001.4503600001.con_1", "name": "Lamp shop Lampton",
        "address": { "lines": ["1 Lamp Lane"], "city": "Lampton", "postcode": "TW3 4EW", "country": "GB" },
        "phone": "020 7946 0101", "website": "https://shop.example/locations/lampton",
    }]
)]
pub(crate) fn set(cx: &Cx, args: Set) -> Result<Done> {
    let place = Place::find(cx, &args.location_ref, "/location_ref")?;
    let address = Address::from(args.address);
    let country = address.country.to_string();
    let phone = phone::e164(args.phone.as_str(), &country).ok_or_else(|| {
        let message = format!(
            "this is no telephone number of {country}; write it with its area code, or with + and its country code"
        );
        Fault::invalid("/phone", "invalid_phone", message)
    })?;
    let hours = args.hours.map(|it| it.into_vec().into_iter().map(Period::from).collect::<Vec<_>>());
    let hours = match hours {
        None => None,
        Some(given) => {
            let settled = week::settled(&given);
            Some(settled.map_err(|it| Fault::invalid(format!("/hours/{}", it.at), it.code, it.words))?.0)
        }
    };
    let nap = Nap {
        name: args.name.into_string(),
        address,
        phone,
        website: args.website.map(|it| it.to_string()),
        aliases: args.aliases.into_iter().flat_map(List::into_vec).map(Text::into_string).collect(),
        hours,
        country,
        set_ms: cx.now().millis(),
    };
    let mut degraded = Vec::new();
    let given = match place.read(cx, "/location_ref") {
        Ok(given) => Some(given),
        // What Google does not know is no location.
        Err(fault) if fault.code == "not_found_at_google" => return Err(fault),
        Err(fault) => {
            degraded.push(Degraded::new(
                "differs_from_profile",
                format!("the profile could not be read: {}", fault.message),
            ));
            None
        }
    };
    match &given {
        Some(given) => profile::keep(cx, &place, given)?,
        None => keep_record(cx, &place, &nap)?,
    }
    let differs = given.as_ref().map(|given| differences(&nap, given));
    let shown = shown(&nap);
    save(cx, &args.location_ref, nap)?;
    let next = differs.iter().flatten().next().map(|it| {
        let arguments = json!({ "location_ref": args.location_ref });
        Next::new(
            "listings.location.get",
            arguments,
            format!("gives the edit_hash to correct the {} of the profile", it.field),
        )
    });
    let scan = Next::new(
        "listings.citation.scan",
        json!({ "location_ref": args.location_ref }),
        "finds where the web says something else",
    );
    Ok(Done { nap: shown, differs_from_profile: differs, next: next.into_iter().chain([scan]).collect(), degraded })
}

fn save(cx: &Cx, location: &Id<Location>, nap: Nap) -> Result<()> {
    let (records, id) = (cx.records::<Nap>(), Id::new(location.as_str()));
    match records.find(&id) {
        Some(mut before) => {
            before.it = nap;
            records.save(before)?;
        }
        None => {
            records.insert_as(id, nap)?;
        }
    }
    Ok(())
}

/// What other modules read, when Google did not say it.
fn keep_record(cx: &Cx, place: &Place, nap: &Nap) -> Result<()> {
    let (records, id) = (cx.records::<Location>(), place.reference());
    if records.find(&id).is_some() {
        return Ok(());
    }
    let row = Location {
        connection: place.connection.clone(),
        account: place.account.clone(),
        name: nap.name.clone(),
        address: Some(nap.address.line()),
        phone: Some(nap.phone.clone()),
        country: Some(nap.country.clone()),
        website: nap.website.clone(),
        seen_ms: cx.now().millis(),
        ..Location::default()
    };
    records.insert_as(id, row).map(|_| ())
}

fn shown(nap: &Nap) -> Record {
    Record {
        name: nap.name.clone(),
        aliases: nap.aliases.clone(),
        address: nap.address.clone(),
        address_line: nap.address.line(),
        phone: nap.phone.clone(),
        phone_national: phone::spellings(&nap.phone).into_iter().next().unwrap_or_default(),
        website: nap.website.clone(),
        hours: nap.hours.clone(),
    }
}

/// Where a profile says something else than the record.
pub(crate) fn differences(nap: &Nap, given: &Value) -> Vec<Difference> {
    let address = Address::read(&given["storefrontAddress"]);
    let text = |value: &Value| value.as_str().filter(|it| !it.is_empty()).map(str::to_owned);
    let shown = Shown {
        name: text(&given["title"]),
        street: address.as_ref().and_then(|it| it.lines.first().cloned()),
        postcode: address.as_ref().and_then(|it| it.postcode.clone()),
        city: address.as_ref().and_then(|it| it.city.clone()),
        phone: text(&given["phoneNumbers"]["primaryPhone"]),
        website: text(&given["websiteUri"]),
    };
    let truth: Truth<'_> = nap.truth();
    let grades = truth.grades(&shown);
    let mut all = Vec::new();
    let mut differ = |field: &str, grade: Grade, record: Value, profile: Value| {
        if grade != Grade::Exact {
            all.push(Difference { field: field.to_owned(), record, profile, grade });
        }
    };
    differ("name", grades.name, json!(nap.name), json!(shown.name));
    differ("address", grades.address, json!(nap.address.line()), json!(address.as_ref().map(Address::line)));
    differ("phone", grades.phone, json!(nap.phone), json!(shown.phone));
    if nap.website.is_some() {
        differ("website", grades.website, json!(nap.website), json!(shown.website));
    }
    if let Some(hours) = &nap.hours {
        let theirs = week::read_week(&given["regularHours"]);
        let grade = match (&theirs == hours, theirs.is_empty()) {
            (true, _) => Grade::Exact,
            (false, true) => Grade::Absent,
            (false, false) => Grade::Conflict,
        };
        differ("hours", grade, json!(hours), json!(theirs));
    }
    all
}

/// How the address of a profile goes together with the record.
pub(crate) fn grade_of_address(nap: &Nap, address: Option<&Address>) -> Grade {
    let shown = Shown {
        street: address.and_then(|it| it.lines.first().cloned()),
        postcode: address.and_then(|it| it.postcode.clone()),
        ..Shown::default()
    };
    nap.truth().grades(&shown).address
}
