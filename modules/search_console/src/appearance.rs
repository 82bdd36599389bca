//! The operation `search_console.appearance.report`.

use kit::number::as_number;
use std::collections::{BTreeMap, BTreeSet};

use kit::pack::{Figures as _, Search};
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Basis, Degraded};
use search::{Cut, Measurement, Period, SearchType, parts};
use site::Site;

use crate::drop::Deployment;
use crate::given::{Given, Sums};

/// Days on each side of a deployment.
const SIDE: i32 = 28;
/// Days with figures on each side below which nothing is compared.
const MIN_DAYS: u32 = 14;
/// Deployments that are compared, the newest first.
const MAX_DEPLOYMENTS: usize = 50;

/// What Search Console calls appearances, and the words of its report. As documented on 2026-11-28; Google renames them, so an
/// unknown one is shown as it is.
const WORDS: &[(&str, &str)] = &[
    ("AMP_BLUE_LINK", "AMP non-rich result"),
    ("AMP_TOP_STORIES", "AMP on a news carousel"),
    ("FORUMS", "Discussion forum"),
    ("JOB_DETAILS", "Job details"),
    ("JOB_LISTING", "Job listing"),
    ("MERCHANT_LISTINGS", "Merchant listing"),
    ("ORGANIC_SHOPPING", "Shopping listing"),
    ("PRODUCT_SNIPPETS", "Product snippet"),
    ("RECIPE_FEATURE", "Recipe gallery"),
    ("RECIPE_RICH_SNIPPET", "Recipe"),
    ("REVIEW_SNIPPET", "Review snippet"),
    ("RICHCARD", "Rich result"),
    ("TPF_FAQ", "FAQ rich result"),
    ("TPF_HOWTO", "How-to rich result"),
    ("TRANSLATED_RESULT", "Translated result"),
    ("VIDEO", "Video"),
    ("WEBLITE", "Web Light result"),
];

#[args]
pub(crate) struct Report {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The first day; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last stored one when left out.
    to: Option<Day>,
}

/// The performance of an appearance.
#[value]
pub(crate) struct Appearance {
    /// As Search Console names it in its data.
    appearance: String,
    /// As its report names it; null for an unknown one.
    #[own]
    name: Option<String>,
    clicks: u64,
    impressions: u64,
    /// Clicks per impression, 0 to 1.
    ctr: Option<f64>,
    /// The mean position.
    position: Option<f64>,
    /// Pages that appear so.
    pages: u64,
}

/// Before and after markup was deployed.
#[value]
pub(crate) struct Deployed {
    /// The day of the deployment.
    date: Day,
    /// The types of the markup.
    types: Vec<String>,
    /// Its pages.
    pages: u32,
    /// Those pages in the 28 days before.
    before: Sums,
    /// Those pages in the 28 days after.
    after: Sums,
    /// The click rate after, relative to what the curve expects at the positions after, divided by the same before: 1 is no
    /// change, whatever the positions did. Null without impressions.
    ctr_ratio: Option<f64>,
    /// The p-value of "no change of the click rate"; null when there are fewer than 14 days on a side.
    p: Option<f64>,
}

