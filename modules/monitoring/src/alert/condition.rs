//! When a rule fires.

use kit::statistics::round;
use sdk::prelude::*;
use search::Period;
use site::Site;

use crate::anomaly::anomalies;
use crate::check::change;
use crate::event::stored::Severity;
use crate::series::{self, Metric};

/// Days of a change, and of a series that anomalies are looked for in.
const DAYS: i32 = 7;
const SERIES: i32 = 180;
/// Days without which nothing is said of anomalies.
const FEWEST: usize = 28;

/// What a rule looks for.
#[value]
#[derive(Default)]
pub(crate) enum Is {
    /// An event of at least `min_severity`.
    #[default]
    Event,
    /// A figure above `value`, for `for_days` days.
    Above,
    /// A figure below `value`, for `for_days` days.
    Below,
    /// A change of the mean of `days` by `percent` or more, either way.
    Change,
    /// An anomaly of monitoring.anomaly.detect with at least `score`.
    Anomaly,
    /// No figures for `days` days.
    Missing,
}

/// What the days of a change are held against.
#[value]
#[derive(Default)]
pub(crate) enum Against {
    /// As many days before.
    #[default]
    Previous,
    /// The same days 52 weeks ago.
    Year,
}

/// When a rule fires. Which members it has stands with `is`.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Condition {
    pub(crate) is: Is,
    /// `above` and `below`: the bound.
    pub(crate) value: Option<Decimal<0, 1_000_000_000_000>>,
    /// `above` and `below`: days in a row; 1 when left out.
    pub(crate) for_days: Option<Count<1, 30>>,
    /// `change`: percent.
    pub(crate) percent: Option<Decimal<1_000, 1_000_000>>,
    /// `change` and `missing`: days; 7 and 3 when left out.
    pub(crate) days: Option<Count<1, 90>>,
    /// `change`: what the days are held against; those before when left out.
    pub(crate) against: Option<Against>,
    /// `anomaly`: robust standard deviations beyond what is usual; 4 when left out.
    pub(crate) score: Option<Decimal<2_000, 100_000>>,
    /// `event`: the least severity; `warning` when left out.
    pub(crate) min_severity: Option<Severity>,
}

impl Condition {
    /// The least severity of an event.
    pub(crate) fn least(&self) -> Severity {
        self.min_severity.unwrap_or(Severity::Warning)
    }

    /// Members of each kind.
    const fn members(&self) -> &'static [&'static str] {
        match self.is {
            Is::Event => &["is", "min_severity"],
            Is::Above | Is::Below => &["is", "value", "for_days"],
            Is::Change => &["is", "percent", "days", "against"],
            Is::Anomaly => &["is", "score"],
            Is::Missing => &["is", "days"],
        }
    }

    /// Checks that it has what it needs and nothing else.
    ///
    /// # Errors
    /// 422 `condition_of_other_kind` and `condition_missing` at the member.
    pub(crate) fn check(&self, is_event: bool) -> Result<()> {
        if is_event != (self.is == Is::Event) {
            let message = "a rule on events has the condition `event`, and one on a metric any other";
            return Err(Fault::invalid("/condition/is", "condition_of_other_kind", message));
        }
        let written = serde_json::to_value(self).unwrap_or_default();
        let allowed = self.members();
        let given = written.as_object().into_iter().flatten().filter(|it| !it.1.is_null()).map(|it| it.0.as_str());
        let beyond: Vec<String> =
            given.filter(|it| !allowed.contains(it)).map(|it| format!("/condition/{it}")).collect();
        if let Some(first) = beyond.first() {
            let message = format!("this condition has these members: {}", allowed.join(", "));
            let detail = sdk::json!({ "pointers": beyond, "allowed": allowed });
            return Err(Fault::invalid(first.clone(), "condition_of_other_kind", message).detail(detail));
        }
        let missing = match self.is {
            Is::Above | Is::Below if self.value.is_none() => Some("/condition/value"),
            Is::Change if self.percent.is_none() => Some("/condition/percent"),
            _ => None,
        };
        missing.map_or(Ok(()), |it| Err(Fault::invalid(it, "condition_missing", "this condition needs it")))
    }

    /// Days of figures that it needs before the day that it is asked for.
    fn reach(&self) -> i32 {
        let days = |count: Option<i64>, usual: i32| count.map_or(usual, |it| i32::try_from(it).unwrap_or(usual));
        let of_days = days(self.days.as_ref().map(|it| it.get()), DAYS);
        match self.is {
            Is::Event => 1,
            Is::Above | Is::Below => days(self.for_days.as_ref().map(|it| it.get()), 1),
            Is::Change if self.against == Some(Against::Year) => 364 + of_days,
            Is::Change => 2 * of_days,
            Is::Anomaly => SERIES,
            Is::Missing => days(self.days.as_ref().map(|it| it.get()), 3),
        }
    }
}

