//! Which results of scans a campaign may stand on, and which scans campaigns stand on.

use sdk::json;
use sdk::prelude::*;

use super::stored::{Campaign, Source, Spot};
use crate::given::Scan;
use crate::metrics::is_done;
use crate::run::current;
use crate::stored::{Run, State, Tally};
use crate::zone::components;

/// A scan that is older says little of today, in days.
const OLDEST: u64 = 45;
/// Fewer finished pins show no area.
const PINS: u32 = 9;
/// A pin is weak when the business is behind this place there: among the first three there is nothing to win.
const WEAK: u8 = 3;
/// A place is never told closer than this, in metres.
const CLOSEST: u32 = 1_000;

/// Why a result is no evidence.
#[value]
pub(crate) enum Unfit {
    /// Its scan has not ended, was stopped, or has failed.
    NotCompleted,
    /// Its scan ended more than 45 days ago.
    TooOld,
    /// Fewer than 9 of its pins have a result.
    TooFewPins,
    /// The business was recognised in none of its pins.
    BusinessNotMatched,
    /// The business is among the first three everywhere.
    NoWeakZone,
}

impl Unfit {
    /// The code of the refusal.
    const fn code(self) -> &'static str {
        match self {
            Self::NotCompleted => "source_not_completed",
            Self::TooOld => "source_too_old",
            Self::TooFewPins => "source_too_few_pins",
            Self::BusinessNotMatched => "source_business_not_matched",
            Self::NoWeakZone => "source_no_weak_zone",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::NotCompleted => "the scan has not run to its end",
            Self::TooOld => "the scan ended more than 45 days ago",
            Self::TooFewPins => "fewer than 9 pins of the scan have a result",
            Self::BusinessNotMatched => "the business was recognised in no pin of the scan",
            Self::NoWeakZone => "the business is among the first three everywhere, so there is nothing to win",
        }
    }
}

/// Why a result is no evidence; nothing for one that is.
pub(super) fn reasons(cx: &Cx, run: &Stored<Run>, tally: &Tally) -> Vec<Unfit> {
    let completed = current(cx, run) == State::Succeeded;
    let age = run.finished_ms.map_or(0, |it| cx.now().millis().saturating_sub(it));
    let done = || tally.placed.iter().filter(|it| is_done(**it));
    let checks = [
        (Unfit::NotCompleted, !completed),
        (Unfit::TooOld, age > OLDEST * 86_400_000),
        (Unfit::TooFewPins, completed && tally.figures.pins_done < PINS),
        (Unfit::BusinessNotMatched, completed && tally.figures.found_pins == 0),
        (Unfit::NoWeakZone, completed && tally.figures.found_pins > 0 && done().all(|it| *it <= WEAK)),
    ];
    checks.into_iter().filter(|it| it.1).map(|it| it.0).collect()
}

/// Results that are evidence, and where they are weak.
pub(super) struct Evidence {
    pub(super) site_id: String,
    pub(super) business: String,
    pub(super) sources: Vec<Source>,
    pub(super) places: Vec<Spot>,
    /// Weak zones of all of them.
    pub(super) zones: u32,
}

/// Looks at the results that a campaign is to stand on: 404 `source_not_found` for one that is not the customer's, 409 with
/// a code of its own for each reason that makes one unfit, all at their place in the list.
pub(super) fn of(cx: &Cx, references: &[Id<Tally>]) -> Result<Evidence> {
    let mut found =
        Evidence { site_id: String::new(), business: String::new(), sources: Vec::new(), places: Vec::new(), zones: 0 };
    for (at, reference) in references.iter().enumerate() {
        let pointer = format!("/source_refs/{at}");
        if references[..at].contains(reference) {
            let message = "each source is named once; this one is there already";
            return Err(Fault::invalid(pointer, "source_repeated", message));
        }
        let tally = cx.records::<Tally>().get(reference).map_err(|fault| fault.at(&pointer))?;
        let run = cx.records::<Run>().get(&Id::new(tally.run.clone())).map_err(|fault| fault.at(&pointer))?;
        let reasons = reasons(cx, &run, &tally);
        if let Some(first) = reasons.first() {
            return Err(Fault::conflict(first.code(), first.words()).at(pointer).detail(json!({
                "source_ref": reference,
                "reasons": reasons,
                "operation_id": "local_grid.gmb_signals.sources.get",
                "arguments": { "business_ref": tally.business },
            })));
        }
        if !found.business.is_empty() && found.business != tally.business {
            let message = "a campaign is for one business; its sources are of several";
            return Err(Fault::conflict("sources_of_several_businesses", message).at(pointer));
        }
        found.business.clone_from(&tally.business);
        found.site_id.clone_from(&tally.site_id);
        found.sources.push(Source {
            source: reference.as_str().to_owned(),
            run: tally.run.clone(),
            keyword: tally.keyword.clone(),
            finished_ms: run.finished_ms.unwrap_or(0),
        });
        let scan = Scan::read(cx, run);
        let zones = components(&scan, &tally.placed, WEAK);
        found.zones += u32::try_from(zones.len()).unwrap_or(0);
        found.places.extend(zones.iter().map(|zone| place(&scan, zone)));
    }
    Ok(found)
}

/// Where people are asked for a zone: its middle to a hundredth of a degree, and as far around as the zone reaches.
fn place(scan: &Scan, zone: &[usize]) -> Spot {
    let count = f64::from(u32::try_from(zone.len()).unwrap_or(1));
    let spots = || zone.iter().map(|at| &scan.spots[*at]);
    let (east, north) = spots().fold((0.0, 0.0), |sum, it| (sum.0 + it.east / count, sum.1 + it.north / count));
    let far = spots().map(|it| (it.east - east).hypot(it.north - north)).fold(0.0, f64::max);
    let bearing = east.atan2(north).to_degrees();
    let middle = scan.run.centre.towards(bearing, east.hypot(north));
    let radius = far + f64::from(scan.run.grid.spacing_m) / 2.0;
    Spot {
        latitude: kit::statistics::round(middle.latitude, 2),
        longitude: kit::statistics::round(middle.longitude, 2),
        radius_m: (radius.round() as u32).max(CLOSEST),
        pins: u32::try_from(zone.len()).unwrap_or(1),
    }
}

/// Refuses with 409 `scan_is_evidence` while a campaign that is not over stands on a scan.
pub(crate) fn unused(cx: &Cx, run: &Stored<Run>) -> Result<()> {
    let campaigns = cx.records::<Campaign>().by("business_created_ms").equals(&run.business).descending();
    let stands =
        |it: &Stored<Campaign>| !it.state.is_over() && it.sources.iter().any(|source| source.run == run.id.as_str());
    match campaigns.scan().find(stands) {
        None => Ok(()),
        Some(campaign) => {
            let message = "a signals campaign stands on this scan; it can be deleted when the campaign is over";
            Err(Fault::conflict("scan_is_evidence", message).at("/run_ref").detail(json!({
                "operation_id": "local_grid.gmb_signals.campaign.get",
                "arguments": { "campaign_ref": campaign.id },
            })))
        }
    }
}