/// Appearances.
#[value]
pub(crate) struct Appearances {
    /// Those with the most clicks first.
    appearances: Vec<Appearance>,
    /// Deployments of structured data that are live, the newest first.
    deployments: Vec<Deployed>,
    /// Known faults of Google's figures in the period.
    measurement: Vec<Measurement>,
    /// When the figures were imported.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Reports clicks and click rate by search appearance with before and after of markup deployments.
///
/// A result can have several appearances, so they do not add up. Pages whose markup was put in by `schema.deploy` are compared
/// for 28 days on each side; a changed click rate need not come from the markup.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "clicks from rich results",
        "did my structured data raise the click rate",
        "search appearance report",
        "how many clicks come from product snippets",
    ],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Appearances> {
    let mut given = Given::of(cx, &args.site_id, SearchType::Web, args.from, args.to)?;
    let period = given.period;
    given.needs(Cut::Appearances, period)?;
    let mut found: BTreeMap<String, (Search, BTreeSet<String>)> = BTreeMap::new();
    let read = given.figures.sums(Cut::Appearances, period, b"", |key, sum| {
        let (appearance, page) = parts(key);
        let slot = found.entry(appearance.to_owned()).or_default();
        if page.is_empty() {
            slot.0.add(&sum);
        } else {
            slot.1.insert(page.to_owned());
        }
    });
    read.map_err(Given::unread)?;
    let mut appearances: Vec<Appearance> = found
        .into_iter()
        .map(|(appearance, (figures, pages))| {
            let Sums { clicks, impressions, ctr, position } = Sums::of(figures);
            let name = WORDS.iter().find(|it| it.0 == appearance).map(|it| it.1.to_owned());
            Appearance { appearance, name, clicks, impressions, ctr, position, pages: pages.len() as u64 }
        })
        .collect();
    appearances.sort_by(|a, b| b.clicks.cmp(&a.clicks).then_with(|| a.appearance.cmp(&b.appearance)));
    let deployments = deployments(&mut given)?;
    Ok(Appearances {
        appearances,
        deployments,
        measurement: given.measurement,
        basis: given.basis,
        degraded: given.degraded,
    })
}

/// Deployments by day and types, compared.
fn deployments(given: &mut Given<'_>) -> Result<Vec<Deployed>> {
    let mut by_day: BTreeMap<(Day, Vec<String>), BTreeSet<String>> = BTreeMap::new();
    let all = given.cx.records::<Deployment>().by("site_id").equals(&given.site.id).scan();
    for it in all.filter(|it| it.state == "live") {
        by_day.entry((it.deployed_at.day(), it.types.clone())).or_default().insert(it.url.clone());
    }
    if by_day.len() > MAX_DEPLOYMENTS {
        given.degraded.push(Degraded::new(
            "deployments",
            format!("the newest {MAX_DEPLOYMENTS} of {} are compared", by_day.len()),
        ));
    }
    let mut deployed = Vec::new();
    for ((date, types), urls) in by_day.into_iter().rev().take(MAX_DEPLOYMENTS) {
        let before = Period { first: date.plus(-SIDE), last: date.plus(-1) };
        let after = Period { first: date.plus(1), last: date.plus(SIDE) };
        let (curve, _) = given.curve(after);
        let side = |period: Period| -> Result<(Search, f64)> {
            let (mut sum, mut expected) = (Search::default(), 0.0);
            for url in &urls {
                let read = given.figures.by_day(Cut::Pages, period, url.as_bytes(), |key, _, figures| {
                    if parts(key).0 == url {
                        sum.add(&figures);
                        expected += as_number(figures.impressions) * curve.at(figures.position().unwrap_or(0.0));
                    }
                });
                read.map_err(Given::unread)?;
            }
            Ok((sum, expected))
        };
        let (one, two) = (side(before)?, side(after)?);
        let days = |period| given.figures.stored_days(Cut::Pages, period);
        let compared = days(before) >= MIN_DAYS && days(after) >= MIN_DAYS;
        let relative = |(sum, expected): (Search, f64)| (expected > 0.0).then(|| as_number(sum.clicks) / expected);
        let ratio = relative(one).zip(relative(two)).filter(|it| it.0 > 0.0).map(|(before, after)| after / before);
        deployed.push(Deployed {
            date,
            types,
            pages: u32::try_from(urls.len()).unwrap_or(u32::MAX),
            before: Sums::of(one.0),
            after: Sums::of(two.0),
            ctr_ratio: ratio.map(|it| round(it, 4)),
            p: (compared && one.1 > 0.0 && two.1 > 0.0)
                .then(|| round(kit::statistics::rates(one.0.clicks, one.1, two.0.clicks, two.1), 6)),
        });
    }
    Ok(deployed)
}
