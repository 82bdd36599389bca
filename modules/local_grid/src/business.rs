//! `local_grid.business.*`: the businesses that are looked for; here `local_grid.business.add`.

pub(crate) mod list;

use sdk::Degraded;
use sdk::prelude::*;

use crate::geodesy::Point;
use crate::recognise::{Rules, digits, host, words};
use crate::stored::{Business, Location};
use site::Site;

/// The most businesses of one website.
const MOST: u64 = 200;

#[args]
pub(crate) struct Add {
    /// The website that it belongs to, as listed.
    site_id: Id<Site>,
    /// A location of a connected business profile; what is given beside it comes before what the profile says.
    location_ref: Option<Id<Location>>,
    /// Its name, as map results show it. Needed without a location.
    name: Option<Text<1, 120>>,
    /// Google's name of the place, such as `ChIJN1t_tDeuEmsRUsoyG83frY4`. It tells the business apart from all others.
    place_id: Option<Text<1, 200>>,
    /// Where it stands, in words.
    address: Option<Text<1, 300>>,
    /// Where it stands, in degrees north. Grids are laid out around it.
    latitude: Option<Decimal<-90_000, 90_000>>,
    /// Where it stands, in degrees east.
    longitude: Option<Decimal<-180_000, 180_000>>,
    /// Other names that it goes by in results.
    variants: Option<List<Text<1, 120>, 0, 20>>,
    /// Its phone number, in any form.
    phone: Option<Text<1, 40>>,
}

/// A business that can be scanned.
#[value]
pub(crate) struct Added {
    /// The business.
    business_ref: Id<Business>,
    /// How it is recognised among results.
    match_rules: Rules,
    /// Whether it was known already and has changed: the same place id, or the same name and address.
    updated: bool,
    /// What was missing, and what that means.
    degraded: Vec<Degraded>,
}

/// Adds a business to scan from a connected profile location or from name, address and place id, with match rules (name variants, phone, domain) used to recognise it in results.
///
/// A place id or coordinates are needed: a name alone tells no business from its namesakes. Grids are laid out around the
/// coordinates; a business without them can be listed and not be scanned. A business that is known already is changed.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["stores the business and how it is recognised"],
    needs = ["store"],
    phrasings = [
        "add my shop so that its map ranking can be tracked",
        "set up my business location for local rank scans",
        "track my store on google maps",
        "register a branch by its place id",
    ],
    examples = [
        {
            "site_id": "4503599627370496", "name": "Lamp shop London", "place_id": "ChIJlamp101", "address": "1 Lamp Street, London",
            "latitude": 51.5074, "longitude": -0.1278, "phone": "+44 20 7946 0101", "variants": ["The Lamp Shop"]
        },
        { "site_id": "4503599627370496", "name": "Lamp shop Leeds", "latitude": 53.8, "longitude": -1.55 },
    ]
)]
pub(crate) fn add(cx: &Cx, args: Add) -> Result<Added> {
    let site = cx.records::<Site>().get(&args.site_id).map_err(|fault| fault.at("/site_id"))?;
    let location = match &args.location_ref {
        Some(location) => {
            let found = cx.records::<Location>().find(location);
            found.ok_or_else(unknown)?.into_inner()
        }
        None => Location::default(),
    };
    let text = |given: Option<&str>, known: Option<&String>| {
        given.map(str::to_owned).or_else(|| known.cloned()).map(|it| it.trim().to_owned()).filter(|it| !it.is_empty())
    };
    let name = text(args.name.as_ref().map(Text::as_str), Some(&location.name));
    let Some(name) = name.filter(|it| !words(it).is_empty()) else {
        return Err(Fault::invalid("/name", "name_missing", "a business needs a name with letters or digits in it"));
    };
    let place_id = text(args.place_id.as_ref().map(Text::as_str), location.place_id.as_ref());
    let address = text(args.address.as_ref().map(Text::as_str), location.address.as_ref());
    let phone = text(args.phone.as_ref().map(Text::as_str), location.phone.as_ref()).map(|it| digits(&it));
    if phone.as_ref().is_some_and(|it| it.len() < 7) {
        return Err(Fault::invalid("/phone", "phone_unreadable", "a phone number has seven digits or more"));
    }
    let point = point(&args, &location)?;
    if place_id.is_none() && point.is_none() {
        let message = "give its place id or its coordinates: a name alone tells no business from its namesakes";
        return Err(Fault::invalid("/place_id", "place_missing", message));
    }
    let mut names = vec![name.clone()];
    for variant in args.variants.iter().flatten().map(|it| it.as_str().trim()) {
        if !words(variant).is_empty() && !names.iter().any(|it| words(it) == words(variant)) {
            names.push(variant.to_owned());
        }
    }
    let rules = Rules { place_id, names, phone, domain: Some(host(&site.domain)).filter(|it| !it.is_empty()) };
    let degraded = missing(&rules, address.as_ref(), point);
    let business = Business {
        site_id: args.site_id.as_str().to_owned(),
        name,
        address,
        point,
        rules: rules.clone(),
        created_ms: cx.now().millis(),
    };
    let records = cx.records::<Business>();
    let known = records.by("site_id").equals(&args.site_id).page(MOST, None)?.items;
    let same = known.iter().find(|it| is_same(it, &business)).cloned();
    let updated = same.is_some();
    let business_ref = match same {
        Some(same) => records.save(Stored { it: Business { created_ms: same.created_ms, ..business }, ..same })?.id,
        None if known.len() as u64 >= MOST => {
            return Err(Fault::conflict("too_many_businesses", format!("a website has at most {MOST} businesses")));
        }
        None => records.insert(business)?.id,
    };
    Ok(Added { business_ref, match_rules: rules, updated, degraded })
}

