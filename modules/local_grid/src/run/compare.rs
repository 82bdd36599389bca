//! The operation `local_grid.run.compare`.

use sdk::Basis;
use sdk::Degraded;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;

use crate::geodesy::Direction;
use crate::given::{self, Scan};
use crate::layout::Spot;
use crate::metrics::{Figures, is_done};
use crate::stored::Run;
use kit::statistics::sign_test;

#[args]
pub(crate) struct Compare {
    /// The earlier scan.
    run_a: Id<Run>,
    /// The later scan.
    run_b: Id<Run>,
}

/// How places have moved.
#[value]
pub(crate) enum Verdict {
    /// More pins are better than chance would have it.
    Improved,
    /// More pins are worse than chance would have it.
    Declined,
    /// No more than chance.
    Unchanged,
}

/// Pins of one direction.
#[value]
pub(crate) struct Sector {
    /// The direction, as seen from the business; none is the pin at the business itself.
    direction: Option<Direction>,
    /// Pins with a better place.
    improved: u32,
    /// Pins with a worse place.
    declined: u32,
    /// Pins with the same place.
    unchanged: u32,
    /// How many places were won on average; negative when lost.
    mean_gain: f64,
    /// Whether this direction won or lost: by the greater number of its pins.
    verdict: Verdict,
}

/// Pins of one keyword.
#[value]
pub(crate) struct Keyword {
    /// The keyword.
    keyword: String,
    /// Pins with a better place.
    improved: u32,
    /// Pins with a worse place.
    declined: u32,
    /// Pins with the same place.
    unchanged: u32,
    /// As over all keywords.
    p_value: f64,
    /// What the earlier scan found.
    before: Figures,
    /// What the later scan found.
    after: Figures,
}

/// How two scans differ.
#[value]
pub(crate) struct Compared {
    /// Pins with a better place in the later scan; not among the first 20 counts as 21.
    improved: u32,
    /// Pins with a worse place.
    declined: u32,
    /// Pins with the same place.
    unchanged: u32,
    /// Of the exact two-sided sign test over pins that moved.
    p_value: f64,
    /// Improved or declined when the p-value is below 0.05.
    verdict: Verdict,
    /// Directions, clockwise from north, and the business itself; those without pins are left out.
    sectors: Vec<Sector>,
    /// Each keyword that both scans looked for.
    keywords: Vec<Keyword>,
    /// The earlier scan.
    before: Basis,
    /// The later scan.
    after: Basis,
    /// What is missing.
    degraded: Vec<Degraded>,
    /// What to look at next.
    next: Vec<Next>,
}

