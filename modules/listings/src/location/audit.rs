//! The operation `listings.location.audit`.

mod checks;

use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, json};

use super::get::{GoogleEdit, google_edits};
use crate::category::suggest::known;
use crate::landing_page;
use crate::leaders;
use crate::media::media;
use crate::nap::stored::Nap;
use crate::place::Place;
use crate::post::read::posts;
use crate::profile::{Profile, edit_hash};
use crate::review::list::synced;
use crate::review::stored::Review;
use crate::stored::Location;

/// Reviews that are looked at.
const REVIEWS: usize = 2_000;

/// What a check is about.
#[value]
pub(crate) enum Group {
    State,
    NamePolicy,
    Completeness,
    Category,
    Contact,
    DescriptionPolicy,
    Photos,
    Posts,
    Reviews,
    LandingPage,
}

/// A check.
#[value]
pub(crate) struct Checked {
    #[own]
    pub(crate) id: String,
    pub(crate) group: Group,
    /// Null where it cannot be told, or does not apply.
    pub(crate) pass: Option<bool>,
    /// From 1 to 3: what it counts in the score.
    pub(crate) weight: u32,
    /// What was seen.
    pub(crate) evidence: String,
    pub(crate) fix: Option<Fix>,
}

#[args]
pub(crate) struct Audit {
    /// The location, as listed.
    location_ref: Id<Location>,
}

/// The checks.
#[value]
pub(crate) struct Audited {
    location_ref: Id<Location>,
    name: String,
    /// From 0 to 100, of the checks that can be told.
    score: f64,
    /// Checks that can be told.
    n: u64,
    failed: u64,
    /// Those that fail first, the weightiest before.
    checks: Vec<Checked>,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// All that the checks know.
pub(crate) struct Known {
    pub(crate) location: Id<Location>,
    pub(crate) profile: Profile,
    pub(crate) attributes: Option<usize>,
    pub(crate) offered: Option<usize>,
    /// What a change of the profile wants to be told.
    pub(crate) edit_hash: String,
    pub(crate) google_edits: Option<Vec<GoogleEdit>>,
    pub(crate) posts: Option<Vec<crate::post::read::Post>>,
    /// Categories of pictures with when they were made.
    pub(crate) media: Option<Vec<(String, Option<Moment>)>>,
    /// The reviews of the last sync; none without one.
    pub(crate) reviews: Option<Vec<Review>>,
    pub(crate) leaders: Option<leaders::Leaders>,
    pub(crate) nap: Option<Nap>,
    /// Score and first failing check of the landing page.
    pub(crate) landing: Option<(f64, Option<String>)>,
    /// The status of the website; none where it could not be asked.
    pub(crate) website_status: Option<u16>,
    pub(crate) same_place: usize,
    pub(crate) now: Moment,
}

/// Audits a profile against some 40 checks (completeness, category fit, name policy, hours, description, photos, posts, reviews, landing page) with the fix operation for each.
///
/// A check whose data is not there counts neither way. Reviews are those of listings.review.sync, leaders those of the newest scan of `local_grid`, and name,
/// address and phone number are compared with listings.nap.set.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 24),
    needs = ["store", "web", "connection:google_business_profile"],
    outside = [
        "google_business_profile GET /v1/locations/*",
        "google_business_profile GET /v1/attributes",
        "google_business_profile GET /v1/locations/*/attributes",
        "google_business_profile GET /v1/locations/*:getGoogleUpdated",
        "google_business_profile.v4 GET /v4/accounts/*/locations/*/localPosts",
        "google_business_profile.v4 GET /v4/accounts/*/locations/*/media",
    ],
    phrasings = ["audit my google business profile", "what is missing on my profile", "check my local listing", "google business profile score"],
    examples = [{ "location_ref": "108800001.4503600001.con_1" }]
)]
pub(crate) fn audit(cx: &Cx, args: Audit) -> Result<Audited> {
    let place = Place::find(cx, &args.location_ref, "/location_ref")?;
    let given = place.read(cx, "/location_ref")?;
    let mut degraded = Vec::new();
    let known = gather(cx, &args.location_ref, &place, &given, &mut degraded)?;
    let mut checks = checks::all(&known);
    let sum = |holds: &dyn Fn(&Checked) -> bool| checks.iter().filter(|it| holds(it)).map(|it| it.weight).sum::<u32>();
    let whole = sum(&|it| it.pass.is_some());
    let score = round(100.0 * f64::from(sum(&|it| it.pass == Some(true))) / f64::from(whole.max(1)), 1);
    let n = checks.iter().filter(|it| it.pass.is_some()).count() as u64;
    let failed = checks.iter().filter(|it| it.pass == Some(false)).count() as u64;
    checks.sort_by_key(|it| (it.pass != Some(false), it.pass.is_none(), std::cmp::Reverse(it.weight)));
    let first = checks.iter().find(|it| it.pass == Some(false) && it.fix.is_some());
    let next = first.and_then(|it| Some(it.fix.clone()?.because(format!("mends `{}`: {}", it.id, it.evidence))));
    Ok(Audited {
        location_ref: args.location_ref,
        name: known.profile.name.clone(),
        score,
        n,
        failed,
        checks,
        next: next.into_iter().collect(),
        degraded,
    })
}

