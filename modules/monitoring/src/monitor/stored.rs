//! Monitors as they are stored.

use std::collections::BTreeMap;

use sdk::prelude::*;

use crate::event::stored::Event;

/// What is watched.
#[value]
#[derive(Default)]
pub(crate) enum Kind {
    #[default]
    Uptime,
    Content,
    Head,
    Robots,
    Sitemap,
    Tls,
    Domain,
    Index,
    Cwv,
    Rank,
    Metric,
}

impl Kind {
    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Uptime => "uptime",
            Self::Content => "content",
            Self::Head => "head",
            Self::Robots => "robots",
            Self::Sitemap => "sitemap",
            Self::Tls => "tls",
            Self::Domain => "domain",
            Self::Index => "index",
            Self::Cwv => "cwv",
            Self::Rank => "rank",
            Self::Metric => "metric",
        }
    }
}

/// How often.
#[value]
#[derive(Default)]
pub(crate) enum Every {
    #[serde(rename = "5m")]
    FiveMinutes,
    #[serde(rename = "15m")]
    QuarterHour,
    #[serde(rename = "1h")]
    Hour,
    #[serde(rename = "6h")]
    SixHours,
    #[default]
    #[serde(rename = "1d")]
    Day,
    #[serde(rename = "7d")]
    Week,
}

impl Every {
    /// All, the most frequent first.
    pub(crate) const ALL: [Self; 6] =
        [Self::FiveMinutes, Self::QuarterHour, Self::Hour, Self::SixHours, Self::Day, Self::Week];

    /// Its name, as callers write it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::FiveMinutes => "5m",
            Self::QuarterHour => "15m",
            Self::Hour => "1h",
            Self::SixHours => "6h",
            Self::Day => "1d",
            Self::Week => "7d",
        }
    }

    /// Minutes between two checks.
    pub(crate) const fn minutes(self) -> u32 {
        match self {
            Self::FiveMinutes => 5,
            Self::QuarterHour => 15,
            Self::Hour => 60,
            Self::SixHours => 360,
            Self::Day => 1_440,
            Self::Week => 10_080,
        }
    }
}

/// A figure of page experience.
#[value]
pub(crate) enum Vital {
    Lcp,
    Inp,
    Cls,
    Fcp,
    Ttfb,
}

impl Vital {
    /// Its name, as stored results have it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Lcp => "lcp",
            Self::Inp => "inp",
            Self::Cls => "cls",
            Self::Fcp => "fcp",
            Self::Ttfb => "ttfb",
        }
    }

    /// The greatest value that Google calls good: milliseconds, of `cls` the sum of shifts.
    pub(crate) const fn good(self) -> f64 {
        match self {
            Self::Lcp => 2_500.0,
            Self::Inp => 200.0,
            Self::Cls => 0.1,
            Self::Fcp => 1_800.0,
            Self::Ttfb => 800.0,
        }
    }
}

/// What counts as wrong. Which members a kind has stands with each.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Threshold {
    /// `uptime`: statuses that are good; 200 to 399 when left out.
    pub(crate) status_in: Option<List<Count<100, 599>, 1, 20>>,
    /// `uptime`: a text that the body must hold.
    pub(crate) contains: Option<Text<1, 200>>,
    /// `uptime`: the slowest good answer.
    pub(crate) max_ms: Option<Count<50, 30_000>>,
    /// `uptime`: failing checks in a row from which it is down; 2 when left out.
    pub(crate) down_after: Option<Count<1, 5>>,
    /// `content`: the least change of the text, in percent of its words; any change when left out.
    pub(crate) min_change_percent: Option<Decimal<0, 100_000>>,
    /// `tls` and `domain`: days before the end from which it fails; 14 and 30 when left out.
    pub(crate) days_left: Option<Count<1, 365>>,
    /// `rank`: the tracker that looks at the keyword.
    pub(crate) tracker_ref: Option<Text<1, 128>>,
    /// `rank`: places lost since the look before from which it fails; 3 when left out.
    pub(crate) falls_by: Option<Count<1, 100>>,
    /// `cwv`: the figure; `lcp` when left out.
    pub(crate) metric: Option<Vital>,
    /// `cwv` and `metric`: the greatest good value; for `cwv` that which Google calls good when left out.
    pub(crate) above: Option<Decimal<0, 1_000_000_000_000>>,
    /// `metric`: the least good value of a day.
    pub(crate) below: Option<Decimal<0, 1_000_000_000_000>>,
    /// `metric`: the greatest good change, in percent, of the mean of `days` against that of as many days before.
    pub(crate) change_percent: Option<Decimal<1_000, 1_000_000>>,
    /// `metric`: days of `change_percent`; 7 when left out.
    pub(crate) days: Option<Count<1, 90>>,
}

/// What the last check saw, which the next one is compared with.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Seen {
    /// Of the text.
    pub(crate) hash: String,
    /// Elements of the head, or counts of a file, by name.
    pub(crate) fields: BTreeMap<String, String>,
    /// The blob with the text.
    pub(crate) snapshot: Option<String>,
    /// The figure.
    pub(crate) number: Option<f64>,
}

/// A monitor.
#[record(collection = "monitors", thing = "monitor", index(site_id, created_ms), index(every, paused, created_ms))]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Monitor {
    pub(crate) site_id: String,
    pub(crate) kind: Kind,
    pub(crate) target: String,
    pub(crate) every: Every,
    pub(crate) selector: Option<String>,
    pub(crate) threshold: Threshold,
    /// Regular expressions of what is cut from a text before it is compared.
    pub(crate) ignore: Vec<String>,
    pub(crate) paused: bool,
    pub(crate) created_ms: u64,
    pub(crate) last_check_ms: Option<u64>,
    pub(crate) last_change_ms: Option<u64>,
    /// Why the last check said nothing; none where it did.
    pub(crate) skipped: Option<String>,
    /// Failing checks in a row, and the moment of the first of them.
    pub(crate) failing: u32,
    pub(crate) failing_since_ms: Option<u64>,
    /// The incident that goes on.
    pub(crate) incident: Option<Id<Event>>,
    /// Changes that nobody has acknowledged.
    pub(crate) open_changes: u32,
    pub(crate) seen: Option<Seen>,
    /// Being deleted in parts.
    pub(crate) deleting: bool,
}