/// Compares two scans pin by pin with a paired sign test and names the directions that improved or declined.
///
/// Scans can be compared when their pins are the same, which `frame` in `local_grid.run.list` says, and they share a
/// keyword. Pins that one of them has no result for are left out. Neighbouring pins see much the same results, so the
/// p-value is rather too small than too large: take it as a hint, and look at several scans with `local_grid.trend.report`.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "did my map rankings get better since the last scan",
        "compare two local grid scans",
        "in which direction did I lose local visibility",
        "before and after of my google maps ranks",
    ],
    examples = [{ "run_a": "run_01", "run_b": "run_02" }]
)]
pub(crate) fn compare(cx: &Cx, args: Compare) -> Result<Compared> {
    let (a, b) = (Scan::ended(cx, &args.run_a, "/run_a")?, Scan::ended(cx, &args.run_b, "/run_b")?);
    let pairs = pairs(&a, &b)?;
    let mut sectors: Vec<(Option<Direction>, Moves)> = Direction::ALL.map(|it| (Some(it), Moves::default())).into();
    sectors.push((None, Moves::default()));
    let mut all = Moves::default();
    let mut keywords = Vec::new();
    let mut missing = 0_u32;
    for (before, after) in pairs {
        let mut own = Moves::default();
        for (spot, (was, is)) in a.spots.iter().zip(before.placed.iter().zip(&after.placed)) {
            if !is_done(*was) || !is_done(*is) {
                missing += 1;
                continue;
            }
            let gain = i32::from(*was) - i32::from(*is);
            let direction = direction(spot);
            let sector = sectors.iter_mut().find(|it| it.0 == direction).map(|it| &mut it.1);
            for moves in [Some(&mut all), Some(&mut own), sector].into_iter().flatten() {
                moves.add(gain);
            }
        }
        keywords.push(Keyword {
            keyword: before.keyword.clone(),
            improved: own.improved,
            declined: own.declined,
            unchanged: own.unchanged,
            p_value: sign_test(own.improved, own.declined),
            before: before.figures,
            after: after.figures,
        });
    }
    let p_value = sign_test(all.improved, all.declined);
    let mut degraded = Vec::new();
    if missing > 0 {
        degraded.push(Degraded::new(
            "pins",
            format!("{missing} pins have no result in one of the scans and were left out"),
        ));
    }
    let fewer = a.run.keywords.len().max(b.run.keywords.len()) - keywords.len();
    if fewer > 0 {
        degraded.push(Degraded::new("keywords", format!("{fewer} keywords are not in both scans and were left out")));
    }
    let render = json!({ "run_ref": args.run_b, "compare_to": args.run_a, "keyword": keywords[0].keyword });
    Ok(Compared {
        improved: all.improved,
        declined: all.declined,
        unchanged: all.unchanged,
        p_value,
        verdict: if p_value < 0.05 { all.verdict() } else { Verdict::Unchanged },
        sectors: sectors
            .into_iter()
            .filter(|it| it.1.pins() > 0)
            .map(|(direction, moves)| moves.sector(direction))
            .collect(),
        keywords,
        before: given::basis(cx, &a.run),
        after: given::basis(cx, &b.run),
        degraded,
        next: vec![Next::new("local_grid.heatmap.render", render, "draws the ranks of the later scan on a map")],
    })
}

/// The results of two scans, keyword by keyword; 409 `scans_not_comparable`.
pub(crate) fn pairs<'a>(a: &'a Scan, b: &'a Scan) -> Result<Vec<(&'a crate::stored::Tally, &'a crate::stored::Tally)>> {
    let unlike = |why: &str| {
        let message = format!("the scans cannot be compared pin by pin: {why}");
        Err(Fault::conflict("scans_not_comparable", message)
            .detail(json!({ "frame_a": a.run.frame, "frame_b": b.run.frame })))
    };
    if a.run.business != b.run.business {
        return unlike("they are of two businesses");
    }
    if a.run.frame != b.run.frame {
        return unlike("their grid, middle or language differ");
    }
    let pair = |before: &'a crate::stored::Tally| {
        let after = b.tallies.iter().find(|it| it.keyword == before.keyword)?;
        Some((before, after))
    };
    let pairs: Vec<_> = a.tallies.iter().filter_map(pair).collect();
    if pairs.is_empty() { unlike("they share no keyword") } else { Ok(pairs) }
}

/// The direction of a pin; none at the business itself.
pub(crate) fn direction(spot: &Spot) -> Option<Direction> {
    (spot.distance() > 1.0).then(|| Direction::of(spot.bearing()))
}

/// How pins have moved.
#[derive(Default, Clone, Copy)]
struct Moves {
    improved: u32,
    declined: u32,
    unchanged: u32,
    gain: i32,
}

impl Moves {
    fn add(&mut self, gain: i32) {
        self.gain += gain;
        match gain.signum() {
            1 => self.improved += 1,
            -1 => self.declined += 1,
            _ => self.unchanged += 1,
        }
    }

    const fn pins(self) -> u32 {
        self.improved + self.declined + self.unchanged
    }

    fn verdict(self) -> Verdict {
        match self.improved.cmp(&self.declined) {
            std::cmp::Ordering::Greater => Verdict::Improved,
            std::cmp::Ordering::Less => Verdict::Declined,
            std::cmp::Ordering::Equal => Verdict::Unchanged,
        }
    }

    fn sector(self, direction: Option<Direction>) -> Sector {
        let mean = f64::from(self.gain) / f64::from(self.pins().max(1));
        Sector {
            direction,
            improved: self.improved,
            declined: self.declined,
            unchanged: self.unchanged,
            mean_gain: kit::statistics::round(mean, 2),
            verdict: self.verdict(),
        }
    }
}
