//! Arguments that several operations take alike, and the rows that they name.

use sdk::Basis;
use sdk::Degraded;
use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::Value;

use crate::geodesy::Point;
use crate::layout::{Grid, Shape, Spot};
use crate::stored::{Business, Run, State, Tally, tally_id};

/// A corner of an area.
#[args]
pub(crate) struct Corner {
    /// Degrees north.
    latitude: Decimal<-90_000, 90_000>,
    /// Degrees east.
    longitude: Decimal<-180_000, 180_000>,
}

/// The corners of an area without pins.
pub(crate) type Corners = List<Corner, 0, 50>;

/// A business with a place on the map; 404 at `/business_ref`, 409 `coordinates_missing`.
pub(crate) fn business(cx: &Cx, id: &Id<Business>) -> Result<(Stored<Business>, Point)> {
    let business = cx.records::<Business>().get(id).map_err(|fault| fault.at("/business_ref"))?;
    match business.point {
        Some(point) => Ok((business, point)),
        None => {
            let message = "the business has no coordinates; add it again with latitude and longitude";
            let mut arguments = json!({ "site_id": business.site_id, "name": business.name });
            if let Some(place_id) = &business.rules.place_id {
                arguments["place_id"] = Value::from(place_id.as_str());
            }
            let detail = json!({ "operation_id": "local_grid.business.add", "arguments": arguments, "missing": ["latitude", "longitude"] });
            Err(Fault::conflict("coordinates_missing", message).at("/business_ref").detail(detail))
        }
    }
}

/// A grid and its pins; 422 at `/exclude_polygon` when that leaves none, or is no area.
pub(crate) fn grid(
    centre: Point,
    shape: Shape,
    size: Count<3, 15>,
    spacing_m: Count<100, 10_000>,
    corners: Option<Corners>,
) -> Result<(Grid, Vec<Spot>)> {
    let corner = |it: Corner| Point { latitude: it.latitude.get(), longitude: it.longitude.get() };
    let excluded: Vec<Point> = corners.into_iter().flatten().map(corner).collect();
    if matches!(excluded.len(), 1 | 2) {
        return Err(Fault::invalid("/exclude_polygon", "polygon_incomplete", "an area has three corners or more"));
    }
    let whole = |count: i64| u32::try_from(count).unwrap_or(0);
    let grid = Grid { shape, size: whole(size.get()), spacing_m: whole(spacing_m.get()), excluded };
    let spots = grid.lay(centre);
    if spots.is_empty() {
        return Err(Fault::invalid("/exclude_polygon", "no_pins_left", "the area leaves no pin of the grid"));
    }
    Ok((grid, spots))
}

/// Credits for so many pins: one for 25, and their part of it for fewer.
pub(crate) fn credits(pins: u32) -> f64 {
    sdk::credits(u64::from(pins) * 40)
}

/// A scan with what it found for each keyword.
pub(crate) struct Scan {
    pub(crate) run: Stored<Run>,
    /// In the order of the keywords.
    pub(crate) tallies: Vec<Tally>,
    /// In the order of the layout.
    pub(crate) spots: Vec<Spot>,
}

impl Scan {
    /// A scan that has ended with finished pins; 404, or 409 `scan_running` and `scan_empty`.
    pub(crate) fn ended(cx: &Cx, id: &Id<Run>, pointer: &str) -> Result<Self> {
        let run = cx.records::<Run>().get(id).map_err(|fault| fault.at(pointer))?;
        let state = crate::run::current(cx, &run);
        if state.moves() {
            let message = "this scan has not ended; local_grid.run.get says how far it is";
            return Err(Fault::conflict("scan_running", message)
                .at(pointer)
                .detail(json!({ "operation_id": "local_grid.run.get", "arguments": { "run_ref": id } })));
        }
        let scan = Self::read(cx, run);
        if scan.run.figures.pins_done == 0 {
            let message = "this scan has no finished pins; start another one";
            return Err(Fault::conflict("scan_empty", message)
                .at(pointer)
                .detail(json!({ "operation_id": "local_grid.run.get", "arguments": { "run_ref": id } })));
        }
        Ok(scan)
    }

    /// What is known of a scan, wherever it stands.
    pub(crate) fn read(cx: &Cx, run: Stored<Run>) -> Self {
        let number = |it: usize| u32::try_from(it).unwrap_or(0);
        let known = |it: usize| cx.records::<Tally>().find(&tally_id(run.id.as_str(), number(it)));
        let tallies = (0..run.keywords.len()).filter_map(known).map(Stored::into_inner).collect();
        let spots = run.grid.lay(run.centre);
        Self { run, tallies, spots }
    }

    /// The result of a keyword, the first one's without; 422 at `/keyword` for one that was not scanned.
    pub(crate) fn of_keyword(&self, keyword: Option<&str>) -> Result<&Tally> {
        let wanted = keyword.map(normal);
        let found = self.tallies.iter().find(|it| wanted.as_ref().is_none_or(|wanted| *wanted == normal(&it.keyword)));
        found.ok_or_else(|| {
            Fault::invalid("/keyword", "keyword_not_scanned", "this scan did not look for that keyword")
                .detail(json!({ "keywords": self.run.keywords }))
        })
    }

    /// What to say of a scan that is not whole.
    pub(crate) fn degraded(&self) -> Vec<Degraded> {
        let mut degraded = self.run.degraded.clone();
        let open = self.run.all_pins() - self.run.figures.pins_done;
        if open > 0 {
            degraded.push(Degraded::new("pins", format!("{open} of {} pins have no result", self.run.all_pins())));
        }
        if self.run.state == State::Cancelled {
            degraded.push(Degraded::new("scan", "the scan was stopped before its end"));
        }
        degraded
    }
}

/// A keyword as two of them are compared.
pub(crate) fn normal(keyword: &str) -> String {
    kit::text::collapse_to(keyword, 400).to_lowercase()
}

/// The scan that a result rests on; it is complete when no pin of it failed.
pub(crate) fn basis(cx: &Cx, run: &Stored<Run>) -> Basis {
    let at = Moment::from_millis(run.finished_ms.unwrap_or(run.created_ms));
    let complete = run.state == State::Succeeded && run.figures.failed_pins == 0;
    Basis::of_run(run.id.as_str(), at, cx.now(), complete)
}
