//! The operation `ai_visibility.trend.report`.

use std::collections::{BTreeMap, BTreeSet};

use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Degraded, Next, json};
use site::Site;

use crate::brand;
use crate::figures::breaks::{MIN_SEGMENT, Point, breaks};
use crate::figures::rate::{Rate, Repeats, rate};
use crate::measured::{self, Method};
use crate::run::{own_names, repeats};
use crate::stored::Tally;

/// An event of a website, as the websites module stores it.
#[foreign(collection = "websites.annotations", thing = "annotation", may_be_missing, index(site_id, date))]
pub(crate) struct Annotation {
    pub(crate) site_id: String,
    pub(crate) date: Day,
    pub(crate) title: String,
}

/// What is followed.
#[value]
pub(crate) enum Metric {
    /// The share of answers that name the website's brand.
    Mention,
    /// The website's share of all mentions, weighted by order.
    Share,
    /// The share of answers that cite a page of the website.
    Citation,
    /// How friendly answers are about the brand, from -1 to 1.
    Tone,
}

#[args]
pub(crate) struct Report {
    /// The website.
    site_id: Id<Site>,
    /// What is followed.
    #[default("mention")]
    metric: Metric,
    /// The first day; 90 days in all when left out.
    from: Option<Day>,
    /// The last day.
    to: Option<Day>,
}

/// A run in a series.
#[value]
pub(crate) struct At {
    /// The day on which the run began.
    date: Day,
    /// Null where no answer has the figure.
    value: Option<f64>,
    /// Of a share; null for tone.
    ci95: Option<[f64; 2]>,
    /// Answers that it is of.
    n: u64,
}

/// One line of the picture.
#[value]
pub(crate) struct Series {
    /// Null for all models together.
    model: Option<String>,
    /// Null for all topics together.
    topic: Option<String>,
    points: Vec<At>,
}

/// Something that changed near a change of level.
#[value]
pub(crate) struct Near {
    date: Day,
    what: What,
    detail: String,
}

/// What changed.
#[value]
pub(crate) enum What {
    /// A model answers under another name.
    Model,
    /// Prompts were added or removed.
    Prompts,
    /// An event of the website.
    Annotation,
}

/// A change of level.
#[value]
pub(crate) struct ChangePoint {
    model: Option<String>,
    topic: Option<String>,
    /// The day of the first run at the new level.
    date: Day,
    before: f64,
    after: f64,
    /// What else changed between the run before and this one.
    near: Vec<Near>,
}

