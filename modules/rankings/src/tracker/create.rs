//! The operation `rankings.tracker.create`.

use sdk::prelude::*;
use sdk::{Answer, Next, json};
use serps::{Device, market};
use site::Site;

use super::{place, registrable, schedule};
use crate::stored::{Competitors, Engine, Often, Set, Tracker};

/// Trackers of one set, at most.
const MAX_OF_SET: u64 = 50;

/// How often a new tracker checks by itself.
#[value]
pub(crate) enum Cadence {
    Daily,
    Weekly,
    Monthly,
}

#[args]
pub(crate) struct Create {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The keyword set, as listed. The tracker follows it: keywords that are added are checked from the next run on.
    set_ref: Id<Set>,
    /// The search engine.
    #[default("google")]
    engine: Engine,
    /// Where the search is made: a country of two letters, a `location_code` of DataForSEO, or its full name of a place in the
    /// set's country, such as `London,England,United Kingdom`.
    location: Text<2, 120>,
    /// The language of the search.
    language: Language,
    /// The screen.
    #[default("mobile")]
    device: Device,
    /// Organic results that are looked through. The provider bills each page of ten: 50 costs five times 10.
    #[default(50)]
    depth: Count<10, 100>,
    /// How often it checks by itself.
    #[default("weekly")]
    every: Cadence,
    /// Domains to compare with; those of `websites.competitor.set` when left out.
    competitors: Option<List<Domain, 0, 20>>,
    /// Stop each search where the website is found: cheaper at the provider, but what is below it is not known then.
    #[default(false)]
    stop_when_found: bool,
    /// Also fetch AI overviews that load later, at an extra cost of the provider. Without it only those that are in the page at
    /// once are seen.
    #[default(false)]
    ai_overview: bool,
    /// Also ask how many pixels from the top results are, at an extra cost of the provider.
    #[default(false)]
    pixels: bool,
}

/// A new tracker.
#[value]
pub(crate) struct Created {
    tracker_ref: Id<Tracker>,
    /// Keywords that each check looks at: those of the set that are not excluded, at most 10,000.
    checks_per_run: u64,
    /// Keywords of the set beyond the first 10,000 by searches, which are not checked.
    left_out_keywords: u64,
    /// Pages of ten results that the provider bills for each keyword.
    provider_pages_per_check: u32,
    /// When it checks next by itself.
    next_run: Option<Moment>,
    next: Vec<Next>,
}

/// Creates a rank tracker for a keyword set: engine, market, city, device, depth, competitors and frequency; each scheduled check is priced when it runs.
///
/// Creating charges no credits. Checks run through the client that creates the tracker, at an hour of their own, and pay 1
/// credit for 200 keywords; DataForSEO bills its own price to your account there. A set has one tracker for each market, device
/// and engine.
#[operation(
    write,
    scope = "seo:execute",
    cost = write,
    native_price(unit = "checks", every = 200, credits_milli = 1000, most = 1),
    side_effects = ["checks begin by themselves and are charged when they run"],
    needs = ["store", "jobs", "credits", "connection:dataforseo"],
    outside = [
        "dataforseo GET /v3/serp/google/locations/*",
        "dataforseo GET /v3/serp/bing/locations/*",
    ],
    phrasings = ["track my rankings every week", "start a rank tracker for my keywords", "monitor google positions on mobile in London", "follow my keyword rankings"],
    examples = [
        { "site_id": "4503599627370496", "set_ref": "set_01", "location": "GB", "language": "en" },
        { "site_id": "4503599627370496", "set_ref": "set_01", "location": "London,England,United Kingdom", "language": "en", "device": "desktop", "depth": 20, "every": "daily" },
    ]
)]
pub(crate) fn create(cx: &Cx, args: Create) -> Result<Answer<Created>> {
    let site = site::get(cx, &args.site_id)?;
    let set = cx.records::<Set>().get(&args.set_ref).map_err(|fault| fault.at("/set_ref"))?;
    if set.site_id != site.id.as_str() || set.deleting {
        return Err(Fault::not_found("set_not_found", "this website has no such set").at("/set_ref"));
    }
    let place = place::find(cx, args.engine, &set.country, args.location.as_str())?;
    let language = args.language.as_str().to_owned();
    let wanted = market(args.engine.name(), &place.name, &language, args.device);
    let of_set: Vec<Stored<Tracker>> = cx.records::<Tracker>().by("set_ref").equals(&set.id).scan().collect();
    if let Some(other) = of_set.iter().find(|it| it.market() == wanted && !it.deleting) {
        let message = "this set has a tracker for this engine, place, language and device; change it with rankings.tracker.update";
        return Err(Fault::conflict("tracker_exists", message)
            .at("/set_ref")
            .detail(json!({ "tracker_ref": other.id })));
    }
    if of_set.len() as u64 >= MAX_OF_SET {
        let message = format!("a set has at most {MAX_OF_SET} trackers; delete one with rankings.tracker.delete");
        return Err(Fault::conflict("too_many_trackers", message).at("/set_ref"));
    }
    let competitors = match &args.competitors {
        Some(given) => registrable(given),
        None => cx.records::<Competitors>().find(&site.id.cast()).map_or_else(Vec::new, |it| it.domains.clone()),
    };
    let every = match args.every {
        Cadence::Daily => Often::Daily,
        Cadence::Weekly => Often::Weekly,
        Cadence::Monthly => Often::Monthly,
    };
    // A code or a name is one of the set's country.
    let country = if place.name.len() == 2 { place.name.clone() } else { set.country.clone() };
    let tracker = cx.records::<Tracker>().insert(Tracker {
        site_id: site.id.to_string(),
        set_ref: set.id.to_string(),
        engine: args.engine,
        location: place.name,
        location_code: place.code,
        country,
        language,
        device: args.device,
        depth: u32::try_from(args.depth.get()).unwrap_or(50),
        every,
        competitors,
        stop_when_found: args.stop_when_found,
        ai_overview: args.ai_overview,
        pixels: args.pixels,
        created_ms: cx.now().millis(),
        ..Tracker::default()
    })?;
    let next_run = schedule::put(cx, &tracker.id, every)?;
    let run = Next::new("rankings.check.run", json!({ "tracker_ref": tracker.id }), "checks all keywords now");
    let all = set.counts.keywords.saturating_sub(set.counts.excluded);
    let created = Created {
        checks_per_run: set.checked(),
        left_out_keywords: all - set.checked(),
        provider_pages_per_check: tracker.provider_pages(),
        tracker_ref: tracker.id,
        next_run,
        next: vec![run],
    };
    Ok(Answer::new(created).units(0))
}