/// The figures that a rule needs for some days, read once.
pub(crate) struct Figures {
    first: Day,
    values: Vec<Option<f64>>,
    last: Option<Day>,
}

impl Figures {
    /// Reads what a condition needs for each day from `from` to `to`.
    pub(crate) fn read(cx: &Cx, site: &Id<Site>, metric: Metric, condition: &Condition, from: Day, to: Day) -> Self {
        let first = from.plus(1 - condition.reach());
        let values = series::read(cx, site, metric, Period { first, last: to });
        Self { first, values, last: series::last_day(cx, site) }
    }

    fn of(&self, from: Day, to: Day) -> &[Option<f64>] {
        let place = |day: Day| usize::try_from(day.since_epoch() - self.first.since_epoch()).unwrap_or(0);
        let end = (place(to) + 1).min(self.values.len());
        &self.values[place(from).min(end)..end]
    }

    /// What a condition says on a day: what was seen, where it holds.
    pub(crate) fn holds(&self, condition: &Condition, day: Day) -> Option<String> {
        let reach = condition.reach();
        let values = self.of(day.plus(1 - reach), day);
        match condition.is {
            Is::Event => None,
            Is::Above | Is::Below => {
                let bound = condition.value.as_ref().map_or(0.0, |it| it.get());
                let above = condition.is == Is::Above;
                let beyond = |it: &Option<f64>| it.is_some_and(|it| if above { it > bound } else { it < bound });
                let last = values.last().copied().flatten()?;
                let words = if above { "above" } else { "below" };
                (!values.is_empty() && values.iter().all(beyond))
                    .then(|| format!("{} on {day}, {words} {bound} for {reach} days", round(last, 4)))
            }
            Is::Change => {
                let percent = match condition.against {
                    Some(Against::Year) => {
                        let days = reach - 364;
                        let (now, then) =
                            (self.of(day.plus(1 - days), day), self.of(day.plus(1 - reach), day.plus(-364)));
                        change(&[then, now].concat())
                    }
                    _ => change(values),
                }?;
                let least = condition.percent.as_ref().map_or(0.0, |it| it.get());
                (percent.abs() >= least).then(|| format!("{percent:+.1} % to {day}"))
            }
            Is::Anomaly => {
                if values.iter().flatten().count() < FEWEST || values.last().copied().flatten().is_none() {
                    return None;
                }
                let least = condition.score.as_ref().map_or(4.0, |it| it.get());
                let last = values.len() - 1;
                anomalies(values, 0.05).on(last).filter(|it| it.0 >= least).map(|(score, value, expected)| {
                    let (value, expected) = (round(value, 4), round(expected, 4));
                    format!("{value} on {day}, {expected} expected, {score:.1} deviations off")
                })
            }
            Is::Missing => {
                // Figures of Search Console come two or three days late: a day counts from the last one that came.
                let last = self.last?;
                let days = day.since_epoch() - last.since_epoch();
                (days >= reach).then(|| format!("no figures since {last}, {days} days"))
            }
        }
    }
}
