//! What happened near some days: annotations of the website, and updates that Google announced.

use sdk::prelude::*;
use site::Site;

/// An annotation, as `websites` keeps it.
#[foreign(collection = "websites.annotations", thing = "annotation", may_be_missing, index(site_id, date))]
pub(crate) struct Annotation {
    pub(crate) site_id: String,
    pub(crate) date: Day,
    pub(crate) title: String,
}

/// Checks that a period does not end before it begins.
///
/// # Errors
/// 422 `period_reversed` at `/from`.
pub(crate) fn in_order(from: Option<Day>, to: Option<Day>) -> Result<()> {
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        return Err(Fault::invalid("/from", "period_reversed", "`from` is not after `to`"));
    }
    Ok(())
}

/// Where an event is known from.
#[value]
pub(crate) enum Source {
    Annotation,
    GoogleUpdate,
}

/// Something that happened.
#[value]
pub(crate) struct Event {
    on: Day,
    title: String,
    source: Source,
}

/// Events that are named at most.
const MOST: usize = 10;

/// What happened from one day to another.
pub(crate) fn near(cx: &Cx, site: Option<&Id<Site>>, from: Day, to: Day) -> Vec<Event> {
    let mut out: Vec<Event> = Vec::new();
    if let Some(site) = site {
        let noted = cx.records::<Annotation>().by("site_id_date").equals(site).at_least(from).below(to.plus(1));
        let noted = noted.scan().take(MOST);
        out.extend(noted.map(|it| Event { on: it.date, title: it.title.clone(), source: Source::Annotation }));
    }
    for it in kit::updates::UPDATES {
        let day = |civil: kit::updates::Civil| Day::from_civil(civil.0, civil.1, civil.2);
        if let (Some(first), Some(last)) = (day(it.first), day(it.last))
            && first <= to
            && last >= from
        {
            out.push(Event { on: first, title: it.title.to_owned(), source: Source::GoogleUpdate });
        }
    }
    out.sort_by(|a, b| a.on.cmp(&b.on).then_with(|| a.title.cmp(&b.title)));
    out.truncate(MOST);
    out
}
