//! The operation `keywords.set.list`.

use kit::statistics::round;
use sdk::prelude::*;
use serps::Device;
use site::Site;

use crate::stored::Set;
use kit::number::as_number;

#[args(paged)]
pub(crate) struct List {
    /// The website, as listed.
    site_id: Id<Site>,
}

/// A set.
#[value]
pub(crate) struct Row {
    set_ref: Id<Set>,
    name: String,
    country: Country,
    language: Language,
    device: Device,
    /// Keywords, excluded ones too.
    keywords: u64,
    excluded_keywords: u64,
    /// Searches in a month of the keywords that are not excluded, as far as they are known.
    volume_total: u64,
    /// The share of keywords with a page among those that are not excluded; null without any.
    mapped_share: Option<f64>,
    /// Clusters; null when the keywords were not clustered.
    clusters: Option<u64>,
    /// When metrics were refreshed last.
    refreshed_at: Option<Moment>,
    /// When they are refreshed next by themselves; null when they are not.
    next_refresh_at: Option<Moment>,
    created_at: Moment,
}

/// Sets of a website.
#[page]
pub(crate) struct Sets {
    /// In the order of their names.
    sets: Vec<Row>,
    /// Sets in all.
    total: u64,
}

/// Lists keyword sets with size, market, volume total, mapped share and last metric refresh.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["which keyword sets do i have", "show my keyword lists", "how many keywords are in my sets"],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Sets> {
    let site = site::get(cx, &args.site_id)?;
    let all = || cx.records::<Set>().by("site_id_folded").equals(&site.id);
    let total = all().count();
    let page = all().page(args.limit, args.cursor)?;
    let row = |set: Stored<Set>| {
        let counted = set.counts.keywords.saturating_sub(set.counts.excluded);
        Row {
            name: set.name.clone(),
            country: set.country,
            language: set.language.clone(),
            device: set.device,
            keywords: set.counts.keywords,
            excluded_keywords: set.counts.excluded,
            volume_total: set.counts.volume,
            mapped_share: (counted > 0).then(|| round(as_number(set.counts.mapped) / as_number(counted), 4)),
            clusters: set.clustered.as_ref().map(|it| it.clusters),
            refreshed_at: set.refreshed_ms.map(Moment::from_millis),
            next_refresh_at: crate::metric::refresh::next(cx, &set.id),
            created_at: Moment::from_millis(set.created_ms),
            set_ref: set.id,
        }
    };
    let page = page.map(row);
    Ok(Sets { sets: page.items, next_cursor: page.next, total })
}
