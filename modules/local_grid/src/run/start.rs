//! The operation `local_grid.run.start`.

use sdk::json;
use sdk::prelude::*;
use sdk::{Answer, Need};

use crate::geodesy::Point;
use crate::given::{self, Corners};
use crate::layout::{Grid, Shape};
use crate::metrics::Figures;
use crate::run::current;
use crate::stored::{Business, Run, State};
use crate::work::Payload;

/// Pins for one point of orchestration: the work itself has its price in credits.
pub(crate) const PINS_PER_POINT: u32 = 500;
/// What multiplies the provider's price of a search, or makes it another search.
const OPERATORS: [&str; 15] = [
    "allinanchor:",
    "allintext:",
    "allintitle:",
    "allinurl:",
    "define:",
    "filetype:",
    "id:",
    "inanchor:",
    "info:",
    "intext:",
    "intitle:",
    "inurl:",
    "link:",
    "related:",
    "site:",
];

#[args]
pub(crate) struct Start {
    /// The business in the middle, as listed.
    business_ref: Id<Business>,
    /// What is searched for, each once.
    keywords: List<Text<1, 200>, 1, 20>,
    /// The figure that pins form.
    #[default("square")]
    shape: Shape,
    /// Pins along its side, or its diameter.
    #[default(7)]
    size: Count<3, 15>,
    /// Metres between neighbours.
    #[default(1000)]
    spacing_m: Count<100, 10_000>,
    /// The language of the search.
    language: Language,
    /// How many results are looked through for the business.
    #[default(20)]
    depth: Count<20, 100>,
    /// The corners of an area without pins, as in `local_grid.grid.preview`.
    exclude_polygon: Option<Corners>,
    /// Refuse when a scan with the same pins and keywords was asked for within so many days. Scans every two weeks use it.
    unless_within_days: Option<Count<1, 60>>,
}

/// A scan that was accepted.
#[value]
pub(crate) struct Started {
    /// The job.
    job_ref: Id<Job>,
    /// The scan; follow it with `local_grid.run.get`.
    run_ref: Id<Run>,
    /// Where it stands: queued.
    state: State,
    /// Pins of all keywords.
    pins: u32,
    /// Credits set aside; only finished pins are charged in the end, 1 credit for 25.
    reserved_credits: f64,
    /// Tasks at the provider, which the customer's own account there pays.
    provider_tasks: u32,
}

/// Scans map results for keywords from every pin through the SERP provider at exact coordinates, retries failed pins and matches the business by place id, then name, phone and domain.
///
/// The provider is the customer's DataForSEO account: one standard task of Google Maps for each pin and keyword, on a
/// desktop, looking at the part of the map around the pin. Pins without a result are not charged. A business has one scan
/// at a time. Keywords with search operators are refused, since they change the search and the provider's price.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "pins", every = 500, most = 4500),
    native_price(unit = "pins", every = 25, credits_milli = 1000, most = 4500),
    queued(step = "scan"),
    result_operation = "local_grid.run.get",
    side_effects = ["orders one task for each pin and keyword from the DataForSEO account, which pays for them", "stores what each pin shows"],
    needs = ["store", "jobs", "credits", "connection:dataforseo"],
    outside = [
        "dataforseo POST /v3/serp/google/maps/task_post change",
        "dataforseo GET /v3/serp/google/maps/tasks_ready",
        "dataforseo GET /v3/serp/google/maps/task_get/advanced/*",
    ],
    phrasings = [
        "check where I rank on google maps all over town",
        "run a geo grid scan for my shop",
        "scan local rankings around my business",
        "see how visible my store is in the map pack from different streets",
    ],
    examples = [
        { "business_ref": "bus_01", "keywords": ["lamp shop"], "language": "en" },
        { "business_ref": "bus_01", "keywords": ["lamp shop", "lamp repair"], "language": "en", "shape": "circle", "size": 9, "spacing_m": 500, "depth": 40 },
    ]
)]
pub(crate) fn start(cx: &Cx, args: Start) -> Result<Answer<Started>> {
    let (business, centre) = given::business(cx, &args.business_ref)?;
    let keywords = keywords(&args.keywords)?;
    let (grid, spots) = given::grid(centre, args.shape, args.size, args.spacing_m, args.exclude_polygon)?;
    let language = language(&args.language);
    let frame = frame(&grid, centre, &language);
    idle(cx, &business.id)?;
    if let Some(days) = args.unless_within_days {
        let since = cx.now().millis().saturating_sub(u64::from(days) * 86_400_000);
        let recent = cx.records::<Run>().by("business_created_ms").equals(&business.id).at_least(since).descending();
        let same =
            |run: &Stored<Run>| run.frame == frame && run.keywords == keywords && current(cx, run) != State::Failed;
        if let Some(run) = recent.page(50_u64, None)?.items.iter().find(|run| same(run)) {
            let message = "a scan with the same pins and keywords is younger than that";
            return Err(Fault::conflict("scanned_recently", message)
                .at("/unless_within_days")
                .detail(json!({ "run_ref": run.id })));
        }
    }
    let reason = "map results are asked from DataForSEO";
    cx.connections().required(Need::DATAFORSEO, "/keywords", reason)?;
    let pins = u32::try_from(spots.len()).unwrap_or(u32::MAX);
    let run = cx.records::<Run>().insert(Run {
        site_id: business.site_id.clone(),
        business: business.id.as_str().to_owned(),
        state: State::Queued,
        keywords,
        grid,
        centre,
        language,
        depth: u32::try_from(args.depth.get()).unwrap_or(20),
        frame,
        rules: business.rules.clone(),
        pins,
        job_ref: String::new(),
        created_ms: cx.now().millis(),
        started_ms: None,
        finished_ms: None,
        figures: Figures::default(),
        solv: None,
        evidence: Vec::new(),
        provider_cost_micros: 0,
        places: 0,
        degraded: Vec::new(),
    })?;
    let job = cx.jobs().enqueue("scan", &Payload { run: run.id.clone() })?;
    let run = cx.records::<Run>().update(&run.id, |it| it.job_ref = job.as_str().to_owned())?;
    let all = run.all_pins();
    let started = Started {
        job_ref: job,
        run_ref: run.id,
        state: State::Queued,
        pins: all,
        reserved_credits: given::credits(all),
        provider_tasks: all,
    };
    Ok(Answer::new(started).units(u64::from(all)))
}

