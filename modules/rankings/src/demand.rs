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

/// Click rates of a website, by whether a search names its brand.
pub(crate) struct Model {
    brand: (Curve, Vec<Bin>),
    other: (Curve, Vec<Bin>),
    names: Brand,
    /// What the rates are.
    pub(crate) name: &'static str,
}

impl Model {
    /// The rates fitted to a year of the website's own clicks, where there are enough; else the published ones.
    pub(crate) fn of(board: &Board<'_>) -> Self {
        let names = Brand::of(&board.site);
        let fitted = last_day(board.cx, &board.site.id, SearchType::Web).and_then(|last| {
            let counts = Figures::of(board.cx, &board.site.id, SearchType::Web).counts(Period::ending(last, 365));
            let all = (Curve::fit(&counts.bins("all"))?, counts.bins("all"));
            let part = |segment: &str| {
                let bins = counts.bins(segment);
                Curve::fit(&bins).map_or_else(|| all.clone(), |curve| (curve, bins))
            };
            Some((part("brand"), part("non_brand")))
        });
        let published = || (Curve::published(), Vec::new());
        match fitted {
            Some((brand, other)) => Self { brand, other, names, name: "fitted to the website's own clicks" },
            None => Self { brand: published(), other: published(), names, name: PUBLISHED },
        }
    }

    fn of_keyword(&self, keyword: &str) -> &(Curve, Vec<Bin>) {
        if self.names.has(keyword) { &self.brand } else { &self.other }
    }

    /// The standard deviation of the click rate at a position, by the impressions that it was fitted to; 0 for the published
    /// curve.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a position from 1 to 100")]
    pub(crate) fn noise(&self, keyword: &str, position: f64) -> f64 {
        let (curve, bins) = self.of_keyword(keyword);
        let at = position.clamp(1.0, kit::ctr::LAST).round() as usize;
        let Some(bin) = bins.get(at - 1).filter(|it| it.impressions > 0) else { return 0.0 };
        let rate = curve.at(position);
        (rate * (1.0 - rate) / as_number(bin.impressions)).max(0.0).sqrt()
    }

    /// The curve of a keyword.
    pub(crate) fn curve(&self, keyword: &str) -> &Curve {
        &self.of_keyword(keyword).0
    }
}
