//! What every report begins with: the tracker, its keywords, and its checks.

use std::collections::BTreeMap;

use kit::url::{Url as Address, bare_host};
use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, JobState, json};
use site::Site;

use crate::rows::{self, Rows};
use crate::stored::{Check, Cluster, Keyword, MAX_KEYWORDS, Set, Tracker};

/// Rows of positions that one answer reads.
const MAX_ROWS: u64 = 300_000;
/// Days of a report without a period.
const DAYS: i32 = 90;

/// A keyword of the tracker's set.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    /// As it was given first.
    pub(crate) keyword: String,
    pub(crate) volume: Option<u64>,
    pub(crate) tags: Vec<String>,
    /// The customer's choice, else the provider's.
    pub(crate) intent: Option<String>,
}

/// A tracker with its keywords.
pub(crate) struct Board<'a> {
    pub(crate) cx: &'a Cx,
    pub(crate) tracker: Stored<Tracker>,
    pub(crate) site: Stored<Site>,
    /// The set; none when it was deleted.
    pub(crate) set: Option<Stored<Set>>,
    /// The keywords that are checked, by normal form.
    pub(crate) keywords: BTreeMap<String, Known>,
    /// The host of the website without `www.`.
    pub(crate) host: String,
    pub(crate) degraded: Vec<Degraded>,
}

/// The tracker of the argument `tracker_ref`.
///
/// # Errors
/// 404 `tracker_not_found`; 409 `tracker_deleting`.
pub(crate) fn tracker(cx: &Cx, reference: &Id<Tracker>) -> Result<Stored<Tracker>> {
    let tracker = cx.records::<Tracker>().get(reference).map_err(|fault| fault.at("/tracker_ref"))?;
    if tracker.deleting {
        let message = "this tracker is being deleted; call rankings.tracker.delete until nothing remains";
        return Err(Fault::conflict("tracker_deleting", message).at("/tracker_ref"));
    }
    Ok(tracker)
}

/// Refuses a change of a tracker's positions while a job checks them.
///
/// # Errors
/// 409 `check_running` with the job.
pub(crate) fn is_idle(cx: &Cx, tracker: &Tracker) -> Result<()> {
    let job = tracker.job_ref.as_ref().and_then(|it| cx.jobs().find(it));
    match job.filter(|it| matches!(it.state, JobState::Queued | JobState::Running)) {
        None => Ok(()),
        Some(job) => {
            let message = "this tracker is being checked; wait for the job or stop it with account.job.cancel";
            let detail = json!({ "job_ref": job.id });
            Err(Fault::conflict("check_running", message).at("/tracker_ref").detail(detail))
        }
    }
}

/// The set of a tracker, unless it is gone.
pub(crate) fn set(cx: &Cx, tracker: &Tracker) -> Option<Stored<Set>> {
    cx.records::<Set>().find(&Id::new(tracker.set_ref.clone())).filter(|it| !it.deleting)
}

/// The keywords of a set that a tracker checks, those with the most searches first.
pub(crate) fn checked(cx: &Cx, set: &Id<Set>) -> impl Iterator<Item = Stored<Keyword>> {
    let all = cx.records::<Keyword>().by("set_order").equals(set).descending().scan();
    all.filter(|it| !it.excluded).take(MAX_KEYWORDS)
}

/// Whether an address is on a domain or a host below it.
pub(crate) fn is_within(url: &str, domain: &str) -> bool {
    let Ok(url) = Address::parse(url) else { return false };
    let host = bare_host(&url);
    host == domain || host.strip_suffix(domain).is_some_and(|it| it.ends_with('.'))
}

/// The host of a website without `www.`.
pub(crate) fn host(site: &Site) -> String {
    Address::parse(&site.origin).map_or_else(|_| site.domain.clone(), |it| bare_host(&it).to_owned())
}

impl<'a> Board<'a> {
    /// The tracker of the argument `tracker_ref` with its keywords.
    ///
    /// # Errors
    /// 404 `tracker_not_found`; 409 `tracker_deleting`.
    pub(crate) fn of(cx: &'a Cx, reference: &Id<Tracker>) -> Result<Self> {
        let tracker = tracker(cx, reference)?;
        let site = site::get(cx, &Id::new(tracker.site_id.clone())).map_err(|fault| fault.at("/tracker_ref"))?;
        let set = set(cx, &tracker);
        let mut degraded = Vec::new();
        let mut keywords = BTreeMap::new();
        match &set {
            None => {
                let why = "the keyword set of this tracker was deleted, so volumes, tags and intents are not known";
                let other = json!({ "site_id": tracker.site_id });
                degraded.push(Degraded::new("keywords", why).supplied_by("keywords.set.list", other));
            }
            Some(set) => {
                for row in checked(cx, &set.id) {
                    let Keyword { keyword, normal, tags, chosen_intent, intent, volume, .. } = row.into_inner();
                    keywords.insert(normal, Known { keyword, volume, tags, intent: chosen_intent.or(intent) });
                }
            }
        }
        let host = host(&site);
        Ok(Self { cx, tracker, site, set, keywords, host, degraded })
    }

    /// The newest check up to a day.
    ///
    /// # Errors
    /// 409 `not_checked`, with the call that checks.
    pub(crate) fn newest(&self, up_to: Option<Day>) -> Result<Stored<Check>> {
        let all = self.cx.records::<Check>().by("tracker_date").equals(&self.tracker.id);
        let all = if let Some(day) = up_to { all.below(day.plus(1)) } else { all };
        all.descending().first().ok_or_else(|| self.not_checked(up_to))
    }

