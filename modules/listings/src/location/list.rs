//! The operation `listings.location.list`.

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Connection, Degraded, Next, Send, json};
use site::Site;

use crate::address::Address;
use crate::google::{self, READ_MASK};
use crate::place::Place;
use crate::profile::{Opening, Profile};
use crate::stored::Location;

/// Requests of one call.
const MOST_REQUESTS: usize = 24;
/// Locations of an answer of Google.
const PAGE: usize = 100;

#[args(paged)]
pub(crate) struct Listing {
    /// The connection; all that reach Google Business Profile when left out.
    connection_ref: Option<Id<Connection>>,
    /// A part of the name, the store code, the street or the town.
    search: Option<Text<1, 120>>,
}

/// A location.
#[value]
pub(crate) struct Row {
    location_ref: Id<Location>,
    /// The connection that reaches it.
    connection_ref: Id<Connection>,
    name: String,
    store_code: Option<String>,
    address: Option<Address>,
    phone: Option<String>,
    website: Option<String>,
    /// The website of yours that it links to.
    site_id: Option<Id<Site>>,
    /// The primary category.
    category: Option<String>,
    open: Opening,
    /// Whether Google lets its owner speak for it.
    verified: Option<bool>,
    pending_edits: bool,
    google_edits_waiting: bool,
    place_id: Option<String>,
    /// The first location of this list that is the same place, reached by another connection.
    same_place_as: Option<Id<Location>>,
}

/// Locations.
#[page]
pub(crate) struct Rows {
    /// By name.
    locations: Vec<Row>,
    total: u64,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Lists locations of the connected Google Business Profile accounts with state, category, verification and mapped website.
///
/// A location that two connections reach is listed twice, the second time with `same_place_as`. At most 2,000 locations are read; with more, name
/// the connection.
#[operation(
    read,
    scope = "assets:read",
    cost = live(most = 24),
    needs = ["store", "connection:google_business_profile"],
    outside = ["google_business_profile.accounts GET /v1/accounts", "google_business_profile GET /v1/accounts/*/locations"],
    phrasings = ["list my google business profiles", "which locations do I have", "show my store listings", "google my business locations"],
    examples = [{}, { "search": "Bristol", "limit": 10 }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    let mut found = Found::default();
    let connections = google::connections(cx, args.connection_ref.as_ref().map(Id::as_str))?;
    for connection in &connections {
        match found.read(cx, &connection.reference) {
            Ok(()) => {}
            Err(fault) if connections.len() == 1 => return Err(fault),
            Err(fault) => found.missing(&format!("the connection {} was not read: {}", connection.name, fault.message)),
        }
    }
    let wanted = args.search.as_ref().map(|it| it.as_str().to_lowercase());
    let mut rows: Vec<Row> = found.all.iter().map(|(place, given)| row(cx, place, given)).collect();
    rows.retain(|it| wanted.as_deref().is_none_or(|wanted| matches(it, wanted)));
    rows.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| a.location_ref.as_str().cmp(b.location_ref.as_str())));
    let mut seen = std::collections::BTreeMap::new();
    for it in &mut rows {
        let Some(place) = &it.place_id else { continue };
        it.same_place_as = seen.get(place).cloned();
        seen.entry(place.clone()).or_insert_with(|| it.location_ref.clone());
    }
    let total = rows.len() as u64;
    let page = args.window(rows)?;
    let next = page.items.iter().find(|it| it.google_edits_waiting).map(|it| {
        let arguments = json!({ "location_ref": it.location_ref });
        Next::new("listings.location.get", arguments, format!("shows what Google changed at {}", it.name))
    });
    let audit = page.items.first().map(|it| {
        Next::new(
            "listings.location.audit",
            json!({ "location_ref": it.location_ref }),
            "checks a profile and names what to mend first",
        )
    });
    Ok(Rows {
        locations: page.items,
        next_cursor: page.next,
        total,
        next: next.into_iter().chain(audit).collect(),
        degraded: found.degraded,
    })
}

fn matches(row: &Row, wanted: &str) -> bool {
    let address = row.address.as_ref().map(Address::line).unwrap_or_default();
    let texts = [row.name.as_str(), row.store_code.as_deref().unwrap_or_default(), &address];
    texts.iter().any(|it| it.to_lowercase().contains(wanted))
}

fn row(cx: &Cx, place: &Place, given: &Value) -> Row {
    let it = Profile::read(cx, place, given);
    Row {
        location_ref: it.location_ref,
        connection_ref: Id::new(place.connection.as_str()),
        name: it.name,
        store_code: it.store_code,
        address: it.address,
        phone: it.phones.primary,
        website: it.website,
        site_id: it.site_id,
        category: it.categories.primary.map(|it| it.name),
        open: it.open,
        verified: it.verified,
        pending_edits: it.pending_edits,
        google_edits_waiting: it.google_edits_waiting,
        place_id: it.place_id,
        same_place_as: None,
    }
}

/// What was found so far.
#[derive(Default)]
struct Found {
    all: Vec<(Place, Value)>,
    requests: usize,
    degraded: Vec<Degraded>,
}

impl Found {
    fn read(&mut self, cx: &Cx, connection: &str) -> Result<()> {
        self.requests += 1;
        let accounts = google::answered(cx.connections().send(&google::accounts(connection)), "/connection_ref")?;
        if accounts["nextPageToken"].is_string() {
            self.missing("the first 20 accounts of a connection are read");
        }
        for account in accounts["accounts"].as_array().into_iter().flatten() {
            let Some(id) = account["name"].as_str().and_then(|it| google::identifier(it, "accounts")) else { continue };
            self.account(cx, connection, id)?;
        }
        Ok(())
    }

    fn account(&mut self, cx: &Cx, connection: &str, account: &str) -> Result<()> {
        let mut token = String::new();
        loop {
            if self.requests >= MOST_REQUESTS {
                self.missing("more locations are there than one call reads; name a connection_ref");
                return Ok(());
            }
            self.requests += 1;
            let mut request = Send::get(connection, format!("/v1/accounts/{account}/locations"))
                .query("readMask", READ_MASK)
                .query("pageSize", PAGE)
                .max_bytes(4 << 20);
            if !token.is_empty() {
                request = request.query("pageToken", &token);
            }
            let answer = google::answered(cx.connections().send(&request), "/connection_ref")?;
            for given in answer["locations"].as_array().into_iter().flatten() {
                let Some(id) = given["name"].as_str().and_then(|it| google::identifier(it, "locations")) else {
                    continue;
                };
                let place =
                    Place { account: account.to_owned(), location: id.to_owned(), connection: connection.to_owned() };
                self.all.push((place, given.clone()));
            }
            match answer["nextPageToken"].as_str().filter(|it| !it.is_empty()) {
                Some(next) => token = next.to_owned(),
                None => return Ok(()),
            }
        }
    }

    fn missing(&mut self, why: &str) {
        if self.degraded.iter().all(|it| it.why != why) {
            self.degraded.push(Degraded::new("locations", why));
        }
    }
}
