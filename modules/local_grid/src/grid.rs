//! The operation `local_grid.grid.preview`.

use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value};

use crate::given::{self, Corners};
use crate::layout::{Shape, ground};
use crate::stored::Business;

#[args]
pub(crate) struct Preview {
    /// The business in the middle, as listed.
    business_ref: Id<Business>,
    /// The figure that pins form.
    #[default("square")]
    shape: Shape,
    /// Pins along its side, or its diameter.
    #[default(7)]
    size: Count<3, 15>,
    /// Metres between neighbours.
    #[default(1000)]
    spacing_m: Count<100, 10_000>,
    /// The corners of an area without pins, such as a lake: three or more, in order.
    exclude_polygon: Option<Corners>,
    /// How many keywords would be scanned.
    #[default(1)]
    keywords: Count<1, 50>,
}

/// What a scan would cost.
#[value]
pub(crate) struct Price {
    /// Credits, set aside when the scan starts; only finished pins are charged in the end.
    credits: f64,
    /// Pins of all keywords.
    pins: u32,
    /// Tasks at the provider, which the customer's own account there pays.
    provider_tasks: u32,
    /// Points for starting it.
    points: u32,
}

/// A grid that could be scanned.
#[value]
pub(crate) struct Laid {
    /// Pins of one keyword.
    pins: u32,
    /// Pins that the area without pins has taken away.
    excluded: u32,
    /// Square kilometres of the smallest convex area around the ground that the pins stand for.
    area_km2: f64,
    /// Kilometres from the business to the farthest pin.
    radius_km: f64,
    /// What a scan would cost.
    price: Price,
    /// The pins as a GeoJSON FeatureCollection (RFC 7946) of points with their row, column and distance.
    geojson: Map<String, Value>,
}

/// Lays out a scan grid on the ellipsoid (square, hexagonal or circular), drops pins on request by polygon, and prices it before running.
///
/// Direction and distance of each pin from the business are true on WGS 84. `local_grid.run.start` with the same arguments
/// scans these very pins.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store", "credits"],
    phrasings = [
        "how many pins would my map scan have and what does it cost",
        "plan a local grid around my shop",
        "show the scan points before I pay for them",
        "price a 7 by 7 ranking grid",
    ],
    examples = [
        { "business_ref": "bus_01" },
        { "business_ref": "bus_01", "shape": "hex", "size": 9, "spacing_m": 500, "keywords": 3 },
    ]
)]
pub(crate) fn preview(cx: &Cx, args: Preview) -> Result<Laid> {
    let (_, centre) = given::business(cx, &args.business_ref)?;
    let (grid, spots) = given::grid(centre, args.shape, args.size, args.spacing_m, args.exclude_polygon)?;
    let whole = crate::layout::Grid { excluded: Vec::new(), ..grid.clone() }.lay(centre).len();
    let count = |many: usize| u32::try_from(many).unwrap_or(u32::MAX);
    let (pins, keywords) = (count(spots.len()), u32::try_from(args.keywords.get()).unwrap_or(1));
    let features: Vec<Value> = spots
        .iter()
        .map(|spot| {
            json!({
                "type": "Feature",
                "geometry": { "type": "Point", "coordinates": [spot.point.longitude, spot.point.latitude] },
                "properties": {
                    "row": spot.row,
                    "column": spot.column,
                    "distance_km": kit::statistics::round(spot.distance() / 1_000.0, 3),
                },
            })
        })
        .collect();
    let collection = json!({ "type": "FeatureCollection", "features": features });
    let farthest = spots.iter().map(crate::layout::Spot::distance).fold(0.0, f64::max);
    let all = pins * keywords;
    Ok(Laid {
        pins,
        excluded: count(whole) - pins,
        area_km2: kit::statistics::round(ground(&grid, spots.iter()), 3),
        radius_km: kit::statistics::round(farthest / 1_000.0, 3),
        price: Price {
            credits: given::credits(all),
            pins: all,
            provider_tasks: all,
            points: 10 + all.div_ceil(crate::run::start::PINS_PER_POINT),
        },
        geojson: if let Value::Object(members) = collection { members } else { Map::new() },
    })
}

#[cfg(test)]
mod tests;
