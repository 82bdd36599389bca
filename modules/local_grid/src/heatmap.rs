//! The operation `local_grid.heatmap.render`.

mod scale;
mod svg;

use sdk::Basis;
use sdk::Degraded;
use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::Value;

use crate::given::{self, Scan};
use crate::metrics::{FAILED, MISSING, OPEN, is_done};
use crate::run::compare::pairs;
use crate::stored::{Business, Run};
use scale::Step;

/// How a scan is drawn.
#[value]
pub(crate) enum Format {
    /// A picture.
    Svg,
    /// Points with their ranks and colours, for maps (RFC 7946).
    Geojson,
}

#[args]
pub(crate) struct Render {
    /// The scan.
    run_ref: Id<Run>,
    /// The keyword; the first one of the scan when left out.
    keyword: Option<Text<1, 200>>,
    /// An earlier scan with the same pins: the differences are drawn.
    compare_to: Option<Id<Run>>,
    /// How it is drawn.
    #[default("svg")]
    format: Format,
}

/// What a colour stands for.
#[value]
pub(crate) struct Legend {
    /// The colour, as `#rrggbb`.
    colour: String,
    /// Ranks, or places won or lost.
    means: String,
    /// Pins with it.
    pins: u32,
}

/// A drawn scan.
#[value]
pub(crate) struct Rendered {
    /// Names this very picture: the same reference is the same content.
    content_ref: Id<Rendered>,
    /// The picture itself.
    content: String,
    /// Its media type.
    media_type: String,
    /// Pixels; 0 for GeoJSON.
    width: u32,
    /// Pixels; 0 for GeoJSON.
    height: u32,
    /// What colours stand for, in their order. They can be told apart without seeing red or green, and each pin has its
    /// number written on it.
    legend: Vec<Legend>,
    /// The keyword.
    keyword: String,
    /// How old the scan is.
    basis: Basis,
    /// What is missing.
    degraded: Vec<Degraded>,
}

/// A pin as it is drawn.
pub(crate) struct Mark {
    pub(crate) east: f64,
    pub(crate) north: f64,
    /// What is written on it.
    pub(crate) label: String,
    /// What it stands for, in words.
    pub(crate) words: String,
    pub(crate) step: Step,
}

/// Renders a scan as SVG or GeoJSON with a colour-blind-safe scale, or as a difference map of two scans.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "draw a heat map of my local rankings",
        "map picture of the grid scan for a report",
        "show the difference between two scans on a map",
        "export the rank grid as geojson",
    ],
    examples = [
        { "run_ref": "run_01" },
        { "run_ref": "run_02", "compare_to": "run_01", "keyword": "lamp shop", "format": "geojson" },
    ]
)]
pub(crate) fn render(cx: &Cx, args: Render) -> Result<Rendered> {
    let scan = Scan::ended(cx, &args.run_ref, "/run_ref")?;
    let tally = scan.of_keyword(args.keyword.as_ref().map(Text::as_str))?;
    let mut degraded = scan.degraded();
    let (values, steps) = match &args.compare_to {
        None => (tally.placed.iter().map(|it| Drawn::rank(*it)).collect::<Vec<_>>(), scale::ranks()),
        Some(earlier) => {
            let earlier = Scan::ended(cx, earlier, "/compare_to")?;
            let pairs = pairs(&earlier, &scan).map_err(|fault| fault.at("/compare_to"))?;
            let Some((before, _)) = pairs.into_iter().find(|it| it.1.number == tally.number) else {
                let message = "the earlier scan did not look for that keyword";
                return Err(Fault::invalid("/keyword", "keyword_not_scanned", message));
            };
            degraded.extend(earlier.degraded());
            let both = before.placed.iter().zip(&tally.placed);
            (both.map(|(was, is)| Drawn::difference(*was, *is)).collect(), scale::differences())
        }
    };
    let marks: Vec<Mark> = scan
        .spots
        .iter()
        .zip(&values)
        .map(|(spot, it)| Mark {
            east: spot.east,
            north: spot.north,
            label: it.label.clone(),
            words: it.words.clone(),
            step: it.step,
        })
        .collect();
    let legend = steps.iter().map(|step| Legend {
        colour: step.colour.to_owned(),
        means: step.means.to_owned(),
        pins: u32::try_from(marks.iter().filter(|it| it.step == *step).count()).unwrap_or(0),
    });
    let legend: Vec<Legend> = legend.collect();
    let name = cx.records::<Business>().find(&Id::new(scan.run.business.clone())).map(|it| it.name.clone());
    let title = format!("{}: {}", name.unwrap_or_default(), tally.keyword);
    let date = scan.run.finished_ms.map(|it| Moment::from_millis(it).day().to_string()).unwrap_or_default();
    let (content, media_type, width, height) = match args.format {
        Format::Svg => {
            let picture = svg::picture(&scan.run.grid, &marks, &steps, &title, &date, args.compare_to.is_some());
            (picture.text, "image/svg+xml", picture.width, picture.height)
        }
        Format::Geojson => (geojson(&scan, &marks).to_string(), "application/geo+json", 0, 0),
    };
    Ok(Rendered {
        content_ref: Id::new(kit::crawled::page_id("heatmap", &content)),
        content,
        media_type: media_type.to_owned(),
        width,
        height,
        legend,
        keyword: tally.keyword.clone(),
        basis: given::basis(cx, &scan.run),
        degraded,
    })
}

/// What is drawn of a pin.
struct Drawn {
    label: String,
    words: String,
    step: Step,
}

impl Drawn {
    fn rank(placed: u8) -> Self {
        let (label, words) = match placed {
            OPEN | FAILED => ("?".to_owned(), "no result".to_owned()),
            MISSING => ("20+".to_owned(), "not among the first 20".to_owned()),
            rank => (rank.to_string(), format!("rank {rank}")),
        };
        Self { label, words, step: scale::rank(placed) }
    }

    fn difference(was: u8, is: u8) -> Self {
        if !is_done(was) || !is_done(is) {
            return Self {
                label: "?".to_owned(),
                words: "no result in one of the scans".to_owned(),
                step: scale::NONE,
            };
        }
        let gain = i32::from(was) - i32::from(is);
        let (label, words) = match gain {
            0 => ("0".to_owned(), format!("rank {is} in both")),
            // A true minus, as wide as the plus.
            1.. => (format!("+{gain}"), format!("rank {is} instead of {was}")),
            _ => (format!("\u{2212}{}", -gain), format!("rank {is} instead of {was}")),
        };
        Self { label, words, step: scale::difference(gain) }
    }
}

fn geojson(scan: &Scan, marks: &[Mark]) -> Value {
    let features: Vec<Value> = scan
        .spots
        .iter()
        .zip(marks)
        .map(|(spot, mark)| {
            json!({
                "type": "Feature",
                "geometry": { "type": "Point", "coordinates": [spot.point.longitude, spot.point.latitude] },
                // The names that maps draw by: github.com/mapbox/simplestyle-spec, version 1.1.0.
                "properties": {
                    "row": spot.row,
                    "column": spot.column,
                    "title": mark.label,
                    "description": mark.words,
                    "marker-color": mark.step.colour,
                },
            })
        })
        .collect();
    json!({ "type": "FeatureCollection", "features": features })
}

#[cfg(test)]
mod tests;
