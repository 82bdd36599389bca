//! What links were visited, read hit by hit and judged: every number that people are shown comes from here.

use std::collections::{BTreeMap, HashSet};

use campaign::privacy;
use sdk::Degraded;
use sdk::Hit;
use sdk::prelude::*;

use crate::hits::{self, Rule};
use crate::stored::Link;

/// Hits asked for at once.
const PAGE: u32 = 1_000;
/// Pages of hits that one call reads of all its links; each link has one at least.
const PAGES: usize = 60;

/// One hit, judged.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    /// The link, by its place in what was asked.
    pub(crate) link: usize,
    /// What came.
    pub(crate) hit: Hit,
    /// Why it is no visit.
    pub(crate) rule: Option<Rule>,
}

/// All hits of some links, judged link by link.
#[derive(Debug, Clone, Default)]
pub(crate) struct Measured {
    /// In the order of links and moments.
    pub(crate) hits: Vec<Judged>,
    /// Whether there are more than were read.
    cut: bool,
    /// Pages that were read of each link at most.
    pages: usize,
}

/// Visits and visitors, withheld while they would point at fewer than five people.
#[value]
#[derive(Default)]
pub(crate) struct Visits {
    /// Visits, automated traffic removed.
    pub(crate) visits: Option<u64>,
    /// Visitors, counted anew each day: the salt of their names is gone after it.
    pub(crate) unique: Option<u64>,
}

/// The visits of one UTC day.
#[value]
pub(crate) struct OnDay {
    /// The day.
    pub(crate) date: Day,
    /// Visits; none while fewer than five people came.
    pub(crate) visits: Option<u64>,
    /// Visitors; none while fewer than five.
    pub(crate) unique: Option<u64>,
}

/// Reads the hits of links and judges them. A day that is asked for is judged with the hours before it.
pub(crate) fn read(cx: &Cx, links: &[Stored<Link>], from: Day, to: Day) -> Measured {
    let mut measured = Measured { pages: (PAGES / links.len().max(1)).max(1), ..Measured::default() };
    for (link, code) in links.iter().enumerate().filter_map(|(at, link)| Some((at, link.code.as_deref()?))) {
        let (hits, cut) = all(cx, code, measured.pages);
        measured.cut |= cut;
        let rules = hits::judge(&hits);
        let within = |hit: &Hit| (from..=to).contains(&Moment::from_millis(hit.at).day());
        let judged = hits.into_iter().zip(rules).filter(|(hit, _)| within(hit));
        measured.hits.extend(judged.map(|(hit, rule)| Judged { link, hit, rule }));
    }
    measured
}

fn all(cx: &Cx, code: &str, pages: usize) -> (Vec<Hit>, bool) {
    let (mut hits, mut after) = (Vec::new(), None);
    for _ in 0..pages {
        let page = cx.links().hits(code, after.as_deref(), PAGE);
        hits.extend(page.hits);
        after = page.next;
        if after.is_none() {
            return (hits, false);
        }
    }
    (hits, true)
}

impl Measured {
    /// The hits that are visits.
    pub(crate) fn people(&self) -> impl Iterator<Item = &Judged> {
        self.hits.iter().filter(|it| it.rule.is_none())
    }

    /// Visits and visitors of all links together.
    pub(crate) fn visits(&self) -> Visits {
        counted(self.people())
    }

    /// Visits and visitors of one link.
    pub(crate) fn of(&self, link: usize) -> Visits {
        counted(self.people().filter(|it| it.link == link))
    }

    /// The share of all hits that were no visits, 0 to 1; none without hits.
    #[expect(clippy::cast_precision_loss, reason = "counts of hits are far below 2^53")]
    pub(crate) fn filtered_share(&self) -> Option<f64> {
        let filtered = self.hits.iter().filter(|it| it.rule.is_some()).count();
        (!self.hits.is_empty()).then(|| kit::statistics::round(filtered as f64 / self.hits.len() as f64, 4))
    }

    /// Hits by the rule that each fell under.
    pub(crate) fn by_rule(&self) -> BTreeMap<String, u64> {
        hits::counts(self.hits.iter().map(|it| it.rule))
    }

    /// Visits by day; days without any are left out.
    pub(crate) fn series(&self) -> Vec<OnDay> {
        let mut days: BTreeMap<Day, Vec<&Judged>> = BTreeMap::new();
        for it in self.people() {
            days.entry(Moment::from_millis(it.hit.at).day()).or_default().push(it);
        }
        let day = |(date, hits): (Day, Vec<&Judged>)| {
            let Visits { visits, unique } = counted(hits.into_iter());
            OnDay { date, visits, unique }
        };
        days.into_iter().map(day).collect()
    }

    /// Visitors by a property of their hits, groups of fewer than five left out; and how many groups were.
    pub(crate) fn groups(&self, of: impl Fn(&Hit) -> String) -> (Vec<(String, u64)>, u64) {
        let mut groups: BTreeMap<String, HashSet<(Day, &str)>> = BTreeMap::new();
        for it in self.people() {
            groups.entry(of(&it.hit)).or_default().insert(person(&it.hit));
        }
        privacy::groups(groups.into_iter().map(|(name, people)| (name, people.len() as u64)).collect())
    }

    /// What the numbers could not say.
    pub(crate) fn degraded(&self) -> Vec<Degraded> {
        let mut degraded = vec![
            Degraded::new("countries", "no address of a visitor is kept, so no country is known"),
            Degraded::new(
                "data_centres",
                "no address of a visitor is kept, so data-centre ranges are unknown; programs are found by what they do",
            ),
        ];
        if self.cut {
            degraded.push(Degraded::new(
                "hits",
                format!("only the first {} hits of each link were read", self.pages * PAGE as usize),
            ));
        }
        degraded
    }
}

fn person(hit: &Hit) -> (Day, &str) {
    (Moment::from_millis(hit.at).day(), hit.visitor.as_str())
}

fn counted<'a>(hits: impl Iterator<Item = &'a Judged>) -> Visits {
    let (mut visits, mut people) = (0, HashSet::new());
    for it in hits {
        visits += 1;
        people.insert(person(&it.hit));
    }
    let unique = privacy::shown(people.len() as u64);
    Visits { visits: unique.map(|_| visits), unique }
}

/// The days that are asked about: up to today, and from `otherwise` where nothing is said.
///
/// # Errors
/// 422 `range_backwards` and `range_too_long`, at `/to`.
pub(crate) fn range(cx: &Cx, from: Option<Day>, to: Option<Day>, otherwise: Day) -> Result<(Day, Day)> {
    let to = to.unwrap_or_else(|| cx.now().day());
    let from = from.unwrap_or_else(|| otherwise.min(to));
    if to < from {
        return Err(Fault::invalid("/to", "range_backwards", "the last day must not be before the first one"));
    }
    if to.since_epoch() - from.since_epoch() > 366 {
        return Err(Fault::invalid("/to", "range_too_long", "at most 366 days can be asked about at once"));
    }
    Ok((from, to))
}
