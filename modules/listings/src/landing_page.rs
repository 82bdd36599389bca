//! The operation `listings.landing_page.check`.

mod markup;

use std::collections::HashSet;

use kit::jsonld;
use kit::similarity::shingles;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value};
use sdk::{Degraded, Fix, json};
use site::live::{self, Live, Seen};
use site::pages::Crawl;

use self::markup::{hours, markup, markup_checks};
use crate::citation::extract;
use crate::nap::compare::{Grade, Shown};
use crate::nap::stored::{self as nap, Nap};
use crate::place::Place;
use crate::profile::Profile;
use crate::stored::Location;

/// Words that no other location page has.
const OWN_WORDS: usize = 150;
/// Metres between the place of the profile and that of the page.
const NEAR: f64 = 150.0;
/// Checks of what readers see.
const OF_READERS: [&str; 8] =
    ["name_visible", "address_visible", "phone_visible", "phone_link", "hours_visible", "map", "h1", "own_words"];
/// Pages of the website that the text is compared with.
const OTHERS: usize = 60;

#[args]
pub(crate) struct Check {
    /// A location with a record of listings.nap.set.
    location_ref: Id<Location>,
    /// The page; that of the record, else of the profile, when left out.
    url: Option<Url>,
}

/// A check.
#[value]
pub(crate) struct Checked {
    #[own]
    pub(crate) id: String,
    /// Null where it cannot be told.
    pub(crate) pass: Option<bool>,
    /// From 1 to 3: what it counts in the score.
    pub(crate) weight: u32,
    /// What was seen.
    pub(crate) evidence: String,
    pub(crate) fix: Option<Fix>,
}

/// The checks of a page.
#[value]
pub(crate) struct Reported {
    page: Seen,
    /// From 0 to 100, of the checks that can be told.
    score: f64,
    /// Those that fail first, the weightiest before.
    checks: Vec<Checked>,
    /// Structured data that is right, for the head of the page.
    jsonld: Map<String, Value>,
    degraded: Vec<Degraded>,
}