/// The report.
#[value]
pub(crate) struct Reported {
    from: Day,
    to: Day,
    metric: Metric,
    /// All together first, then model by model and topic by topic; a run has no value where nothing was asked.
    series: Vec<Series>,
    change_points: Vec<ChangePoint>,
    /// Prompts that every run of the period asked: figures are of these alone.
    common_prompts: u64,
    sampling: Method,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Returns visibility metrics over time per model and topic with change points aligned to model changes and site annotations.
///
/// Figures are of the prompts that every run of the period asked; where no prompt is in all, of all, and that is said. A level has
/// three runs at least. Change points are the best segmentation under a binomial likelihood with a penalty of 3·ln(n) a change.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["AI visibility over time", "when did chatgpt begin to mention us", "did the model update change our visibility", "trend of citations in AI answers"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "metric": "citation", "from": "2026-01-01", "to": "2026-09-30" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Reported> {
    let site = site::get(cx, &args.site_id)?;
    brand::required(cx, &site)?;
    let (from, to) = measured::period(cx, args.from, args.to)?;
    let mut read = measured::tallies(cx, &site, from, to);
    let own = own_names(cx, site.id.as_str());
    let runs = runs(&read.tallies);
    let common = common(&read.tallies, &runs);
    let is_common = !common.is_empty();
    if !is_common && runs.len() > 1 {
        read.degraded
            .push(Degraded::new("series", "no prompt was asked in every run, so that a change may be one of prompts"));
    }
    let kept: Vec<&Tally> =
        read.tallies.iter().filter(|it| !is_common || common.contains(it.prompt.as_str())).collect();
    let mut series = vec![(None, None, line(&kept, &runs, args.metric, &own))];
    let models: BTreeSet<&str> = kept.iter().map(|it| it.model.as_str()).collect();
    if models.len() > 1 {
        for model in models {
            let some: Vec<&Tally> = kept.iter().copied().filter(|it| it.model == model).collect();
            series.push((Some(model.to_owned()), None, line(&some, &runs, args.metric, &own)));
        }
    }
    let topics: BTreeSet<&str> = kept.iter().map(|it| it.topic.as_str()).filter(|it| !it.is_empty()).collect();
    if topics.len() > 1 {
        for topic in topics {
            let some: Vec<&Tally> = kept.iter().copied().filter(|it| it.topic == topic).collect();
            series.push((None, Some(topic.to_owned()), line(&some, &runs, args.metric, &own)));
        }
    }
    let events = Events::of(cx, &site, from, to, &read.tallies, &runs);
    let mut change_points = Vec::new();
    for (model, topic, line) in &series {
        change_points.extend(changes(model.as_deref(), topic.as_deref(), line, &events, args.metric));
    }
    if runs.len() < 2 * MIN_SEGMENT && !runs.is_empty() {
        let why = format!("{} runs are in the period; a change of level needs six", runs.len());
        read.degraded.push(Degraded::new("change_points", why));
    }
    let mut next = Vec::new();
    if !runs.is_empty() {
        let arguments = json!({ "site_id": site.id, "from": from, "to": to });
        next.push(Next::new(
            "ai_visibility.share_of_voice.report",
            arguments,
            "tells which brands gained or lost in the period",
        ));
    }
    let shown = |(model, topic, line): (Option<String>, Option<String>, Line)| Series {
        model,
        topic,
        points: line.into_iter().map(|it| it.at).collect(),
    };
    let method =
        read.method("one value a run, nothing in between is made up; intervals as in ai_visibility.mention.report");
    Ok(Reported {
        from,
        to,
        metric: args.metric,
        series: series.into_iter().map(shown).collect(),
        change_points,
        common_prompts: common.len() as u64,
        sampling: method,
        next,
        degraded: read.degraded,
    })
}

/// A point with what a change is sought by.
struct Placed {
    at: At,
    point: Option<Point>,
}

type Line = Vec<Placed>;

/// Runs by when they began.
fn runs(tallies: &[Tally]) -> Vec<(u64, &str)> {
    let all: BTreeSet<(u64, &str)> = tallies.iter().map(|it| (it.at_ms, it.run.as_str())).collect();
    all.into_iter().collect()
}

/// Prompts that every run asked.
fn common<'a>(tallies: &'a [Tally], runs: &[(u64, &str)]) -> BTreeSet<&'a str> {
    let mut asked: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for tally in tallies {
        asked.entry(&tally.prompt).or_default().insert(&tally.run);
    }
    asked.into_iter().filter(|it| it.1.len() == runs.len()).map(|it| it.0).collect()
}

fn line(tallies: &[&Tally], runs: &[(u64, &str)], metric: Metric, own: &[String]) -> Line {
    let mut by_run: BTreeMap<&str, Vec<&Tally>> = BTreeMap::new();
    for tally in tallies {
        by_run.entry(&tally.run).or_default().push(tally);
    }
    let none = Vec::new();
    let of = |(at_ms, run): &(u64, &str)| {
        let some = by_run.get(run).unwrap_or(&none);
        let date = Moment::from_millis(*at_ms).day();
        if metric == Metric::Tone {
            let brands = || some.iter().flat_map(|it| &it.brands).filter(|it| own.contains(&it.brand));
            let n: u64 = brands().map(|it| u64::from(it.toned)).sum();
            let sum: f64 = brands().map(|it| it.tone).sum();
            let value = (n > 0).then(|| round(sum / kit::number::as_number(n), 4));
            // Tone as a share: from -1..1 to 0..1.
            let point = value.map(|it| Point {
                hits: f64::midpoint(it, 1.0) * kit::number::as_number(n),
                n: kit::number::as_number(n),
            });
            return Placed { at: At { date, value, ci95: None, n }, point };
        }
        let found = rate(&shares(some, metric, own));
        let point = found.as_ref().map(|it| Point { hits: it.rate * it.sample.n_eff, n: it.sample.n_eff });
        Placed { at: at(date, found.as_ref()), point }
    };
    runs.iter().map(of).collect()
}