    fn not_checked(&self, up_to: Option<Day>) -> Fault {
        let first = Fix::new("rankings.check.run", json!({ "tracker_ref": self.tracker.id }));
        let (message, pointer) = match up_to {
            None => ("nothing was checked yet; call rankings.check.run or rankings.check.import first", "/tracker_ref"),
            Some(_) => ("nothing was checked up to this day; rankings.check.import brings earlier positions", "/date"),
        };
        Fault::conflict("not_checked", message).at(pointer).detail(json!(first))
    }

    /// The days of a report: from the argument, else the last 90.
    ///
    /// # Errors
    /// 422 `empty_period` at `/from`.
    pub(crate) fn period(&self, from: Option<Day>, to: Option<Day>) -> Result<(Day, Day)> {
        let to = to.unwrap_or_else(|| self.cx.now().day());
        let from = from.unwrap_or_else(|| to.plus(1 - DAYS));
        if from > to {
            return Err(Fault::invalid("/from", "empty_period", "the first day is after the last one"));
        }
        Ok((from, to))
    }

    /// The checks of a period, the earliest first. Of more rows than one answer reads, checks are left out evenly, never the
    /// last one, and told.
    ///
    /// # Errors
    /// 409 `not_checked` at `/from`, when there is none.
    pub(crate) fn checks(&mut self, (from, to): (Day, Day)) -> Result<Vec<Stored<Check>>> {
        let all = self.cx.records::<Check>().by("tracker_date").equals(&self.tracker.id);
        let all: Vec<Stored<Check>> = all.at_least(from).below(to.plus(1)).scan().collect();
        if all.is_empty() {
            let fault = self.not_checked(None);
            let asked = self.cx.records::<Check>().by("tracker_date").equals(&self.tracker.id).first();
            return Err(match asked {
                None => fault,
                Some(first) => {
                    let message = format!("no check is of this period; the first one is of {}", first.date);
                    Fault::conflict("not_checked", message).at("/from")
                }
            });
        }
        let (count, rows) = (all.len(), all.iter().map(|it| it.rows).sum::<u64>());
        let step = usize::try_from(rows.div_ceil(MAX_ROWS)).unwrap_or(1).max(1);
        // Counted from the end, so that the last one stays.
        let kept: Vec<Stored<Check>> =
            all.into_iter().enumerate().filter(|(at, _)| (count - 1 - at) % step == 0).map(|it| it.1).collect();
        if kept.len() < count {
            let why = format!(
                "{count} checks of this period have more positions than one answer reads; every {step}. of them is shown"
            );
            self.degraded.push(Degraded::new("checks", why));
        }
        Ok(kept)
    }

    /// The rows of a check, of the keywords that the tracker has now. Keywords that left the set keep their history, which
    /// `position.history.get` shows.
    ///
    /// # Errors
    /// 503 `storage_damaged`.
    pub(crate) fn rows(&self, check: &Check) -> Result<Rows> {
        let mut rows = rows::read(self.cx, check)?;
        if self.set.is_some() {
            rows.rows.retain(|it| self.keywords.contains_key(&it.keyword));
        }
        Ok(rows)
    }

    /// What a report of a check rests on: complete when every keyword has a row of that day.
    pub(crate) fn basis(&self, check: &Stored<Check>, rows: usize) -> Basis {
        let complete = !check.open && (self.set.is_none() || rows >= self.keywords.len());
        Basis::of_run(check.id.as_str(), Moment::from_millis(check.at_ms), self.cx.now(), complete)
    }

    /// Tells keywords of a check without an answer.
    pub(crate) fn tell_missing(&mut self, check: &Check, rows: usize) {
        let missing = self.keywords.len().saturating_sub(rows);
        if self.set.is_some() && missing > 0 {
            let why = format!("{missing} of {} keywords were not looked at on {}", self.keywords.len(), check.date);
            let run = json!({ "tracker_ref": self.tracker.id });
            self.degraded.push(Degraded::new("keywords", why).supplied_by("rankings.check.run", run));
        }
    }

    /// The language of the keywords, in two letters: that of their set.
    pub(crate) fn language(&self) -> String {
        let tag = self.set.as_ref().map_or(self.tracker.language.as_str(), |it| it.language.as_str());
        tag.split('-').next().unwrap_or_default().to_owned()
    }

    /// A keyword as it was given.
    pub(crate) fn shown(&self, normal: &str) -> String {
        self.keywords.get(normal).map_or_else(|| normal.to_owned(), |it| it.keyword.clone())
    }

    /// The searches of a keyword in a month.
    pub(crate) fn volume(&self, normal: &str) -> Option<u64> {
        self.keywords.get(normal)?.volume
    }

    /// The topics of keywords: the names of their clusters; else their first tags.
    pub(crate) fn topics(&self) -> BTreeMap<String, String> {
        let mut topics = BTreeMap::new();
        let clustered = self.set.as_ref().and_then(|set| Some((&set.id, set.clustered.as_ref()?.generation)));
        if let Some((set, generation)) = clustered {
            let all = self.cx.records::<Cluster>().by("set_generation_order").equals(set).equals(generation).scan();
            for cluster in all {
                for member in cluster.members.iter().filter(|it| self.keywords.contains_key(*it)) {
                    topics.insert(member.clone(), cluster.name.clone());
                }
            }
        }
        if topics.is_empty() {
            let tagged =
                self.keywords.iter().filter_map(|(normal, it)| Some((normal.clone(), it.tags.first()?.clone())));
            topics.extend(tagged);
        }
        topics
    }
}