fn gather(
    cx: &Cx,
    location: &Id<Location>,
    place: &Place,
    given: &sdk::serde_json::Value,
    degraded: &mut Vec<Degraded>,
) -> Result<Known> {
    let profile = Profile::read(cx, place, given);
    let mut told = |what: &str, fault: &Fault| {
        degraded.push(Degraded::new(what, format!("Google did not show it: {}", fault.message)))
    };
    let attributes = super::get::attributes(cx, place).map_err(|it| told("attributes", &it)).ok().map(|it| it.len());
    let offered = offered(cx, place).map_err(|it| told("attributes", &it)).ok();
    let edits = google_edits(cx, place, given).map_err(|it| told("google_edits", &it)).ok();
    let posts = posts(cx, place, 1).map_err(|it| told("posts", &it)).ok().map(|it| it.0);
    let media = media(cx, place).map_err(|it| told("photos", &it)).ok().map(|all| {
        let of = |it: &sdk::serde_json::Value| {
            let category = it["locationAssociation"]["category"].as_str().unwrap_or("ADDITIONAL").to_owned();
            (category, it["createTime"].as_str().and_then(crate::post::read::moment))
        };
        all.iter().map(of).collect()
    });
    let synced_at = synced(cx, location, degraded)?;
    let reviews = synced_at.map(|_| {
        let rows = cx.records::<Review>().by("location_created_ms").equals(location).descending().scan().take(REVIEWS);
        rows.map(Stored::into_inner).filter(|it| it.removed_ms.is_none()).collect()
    });
    let nap = cx.records::<Nap>().find(&Id::new(location.as_str())).map(Stored::into_inner);
    if nap.is_none() {
        degraded.push(Degraded::new("checks", "there is no record of listings.nap.set to compare with"));
    }
    let leaders = leaders::around(cx, &known(cx, location, given));
    if leaders.is_none() {
        degraded.push(Degraded::new("checks", "no scan of local_grid shows who leads around this location"));
    }
    let (website_status, landing) = website(cx, &profile, nap.as_ref(), degraded);
    let same_place = profile.place_id.as_ref().map_or(0, |own| {
        let all = cx.records::<Location>().all().scan().take(2_000);
        all.filter(|it| it.place_id.as_ref() == Some(own) && it.id != *location && it.account == place.account).count()
    });
    Ok(Known {
        location: location.clone(),
        profile,
        attributes,
        offered,
        edit_hash: edit_hash(given),
        google_edits: edits,
        posts,
        media,
        reviews,
        leaders,
        nap,
        landing,
        website_status,
        same_place,
        now: cx.now(),
    })
}

/// How many attributes Google offers for the location.
fn offered(cx: &Cx, place: &Place) -> Result<usize> {
    let request = sdk::Send::get(&place.connection, "/v1/attributes")
        .query("parent", format!("locations/{}", place.location))
        .query("pageSize", 200);
    let answer = crate::google::answered(cx.connections().send(&request), "/location_ref")?;
    Ok(answer["attributeMetadata"].as_array().map_or(0, Vec::len))
}

/// The status of the website, and how its landing page does against the record.
fn website(
    cx: &Cx,
    profile: &Profile,
    nap: Option<&Nap>,
    degraded: &mut Vec<Degraded>,
) -> (Option<u16>, Option<(f64, Option<String>)>) {
    let Some(url) = profile.website.as_deref().and_then(|it| it.parse::<Url>().ok()) else { return (None, None) };
    match site::live::page(cx, &url, "/location_ref") {
        Ok(page) => {
            let landing = nap.map(|nap| {
                let checks = landing_page::checks(cx, nap, Some(profile), &page, &mut Vec::new());
                let failing = checks.iter().filter(|it| it.pass == Some(false)).max_by_key(|it| it.weight);
                (landing_page::score(&checks), failing.map(|it| it.id.clone()))
            });
            (Some(page.facts.status), landing)
        }
        Err(fault) => {
            degraded.push(Degraded::new("landing_page", format!("the website could not be read: {}", fault.message)));
            let detail =
                fault.detail.as_deref().and_then(|it| sdk::serde_json::from_str::<sdk::serde_json::Value>(it).ok());
            let status = detail.and_then(|it| it["status"].as_u64()).and_then(|it| u16::try_from(it).ok());
            (status, None)
        }
    }
}

/// The call that shows the profile with what a change needs.
pub(crate) fn shows(location: &Id<Location>) -> Fix {
    Fix::new("listings.location.get", json!({ "location_ref": location }))
}