fn point(args: &Add, location: &Location) -> Result<Option<Point>> {
    let (latitude, longitude) = (args.latitude.map(Decimal::get), args.longitude.map(Decimal::get));
    match (latitude, longitude) {
        (Some(latitude), Some(longitude)) => Ok(Some(Point { latitude, longitude })),
        (None, None) => {
            Ok(location.latitude.zip(location.longitude).map(|it| Point { latitude: it.0, longitude: it.1 }))
        }
        (latitude, _) => {
            let absent = if latitude.is_none() { "/latitude" } else { "/longitude" };
            Err(Fault::invalid(absent, "coordinates_incomplete", "latitude and longitude are given together"))
        }
    }
}

/// What the business would be better recognised with.
fn missing(rules: &Rules, address: Option<&String>, point: Option<Point>) -> Vec<Degraded> {
    let mut missing = Vec::new();
    if point.is_none() {
        let why = "without coordinates no grid can be laid out; add it again with latitude and longitude";
        missing.push(Degraded::new("coordinates", why));
    }
    if rules.place_id.is_none() {
        let why = "without a place id it is recognised by name with phone number, website or place";
        missing.push(Degraded::new("place_id", why));
    }
    if rules.phone.is_none() {
        let why = "without a phone number a branch with the same name is told apart by its place alone";
        missing.push(Degraded::new("phone", why));
    }
    if address.is_none() {
        missing.push(Degraded::new("address", "the address is not known"));
    }
    missing
}

/// Whether two rows are one business.
fn is_same(known: &Business, given: &Business) -> bool {
    match (&known.rules.place_id, &given.rules.place_id) {
        (Some(known), Some(given)) => known == given,
        _ => {
            let address = |it: &Business| it.address.as_deref().map(words);
            words(&known.name) == words(&given.name) && address(known) == address(given)
        }
    }
}

/// Reads of `listings` store nothing: a location is known here once something of it was kept.
fn unknown() -> Fault {
    let message =
        "no location of this reference is known here; listings.nap.set keeps its name, address and phone number";
    Fault::not_found("location_not_found", message).at("/location_ref")
}

#[cfg(test)]
mod tests;