/// Checks a location's landing page: visible and marked-up name, address and phone equal to the record, hours, map, local content uniqueness, title and internal links.
///
/// The page is compared with the record of listings.nap.set and, where it can be read, with the hours and the place of the profile. Own words are runs of
/// three that no page beside it in the newest crawl has.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 8),
    needs = ["store", "web", "connection:google_business_profile"],
    outside = ["google_business_profile GET /v1/locations/*"],
    phrasings = ["check the landing page of a store", "is my location page right", "local landing page audit"],
    examples = [{ "location_ref": "108800001.4503600001.con_1" }, { "location_ref": "108800001.4503600001.con_1", "url": "https://shop.example/locations/lampton" }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Reported> {
    let record = nap::required(cx, args.location_ref.as_str())?;
    let mut degraded = Vec::new();
    let place = Place::find(cx, &args.location_ref, "/location_ref");
    let profile = match place.and_then(|place| Ok((place.read(cx, "/location_ref")?, place))) {
        Ok((given, place)) => Some(Profile::read(cx, &place, &given)),
        Err(fault) => {
            degraded.push(Degraded::new("checks", format!("the profile could not be read: {}", fault.message)));
            None
        }
    };
    let url = match (args.url, &record.website, profile.as_ref().and_then(|it| it.website.clone())) {
        (Some(url), ..) => url,
        (None, Some(url), _) => url.parse().map_err(|_| no_page())?,
        (None, None, Some(url)) => url.parse().map_err(|_| no_page())?,
        (None, None, None) => return Err(no_page()),
    };
    let page = live::page(cx, &url, "/url")?;
    let checks = checks(cx, &record, profile.as_ref(), &page, &mut degraded);
    let score = score(&checks);
    let mut checks = checks;
    checks.sort_by_key(|it| (it.pass != Some(false), it.pass.is_none(), std::cmp::Reverse(it.weight)));
    Ok(Reported { page: page.seen(), score, checks, jsonld: markup(&record, profile.as_ref(), &url), degraded })
}

fn no_page() -> Fault {
    Fault::invalid("/url", "no_page", "neither the record nor the profile names a page; give its url")
}

/// The share of the weights that pass, of those that can be told.
pub(crate) fn score(checks: &[Checked]) -> f64 {
    let sum = |holds: &dyn Fn(&Checked) -> bool| checks.iter().filter(|it| holds(it)).map(|it| it.weight).sum::<u32>();
    let whole = sum(&|it| it.pass.is_some());
    kit::statistics::round(100.0 * f64::from(sum(&|it| it.pass == Some(true))) / f64::from(whole.max(1)), 1)
}

/// All checks of a page.
pub(crate) fn checks(
    cx: &Cx,
    record: &Nap,
    profile: Option<&Profile>,
    page: &Live,
    degraded: &mut Vec<Degraded>,
) -> Vec<Checked> {
    let truth = record.truth();
    let visible = visible(page, record);
    // What a script shows is not seen: nothing is said of it.
    let seen = extract::shows_text(page);
    if !seen {
        degraded
            .push(Degraded::new("checks", "the page shows no text without its scripts: what readers see is not known"));
    }
    let grades = truth.grades(&visible);
    let node = business(page, record);
    let url = page.facts.final_url.clone();
    let examine = site::examine(&url, None);
    let repair = Fix::on("schema.page.validate", &url).if_served();
    let mut all = Vec::new();
    let mut add = |id: &str, weight: u32, pass: Option<bool>, evidence: String, fix: &Option<Fix>| {
        let pass = pass.filter(|_| seen || !OF_READERS.contains(&id));
        let fix = if pass == Some(false) { fix.clone() } else { None };
        all.push(Checked { id: id.to_owned(), pass, weight, evidence, fix });
    };
    let indexable = page.facts.indexability.is_indexable();
    add(
        "indexable",
        3,
        Some(indexable),
        format!("status {}, {}", page.facts.status, if indexable { "may be indexed" } else { "may not be indexed" }),
        &examine,
    );
    let shown = |what: &Option<String>| what.clone().unwrap_or_else(|| "not found".to_owned());
    let right = |it: Grade| Some(matches!(it, Grade::Exact | Grade::Near));
    add("name_visible", 3, right(grades.name), shown(&visible.name), &None);
    add("address_visible", 3, right(grades.address), shown(&visible.street), &None);
    add("phone_visible", 3, Some(grades.phone == Grade::Exact), shown(&visible.phone), &None);
    let call =
        page.dom.elements("a").filter_map(|id| page.dom.attribute(id, "href")?.strip_prefix("tel:").map(str::to_owned));
    let calls: Vec<String> = call.collect();
    let same = |it: &String| crate::nap::phone::same(&record.phone, it, &record.country);
    add(
        "phone_link",
        2,
        Some(calls.iter().any(same)),
        calls.first().cloned().unwrap_or_else(|| "no tel: link".to_owned()),
        &None,
    );
    markup_checks(record, profile, node.as_ref(), &repair, &mut add);
    hours_visible(record, profile, page, &mut add);
    let map = page
        .dom
        .elements("iframe")
        .chain(page.dom.elements("a"))
        .filter_map(|id| page.dom.attribute(id, "src").or(page.dom.attribute(id, "href")));
    let map = map
        .filter(|it| {
            [
                "google.com/maps",
                "maps.google.",
                "goo.gl/maps",
                "maps.app.goo.gl",
                "openstreetmap.org",
                "maps.apple.com",
                "bing.com/maps",
            ]
            .iter()
            .any(|host| it.contains(host))
        })
        .map(str::to_owned)
        .next();
    add("map", 1, Some(map.is_some()), map.unwrap_or_else(|| "no map and no link to one".to_owned()), &None);
    let title = page.facts.titles.first().cloned().unwrap_or_default();
    let names = |text: &str| {
        let lower = text.to_lowercase();
        let city = record.address.city.as_ref().is_some_and(|city| lower.contains(&city.to_lowercase()));
        city || record.truth().names.iter().any(|name| lower.contains(&name.to_lowercase()))
    };
    add(
        "title",
        2,
        Some(names(&title)),
        if title.is_empty() { "no title".to_owned() } else { title },
        &site::retitle(&url, record.address.city.as_deref()),
    );
    let h1 = page.facts.headings.iter().find(|it| it.level == 1).map(|it| it.text.clone());
    add("h1", 1, Some(h1.is_some()), h1.unwrap_or_else(|| "no first heading".to_owned()), &examine);
    of_the_website(cx, &url, page, degraded, &mut add);
    all
}

/// What a reader of the page sees, without its structured data.
fn visible(page: &Live, record: &Nap) -> Shown {
    let text: String = page.dom.elements("body").map(|id| page.dom.text(id)).collect::<Vec<_>>().join("\n");
    let truth = record.truth();
    let lower = kit::text::collapse(&text.to_lowercase());
    let name = truth
        .names
        .iter()
        .find(|name| lower.contains(&kit::text::collapse(&name.to_lowercase())))
        .map(|it| (*it).to_owned());
    let found = extract::visible(page, &truth);
    Shown { name: name.or(found.name), ..found }
}

/// The node of structured data that is the business, or else the first that has a name and an address.
fn business(page: &Live, record: &Nap) -> Option<Map<String, Value>> {
    let nodes: Vec<Map<String, Value>> = jsonld::nodes(&page.dom)
        .into_iter()
        .filter(|it| it.contains_key("address") || it.contains_key("telephone"))
        .collect();
    let truth = record.truth();
    let named = |it: &Map<String, Value>| {
        it.get("name")
            .and_then(jsonld::text)
            .is_some_and(|name| truth.names.iter().any(|own| crate::nap::name::grade(own, &name) != Grade::Conflict))
    };
    nodes.iter().find(|it| named(it)).or(nodes.first()).cloned()
}

type Add<'a> = dyn FnMut(&str, u32, Option<bool>, String, &Option<Fix>) + 'a;

/// Whether the hours stand on the page: each time of opening and closing, in either way to write it.
fn hours_visible(record: &Nap, profile: Option<&Profile>, page: &Live, add: &mut Add<'_>) {
    let Some(hours) = hours(record, profile) else {
        add("hours_visible", 2, None, "neither record nor profile has hours".to_owned(), &None);
        return;
    };
    let text: String =
        page.dom.elements("body").map(|id| page.dom.text(id)).collect::<Vec<_>>().join(" ").to_lowercase();
    let text: String = text.chars().filter(|it| !it.is_whitespace() && *it != '\u{a0}').collect();
    let has = |time: &str| {
        let Some(minutes) = crate::week::minutes(time) else { return false };
        let (hour, minute) = (minutes / 60, minutes % 60);
        let half = if hour % 12 == 0 { 12 } else { hour % 12 };
        let noon = if hour % 24 < 12 { "am" } else { "pm" };
        let mut ways = vec![
            format!("{hour:02}:{minute:02}"),
            format!("{hour}:{minute:02}"),
            format!("{hour:02}.{minute:02}"),
            format!("{hour}h{minute:02}"),
            format!("{half}:{minute:02}{noon}"),
            format!("{half}.{minute:02}{noon}"),
        ];
        if minute == 0 {
            ways.extend([format!("{half}{noon}"), format!("{hour}h"), format!("{hour}uhr")]);
        }
        ways.iter().any(|way| text.contains(way.as_str()))
    };
    let missing = hours.iter().flat_map(|it| [&it.open, &it.close]).find(|time| !has(time));
    let words = missing
        .map_or_else(|| "all times stand on the page".to_owned(), |time| format!("{time} does not stand on the page"));
    add("hours_visible", 2, Some(missing.is_none()), words, &None);
}

/// What only the crawl of the website knows: own words, and links within the website.
fn of_the_website(cx: &Cx, url: &str, page: &Live, degraded: &mut Vec<Degraded>, add: &mut Add<'_>) {
    let site = site::of(cx, url);
    let crawl = site.as_ref().and_then(|site| Crawl::newest(cx, &site.id));
    let Some(crawl) = crawl else {
        let missing = Degraded::new(
            "checks",
            "no crawl of the website is there: its own words and its internal links are not known",
        );
        degraded.push(match &site {
            Some(site) => missing.supplied_by("crawl.run.start", json!({ "site_id": site.id })),
            None => missing,
        });
        add("own_words", 2, None, "no crawl of the website is there".to_owned(), &None);
        add("internal_links", 2, None, "no crawl of the website is there".to_owned(), &None);
        return;
    };
    let content = kit::extract::content(&page.dom);
    let plain = kit::extract::plain(&kit::extract::blocks(&page.dom, &content)).to_lowercase();
    let words: Vec<&str> = kit::text::words(&plain).collect();
    let folder = |url: &str| url.trim_end_matches('/').rsplit_once('/').map(|it| it.0.to_owned());
    let own = kit::url::normalize(url).unwrap_or_else(|| url.to_owned());
    let mut others: HashSet<u64> = HashSet::new();
    let mut compared = 0;
    for other in crawl.pages(0).filter(|it| folder(&it.url) == folder(&own) && it.url != own).take(OTHERS) {
        compared += 1;
        let lower = other.plain.to_lowercase();
        others.extend(shingles(&kit::text::words(&lower).collect::<Vec<_>>(), 3));
    }
    let unique = words.windows(3).filter(|it| shingles(it, 3).iter().all(|hash| !others.contains(hash))).count();
    let pass = Some(unique >= OWN_WORDS);
    let examine = site::examine(url, None);
    add(
        "own_words",
        2,
        pass,
        format!("{unique} words that none of {compared} pages beside it has, of {}", words.len()),
        &examine,
    );
    let inlinks = crawl.inlinks(url, 1_000);
    let suggest = json!({ "run_ref": crawl.run.id, "targets": [url] });
    let find = Fix::new("links.suggestion.run", suggest).if_served();
    add("internal_links", 2, Some(inlinks > 0), format!("{inlinks} links within the website lead to it"), &find);
}

/// Metres between two points on the earth.
pub(crate) fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    let (lat_a, lat_b) = (a.0.to_radians(), b.0.to_radians());
    let (dlat, dlon) = ((b.0 - a.0).to_radians(), (b.1 - a.1).to_radians());
    let h = (dlat / 2.0).sin().powi(2) + lat_a.cos() * lat_b.cos() * (dlon / 2.0).sin().powi(2);
    2.0 * 6_371_008.8 * h.sqrt().min(1.0).asin()
}
