//! Questions to the Search Console API.
//!
//! Source: developers.google.com/webmaster-tools/v1/searchanalytics/query, its discovery document of 2026, and
//! developers.google.com/webmaster-tools/limits.

use kit::pack::Search;
use sdk::prelude::*;
use sdk::{Send, SendFailure, Sent, json};
use search::{Reached, SearchType};
use serde::Deserialize;

/// The most rows of an answer.
pub(crate) const MAX_ROWS: usize = 25_000;
/// The most rows of a day and search type that can be had at all.
pub(crate) const MAX_ROWS_OF_DAY: usize = 50_000;
/// Months that Search Console keeps.
pub(crate) const MONTHS_KEPT: i64 = 16;

/// A question about performance.
#[derive(Debug, Clone)]
pub(crate) struct Question<'q> {
    pub(crate) first: Day,
    pub(crate) last: Day,
    /// In lower case: `date`, `query`, `page`, `country`, `device` or `searchAppearance`.
    pub(crate) dimensions: &'q [&'static str],
    pub(crate) start_row: usize,
    /// Figures that Google may still change are asked for too.
    pub(crate) fresh: bool,
    /// Only results of this appearance.
    pub(crate) appearance: Option<&'q str>,
}

/// A row of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    /// One for each dimension.
    pub(crate) keys: Vec<String>,
    pub(crate) figures: Search,
}

/// What Google answered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rows {
    pub(crate) rows: Vec<Row>,
    /// The first day that is not final yet; of questions by date alone.
    pub(crate) first_incomplete: Option<Day>,
    /// Rows that cannot be: more clicks than impressions, or a position below 1.
    pub(crate) odd: u64,
}

/// Why there are no rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Unanswered {
    /// A quota of Google is used up for now.
    OverQuota,
    /// It may work later.
    Later,
    /// It will not work without somebody's doing.
    Never(Fault),
}

/// The path of a property, which is one segment.
pub(crate) fn property_path(reached: &Reached) -> String {
    format!("/webmasters/v3/sites/{}", encoded(&reached.property))
}

/// Percent-encodes a segment of a path (RFC 3986, 2.3).
pub(crate) fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

impl Question<'_> {
    /// The request for a property.
    pub(crate) fn request(&self, reached: &Reached, kind: SearchType) -> Send {
        let mut body = json!({
            "startDate": self.first,
            "endDate": self.last,
            "dimensions": self.dimensions,
            "type": kind.wire(),
            "rowLimit": MAX_ROWS,
            "startRow": self.start_row,
            "dataState": if self.fresh { "all" } else { "final" },
        });
        if let Some(appearance) = self.appearance {
            let filter = json!({ "dimension": "searchAppearance", "operator": "equals", "expression": appearance });
            body["dimensionFilterGroups"] = json!([{ "filters": [filter] }]);
        }
        // 25,000 rows are four to five megabytes.
        Send::post(&reached.connection, format!("{}/searchAnalytics/query", property_path(reached)))
            .json(&body)
            .max_bytes(8 << 20)
            .timeout(45_000)
    }
}

#[derive(Deserialize)]
struct Answered {
    #[serde(default)]
    rows: Vec<Written>,
    metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(rename = "firstIncompleteDate", alias = "first_incomplete_date")]
    first_incomplete: Option<String>,
}

#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    keys: Vec<String>,
    #[serde(default)]
    clicks: f64,
    #[serde(default)]
    impressions: f64,
    #[serde(default)]
    position: f64,
}

/// The rows of an answer.
pub(crate) fn rows(answer: Result<Sent, SendFailure>) -> Result<Rows, Unanswered> {
    let sent = answer.map_err(|failure| match failure {
        SendFailure::RateLimited(_) => Unanswered::OverQuota,
        SendFailure::Unreachable | SendFailure::Timeout | SendFailure::Malformed | SendFailure::UnknownOutcome => {
            Unanswered::Later
        }
        SendFailure::ExpiredCredential | SendFailure::NotConnected | SendFailure::Refused | SendFailure::Tls => {
            Unanswered::Never(failure.into())
        }
    })?;
    if !sent.is_success() {
        return Err(refused(sent));
    }
    // What is cut off is no JSON.
    let answered: Answered = sent.json().map_err(|_| Unanswered::Later)?;
    let mut odd = 0;
    let rows = answered
        .rows
        .into_iter()
        .map(|row| {
            let position = if row.position.is_finite() { row.position } else { 0.0 };
            odd += u64::from(row.clicks > row.impressions || (position > 0.0 && position < 1.0));
            let figures = Search {
                impressions: whole(row.impressions),
                clicks: whole(row.clicks),
                positions: whole(position * row.impressions),
            };
            Row { keys: row.keys, figures }
        })
        .collect();
    let first_incomplete = answered.metadata.and_then(|it| it.first_incomplete?.parse().ok());
    Ok(Rows { rows, first_incomplete, odd })
}

#[derive(Deserialize)]
struct Refusal {
    error: RefusalBody,
}

#[derive(Deserialize)]
struct RefusalBody {
    #[serde(default)]
    errors: Vec<Reason>,
}

#[derive(Deserialize)]
struct Reason {
    #[serde(default)]
    reason: String,
}

/// Google says with 403 both that a quota is used up and that the user may not ask: the reason tells.
fn refused(sent: Sent) -> Unanswered {
    const QUOTAS: [&str; 4] = ["quotaExceeded", "rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded"];
    let reasons = sent.json::<Refusal>().map(|it| it.error.errors).unwrap_or_default();
    let quota = reasons.iter().any(|it| QUOTAS.contains(&it.reason.as_str()));
    match sent.status {
        429 => Unanswered::OverQuota,
        403 if quota => Unanswered::OverQuota,
        500.. => Unanswered::Later,
        _ => match sent.accepted() {
            Ok(_) => Unanswered::Later,
            Err(fault) => Unanswered::Never(fault.at("/site_id")),
        },
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts of a day, and negative ones are 0")]
fn whole(value: f64) -> u64 {
    value.round().max(0.0) as u64
}

/// Today in Pacific time, which Search Console counts days in.
pub(crate) fn today(cx: &Cx) -> Day {
    let now = i64::try_from(cx.now().millis()).unwrap_or(0);
    let zoned = jiff::Timestamp::from_millisecond(now).unwrap_or_default().in_tz("America/Los_Angeles");
    let Ok(date) = zoned.map(|zoned| zoned.date()) else { return cx.now().day() };
    day(date)
}

/// The first day that Search Console still has.
pub(crate) fn first_kept(today: Day) -> Day {
    let (year, month, of_month) = today.civil();
    let date = jiff::civil::Date::new(
        i16::try_from(year).unwrap_or(2_026),
        i8::try_from(month).unwrap_or(1),
        i8::try_from(of_month).unwrap_or(1),
    );
    date.map_or(today, |date| day(date.saturating_sub(jiff::Span::new().months(MONTHS_KEPT))))
}

fn day(date: jiff::civil::Date) -> Day {
    Day::from_civil(
        i32::from(date.year()),
        u32::from(date.month().unsigned_abs()),
        u32::from(date.day().unsigned_abs()),
    )
    .unwrap_or(Day::from_epoch(0))
}
