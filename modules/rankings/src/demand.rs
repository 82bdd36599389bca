//! What keywords and positions are worth: searches in a month, and click rates by position.

use kit::ctr::{Bin, Curve};
use kit::number::as_number;
use search::{Figures, Period, SearchType, last_day};
use site::brand::Brand;

use crate::board::Board;

/// The name of the published curve.
pub(crate) const PUBLISHED: &str = "published: SISTRIX, July 2020";
/// The share of keywords with a volume from which the others count as none.
const KNOWN: f64 = 0.8;

/// What each keyword weighs.
pub(crate) struct Weights {
    by_volume: bool,
    /// What is to be said of them; none when every keyword has a volume.
    pub(crate) told: Option<String>,
}

impl Weights {
    /// By searches, where at least 80 % of the keywords have a volume; else all alike.
    pub(crate) fn of<'k>(board: &Board<'_>, keywords: impl Iterator<Item = &'k str>) -> Self {
        let (mut count, mut known) = (0_u64, 0_u64);
        for keyword in keywords {
            count += 1;
            known += u64::from(board.volume(keyword).is_some());
        }
        let by_volume = count > 0 && as_number(known) >= KNOWN * as_number(count);
        let told = (known < count).then(|| {
            let then = if by_volume { "those without count as none" } else { "so all of them count alike" };
            format!("{known} of {count} keywords have a volume; {then}")
        });
        Self { by_volume, told }
    }

    /// All keywords alike.
    pub(crate) const fn equal() -> Self {
        Self { by_volume: false, told: None }
    }

    /// Whether searches are the weights.
    pub(crate) fn name(&self) -> &'static str {
        if self.by_volume { "volume" } else { "equal" }
    }

    /// The weight of a keyword.
    pub(crate) fn weight(&self, board: &Board<'_>, keyword: &str) -> f64 {
        if self.by_volume { as_number(board.volume(keyword).unwrap_or(0)) } else { 1.0 }
    }
}

/// Click rates by position, and the impressions that they were fitted to.
pub(crate) struct Rates {
    curve: Curve,
    /// None for the published curve.
    bins: Vec<Bin>,
}

impl Rates {
    /// The click rate at a position.
    pub(crate) fn at(&self, position: f64) -> f64 {
        self.curve.at(position)
    }

    /// The standard deviation of the click rate at a position, by the impressions that it was fitted to; 0 for the published
    /// curve.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a position from 1 to 100")]
    pub(crate) fn noise(&self, position: f64) -> f64 {
        let at = position.clamp(1.0, kit::ctr::LAST).round() as usize;
        let Some(bin) = self.bins.get(at - 1).filter(|it| it.impressions > 0) else { return 0.0 };
        let rate = self.at(position);
        (rate * (1.0 - rate) / as_number(bin.impressions)).max(0.0).sqrt()
    }

    fn published() -> Self {
        Self { curve: Curve::published(), bins: Vec::new() }
    }
}

/// Click rates of a website, by whether a search names its brand.
pub(crate) struct Model {
    brand: Rates,
    other: Rates,
    names: Brand,
    /// What the rates are.
    pub(crate) name: &'static str,
}

impl Model {
    /// The rates fitted to a year of the website's own clicks, where there are enough; else the published ones. A segment with
    /// too few clicks has the rates of all searches.
    pub(crate) fn of(board: &Board<'_>) -> Self {
        let names = Brand::of(&board.site);
        let fitted = last_day(board.cx, &board.site.id, SearchType::Web).and_then(|last| {
            let counts = Figures::of(board.cx, &board.site.id, SearchType::Web).counts(Period::ending(last, 365));
            let of = |segment: &str| {
                let bins = counts.bins(segment);
                Curve::fit(&bins).map(|curve| Rates { curve, bins })
            };
            of("all")?;
            Some((of("brand").or_else(|| of("all"))?, of("non_brand").or_else(|| of("all"))?))
        });
        match fitted {
            Some((brand, other)) => Self { brand, other, names, name: "fitted to the website's own clicks" },
            None => Self { brand: Rates::published(), other: Rates::published(), names, name: PUBLISHED },
        }
    }

    /// The rates of a keyword.
    pub(crate) fn rates(&self, keyword: &str) -> &Rates {
        if self.names.has(keyword) { &self.brand } else { &self.other }
    }
}