fn at(date: Day, rate: Option<&Rate>) -> At {
    At { date, value: rate.map(|it| it.rate), ci95: rate.map(|it| it.ci95), n: rate.map_or(0, |it| it.sample.answers) }
}

/// What each prompt has of a metric.
fn shares(tallies: &[&Tally], metric: Metric, own: &[String]) -> Vec<Repeats> {
    let mut prompts: BTreeMap<&str, Repeats> = BTreeMap::new();
    for tally in tallies {
        let one = match metric {
            Metric::Mention | Metric::Tone => repeats(tally, own),
            Metric::Citation => Repeats { hits: f64::from(tally.cite_own), answers: u64::from(tally.answers) },
            Metric::Share => {
                let hits = tally.brands.iter().filter(|it| own.contains(&it.brand)).map(|it| it.share).sum();
                Repeats { hits, answers: u64::from(tally.with_brands) }
            }
        };
        let sum = prompts.entry(&tally.prompt).or_default();
        sum.hits += one.hits;
        sum.answers += one.answers;
    }
    prompts.into_values().collect()
}

/// What changes beside figures, by day.
struct Events(Vec<Near>);

impl Events {
    fn of(cx: &Cx, site: &Stored<Site>, from: Day, to: Day, tallies: &[Tally], runs: &[(u64, &str)]) -> Self {
        let mut out: Vec<Near> = Vec::new();
        let rows = cx.records::<Annotation>().by("site_id_date").equals(&site.id).at_least(from).below(to.plus(1));
        let near =
            |it: Stored<Annotation>| Near { date: it.date, what: What::Annotation, detail: it.into_inner().title };
        out.extend(rows.scan().take(500).map(near));
        let of = |run: &str, part: fn(&Tally) -> &str| {
            tallies.iter().filter(|it| it.run == run).map(part).collect::<BTreeSet<&str>>()
        };
        for pair in runs.windows(2) {
            let date = Moment::from_millis(pair[1].0).day();
            let (before, after) = (of(pair[0].1, |it| &it.model), of(pair[1].1, |it| &it.model));
            for model in after.difference(&before) {
                let detail = format!("answers come from `{model}`, which the run before did not have");
                out.push(Near { date, what: What::Model, detail });
            }
            let (before, after) = (of(pair[0].1, |it| &it.prompt), of(pair[1].1, |it| &it.prompt));
            let (new, gone) = (after.difference(&before).count(), before.difference(&after).count());
            if new + gone > 0 {
                let detail = format!("{new} prompts are new and {gone} are no longer asked");
                out.push(Near { date, what: What::Prompts, detail });
            }
        }
        Self(out)
    }

    /// Those after one day, up to another.
    fn between(&self, after: Day, to: Day) -> Vec<Near> {
        let holds = |it: &&Near| after < it.date && it.date <= to;
        let copy = |it: &Near| Near { date: it.date, what: it.what, detail: it.detail.clone() };
        self.0.iter().filter(holds).map(copy).collect()
    }
}

fn changes(model: Option<&str>, topic: Option<&str>, line: &Line, events: &Events, metric: Metric) -> Vec<ChangePoint> {
    let known: Vec<&Placed> = line.iter().filter(|it| it.point.is_some()).collect();
    let points: Vec<Point> = known.iter().filter_map(|it| it.point).collect();
    let found = breaks(&points);
    let edges: Vec<usize> = std::iter::once(0).chain(found.iter().copied()).chain([points.len()]).collect();
    let level = |from: usize, to: usize| {
        let (hits, n) = points[from..to].iter().fold((0.0, 0.0), |sum, it| (sum.0 + it.hits, sum.1 + it.n));
        let share = if n > 0.0 { hits / n } else { 0.0 };
        round(if metric == Metric::Tone { 2.0 * share - 1.0 } else { share }, 4)
    };
    let change = |edge: &[usize]| ChangePoint {
        model: model.map(str::to_owned),
        topic: topic.map(str::to_owned),
        date: known[edge[1]].at.date,
        before: level(edge[0], edge[1]),
        after: level(edge[1], edge[2]),
        near: events.between(known[edge[1] - 1].at.date, known[edge[1]].at.date),
    };
    edges.windows(3).map(change).collect()
}