/// The keywords, each once and without operators.
pub(crate) fn keywords(given: &[Text<1, 200>]) -> Result<Vec<String>> {
    let mut keywords: Vec<String> = Vec::with_capacity(given.len());
    for (at, keyword) in given.iter().enumerate() {
        let pointer = format!("/keywords/{at}");
        let keyword = given::normal(keyword.as_str());
        if keyword.is_empty() {
            return Err(Fault::invalid(pointer, "keyword_empty", "a keyword has letters or digits in it"));
        }
        if let Some(operator) =
            OPERATORS.iter().find(|it| keyword.split_whitespace().any(|word| word.starts_with(**it)))
        {
            let message = format!("`{operator}` changes the search and the provider's price; leave it out");
            return Err(Fault::invalid(pointer, "keyword_operator", message));
        }
        if keywords.contains(&keyword) {
            return Err(Fault::invalid(
                pointer,
                "keyword_repeated",
                "each keyword is scanned once; this one is there already",
            ));
        }
        keywords.push(keyword);
    }
    Ok(keywords)
}

/// Refuses while the business is being scanned.
fn idle(cx: &Cx, business: &Id<Business>) -> Result<()> {
    for state in [State::Queued, State::Running] {
        let running = cx.records::<Run>().by("business_state").equals(business).equals(state).page(5_u64, None)?;
        if let Some(run) = running.items.into_iter().find(|run| current(cx, run) == state) {
            return Err(Fault::conflict(
                "scan_running",
                "this business is being scanned; wait for that scan or stop it",
            )
            .at("/business_ref")
            .detail(json!({ "operation_id": "local_grid.run.stop", "arguments": { "run_ref": run.id } })));
        }
    }
    Ok(())
}

/// The provider's code of a language: the language alone, but for Chinese, which it has by its script.
pub(crate) fn language(language: &Language) -> String {
    match (language.primary(), language.as_str()) {
        ("zh", "zh-TW" | "zh-HK" | "zh-Hant" | "zh-MO") => "zh-TW".to_owned(),
        ("zh", _) => "zh-CN".to_owned(),
        (primary, _) => primary.to_owned(),
    }
}

/// What scans that can be compared pin by pin have in common, in a few letters.
pub(crate) fn frame(grid: &Grid, centre: Point, language: &str) -> String {
    let written = json!({ "grid": grid, "centre": centre, "language": language }).to_string();
    kit::crawled::page_id("grid", &written)
}
