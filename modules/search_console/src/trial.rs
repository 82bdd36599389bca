//! A Search Console with known figures, for native tests.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use kit::chance::Chance;
use kit::pack::{Figures as _, Search};
use sdk::Fake;
use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::{self, Value};
use site::Site;

/// The website of the tests.
pub(crate) const SITE: &str = "81";
/// Its property.
pub(crate) const PROPERTY: &str = "sc-domain:shop.example";

/// What was shown once a day: a page for a query in a market.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    pub(crate) day: Day,
    pub(crate) page: String,
    pub(crate) query: String,
    pub(crate) country: &'static str,
    pub(crate) device: &'static str,
    pub(crate) figures: Search,
    /// Google does not name its query.
    pub(crate) rare: bool,
}

/// The figures of a property, and how it answers.
#[derive(Clone, Default)]
pub(crate) struct Google {
    pub(crate) rows: Rc<RefCell<Vec<Shown>>>,
    /// Questions that are refused because of the quota, from now on.
    pub(crate) over_quota: Rc<Cell<u32>>,
    /// Days that are not answered.
    pub(crate) dead: Rc<RefCell<BTreeSet<Day>>>,
    /// Appearances, with their share of each row in percent.
    pub(crate) appearances: Rc<RefCell<Vec<(&'static str, u64)>>>,
    /// Questions that were asked.
    pub(crate) asked: Rc<Cell<u32>>,
}

pub(crate) fn day(text: &str) -> Day {
    text.parse().expect("a day")
}

/// A module with a website, a connection and this property.
pub(crate) fn fake(google: &Google) -> Fake {
    let fake = crate::fake().connected("con_1", "google_search_console");
    let site = Site {
        domain: "shop.example".to_owned(),
        origin: "https://shop.example".to_owned(),
        name: Some("Lamp Shop".to_owned()),
        ..Site::default()
    };
    fake.put_as(SITE, site);
    fake.provider_answers(
        "GET",
        "/webmasters/v3/sites",
        200,
        &json!({ "siteEntry": [{ "siteUrl": PROPERTY, "permissionLevel": "siteOwner" }] }),
    );
    let own = google.clone();
    fake.provider_serves(move |method, path, body| {
        let wanted = "/webmasters/v3/sites/sc-domain%3Ashop.example/searchAnalytics/query";
        (method == "POST" && path == wanted).then(|| own.answer(&serde_json::from_slice(body).expect("JSON")))
    });
    fake
}

/// Imports all that there is.
pub(crate) fn synced(google: &Google) -> Fake {
    let fake = fake(google);
    fake.call("search_console.sync.run", json!({ "site_id": SITE })).expect("a job");
    fake.work();
    fake
}

impl Google {
    /// A property with these rows.
    pub(crate) fn of(rows: Vec<Shown>) -> Self {
        Self { rows: Rc::new(RefCell::new(rows)), ..Self::default() }
    }

    /// The sum of the rows that hold, grouped, as an independent program would add them up.
    pub(crate) fn sums(
        &self,
        holds: impl Fn(&Shown) -> bool,
        group: impl Fn(&Shown) -> String,
    ) -> BTreeMap<String, Search> {
        let mut sums: BTreeMap<String, Search> = BTreeMap::new();
        for row in self.rows.borrow().iter().filter(|row| holds(row)) {
            sums.entry(group(row)).or_default().add(&row.figures);
        }
        sums
    }

    fn answer(&self, asked: &Value) -> (u16, Vec<u8>) {
        self.asked.set(self.asked.get() + 1);
        if self.over_quota.get() > 0 {
            self.over_quota.set(self.over_quota.get() - 1);
            let refusal = json!({ "error": { "code": 403, "errors": [{ "reason": "quotaExceeded" }] } });
            return (403, refusal.to_string().into_bytes());
        }
        let (first, last) = (day(asked["startDate"].as_str().unwrap()), day(asked["endDate"].as_str().unwrap()));
        if first == last && self.dead.borrow().contains(&first) {
            return (503, Vec::new());
        }
        let dimensions: Vec<&str> = asked["dimensions"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let appearance = asked["dimensionFilterGroups"][0]["filters"][0]["expression"].as_str();
        let by_query = dimensions.contains(&"query");
        let mut sums: BTreeMap<Vec<String>, Search> = BTreeMap::new();
        for row in self.rows.borrow().iter() {
            if row.day < first || row.day > last || (by_query && row.rare) {
                continue;
            }
            for (name, percent) in appearances(&self.appearances.borrow(), &dimensions, appearance) {
                let part = |count: u64| count * percent / 100;
                let figures = Search {
                    impressions: part(row.figures.impressions),
                    clicks: part(row.figures.clicks),
                    positions: part(row.figures.positions),
                };
                if figures.impressions == 0 {
                    continue;
                }
                let value = |dimension: &&str| match *dimension {
                    "date" => row.day.to_string(),
                    "page" => row.page.clone(),
                    "query" => row.query.clone(),
                    "country" => row.country.to_owned(),
                    "device" => row.device.to_owned(),
                    _ => name.to_owned(),
                };
                sums.entry(dimensions.iter().map(value).collect()).or_default().add(&figures);
            }
        }
        let mut rows: Vec<(Vec<String>, Search)> = sums.into_iter().collect();
        rows.sort_by(|a, b| b.1.clicks.cmp(&a.1.clicks).then_with(|| a.0.cmp(&b.0)));
        let start = usize::try_from(asked["startRow"].as_u64().unwrap()).unwrap();
        let limit = usize::try_from(asked["rowLimit"].as_u64().unwrap()).unwrap();
        // Google returns 50,000 rows of a day at most.
        let rows: Vec<Value> = rows
            .into_iter()
            .take(50_000)
            .skip(start)
            .take(limit)
            .map(|(keys, it)| {
                json!({ "keys": keys, "clicks": it.clicks, "impressions": it.impressions,
                    "ctr": it.click_rate(), "position": it.position() })
            })
            .collect();
        (200, json!({ "rows": rows, "responseAggregationType": "auto" }).to_string().into_bytes())
    }
}

/// The appearances of a row that an answer counts: all of it once when none is asked for.
fn appearances(all: &[(&'static str, u64)], dimensions: &[&str], asked: Option<&str>) -> Vec<(&'static str, u64)> {
    match asked {
        Some(asked) => all.iter().filter(|it| it.0 == asked).copied().collect(),
        None if dimensions.contains(&"searchAppearance") => all.to_vec(),
        None => vec![("", 100)],
    }
}

/// A page for a query at a position: its daily impressions.
pub(crate) struct Ranked {
    pub(crate) page: &'static str,
    pub(crate) query: &'static str,
    pub(crate) position: u64,
    pub(crate) impressions: u64,
    pub(crate) rare: bool,
}

/// A shop of some pages and queries.
pub(crate) const SHOP: [Ranked; 12] = [
    Ranked { page: "/", query: "lamp shop", position: 1, impressions: 120, rare: false },
    Ranked { page: "/", query: "lampshop", position: 1, impressions: 20, rare: false },
    Ranked { page: "/lamps", query: "desk lamp", position: 3, impressions: 300, rare: false },
    Ranked { page: "/lamps", query: "reading lamp", position: 7, impressions: 200, rare: false },
    Ranked { page: "/guides/bulbs", query: "which bulb fits", position: 5, impressions: 260, rare: false },
    Ranked { page: "/guides/bulbs", query: "led or halogen", position: 9, impressions: 150, rare: false },
    Ranked { page: "/guides/wiring", query: "wire a lamp", position: 2, impressions: 180, rare: false },
    Ranked { page: "/guides/wiring", query: "lamp sohp", position: 4, impressions: 30, rare: false },
    Ranked { page: "/bulbs", query: "light bulbs", position: 3, impressions: 400, rare: false },
    Ranked { page: "/bulbs", query: "bulb sizes", position: 7, impressions: 300, rare: false },
    Ranked { page: "/oil", query: "oil lamp wick", position: 12, impressions: 90, rare: false },
    Ranked { page: "/oil", query: "a very rare question", position: 3, impressions: 25, rare: true },
];

/// The figures of the shop on the days of a period: markets, weekdays, noise, clicks by the published curve times `rate`.
pub(crate) fn shop(first: &str, last: &str, rate: impl Fn(&Shown) -> f64) -> Google {
    let mut chance = Chance::of("shop");
    let mut rows = Vec::new();
    let week = [1.1, 1.15, 1.1, 1.05, 1.0, 0.7, 0.6];
    for at in day(first).since_epoch()..=day(last).since_epoch() {
        let day = Day::from_epoch(at);
        for ranked in &SHOP {
            for (country, of_country) in [("gbr", 0.7), ("deu", 0.3)] {
                for (device, of_device) in [("MOBILE", 0.6), ("DESKTOP", 0.4)] {
                    let noise = 0.85 + 0.3 * chance.unit();
                    let season = week[usize::try_from(at.rem_euclid(7)).unwrap()];
                    let mean = number(ranked.impressions) * of_country * of_device * noise * season;
                    let impressions = whole(mean).max(1);
                    let mut shown = Shown {
                        day,
                        page: format!("https://shop.example{}", ranked.page),
                        query: ranked.query.to_owned(),
                        country,
                        device,
                        figures: Search { impressions, clicks: 0, positions: impressions * ranked.position },
                        rare: ranked.rare,
                    };
                    let clicks = number(impressions) * kit::ctr::expected(number(ranked.position)) * rate(&shown);
                    shown.figures.clicks = whole(clicks + chance.unit() - 0.5).min(impressions);
                    rows.push(shown);
                }
            }
        }
    }
    Google::of(rows)
}

#[expect(clippy::cast_precision_loss, reason = "small counts")]
pub(crate) fn number(count: u64) -> f64 {
    count as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small counts")]
fn whole(value: f64) -> u64 {
    value.round().max(0.0) as u64
}
