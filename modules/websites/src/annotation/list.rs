//! The operation `websites.annotation.list`.

use std::cmp::Reverse;

use sdk::prelude::*;

use super::updates::{self, UPDATES, Update};
use super::{Annotation, Kind};
use crate::segment::Segment;
use crate::stored::Website;

#[args(paged)]
pub(crate) struct ListAnnotations {
    /// The website, as listed.
    site_id: Id<Website>,
    /// Only this kind; `search_update` has the known updates of Google too.
    kind: Option<Kind>,
    /// Only from this day on; an update that was still rolling out then is there too.
    from: Option<Day>,
    /// Only up to this day.
    to: Option<Day>,
}

/// Where an event is known from.
#[value]
pub(crate) enum Source {
    /// It was recorded for this website.
    Recorded,
    /// Google announced it on its Search Status Dashboard, or before there was one on its search blog.
    Google,
}

/// One event.
#[value]
pub(crate) struct Event {
    /// The reference of a recorded one.
    annotation_ref: Option<Id<Annotation>>,
    /// The day, or the first day of an update.
    date: Day,
    /// The last day of an update's rollout.
    end_date: Option<Day>,
    /// What happened.
    title: String,
    /// What kind of event it is.
    kind: Kind,
    /// Where it is known from.
    source: Source,
    /// Where the source can be read.
    source_url: Option<String>,
    /// The part of the website that it touches.
    segment_ref: Option<Id<Segment>>,
    /// More about it.
    note: Option<String>,
}

/// Events, the newest first.
#[page]
pub(crate) struct Events {
    /// Recorded events and known updates together.
    annotations: Vec<Event>,
}

/// Lists website events and known search-engine updates in a period.
///
/// The updates are those of Google that this version knows, each with the days of its rollout; newer ones may be missing.
#[operation(
    read,
    scope = "websites:read",
    cost = list,
    phrasings = [
        "what happened to my website in spring",
        "was there a google update last month",
        "list releases and migrations of my site",
        "which events could explain the traffic drop",
    ],
    examples = [
        { "site_id": "4503599627370496", "from": "2026-01-01", "to": "2026-06-30" },
        { "site_id": "4503599627370496", "kind": "search_update", "limit": 10 },
    ]
)]
pub(crate) fn list(cx: &Cx, args: ListAnnotations) -> Result<Events> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    if let (Some(from), Some(to)) = (args.from, args.to)
        && from > to
    {
        return Err(Fault::invalid("/from", "period_reversed", "`from` is not after `to`"));
    }
    let after = args.cursor.as_ref().map(place_of).transpose()?;
    let limit = usize::from(args.limit);
    let goes_on = |place: &Place| after.as_ref().is_none_or(|after| place > after);
    let mut events: Vec<(Place, Event)> = UPDATES
        .iter()
        .enumerate()
        .filter(|(_, it)| {
            updates::touches(it, args.from, args.to) && args.kind.is_none_or(|kind| kind == Kind::SearchUpdate)
        })
        .map(|(number, it)| (Place(Reverse(updates::rollout(it).0), 1, Reverse(number.to_string())), known(it)))
        .filter(|(place, _)| goes_on(place))
        .collect();
    let mut query = cx.records::<Annotation>().by("site_id_date").equals(&site.id).descending();
    // A page goes on at the day that the one before ended on.
    let last = [args.to, after.as_ref().map(|it| it.0.0)].into_iter().flatten().min();
    if let Some(last) = last {
        query = query.below(last.plus(1));
    }
    if let Some(from) = args.from {
        query = query.at_least(from);
    }
    let own = query.scan().filter(|it| args.kind.is_none_or(|kind| kind == it.kind)).map(|it| {
        let place = Place(Reverse(it.date), 0, Reverse(it.id.to_string()));
        (place, recorded(it))
    });
    events.extend(own.filter(|(place, _)| goes_on(place)).take(limit + 1));
    events.sort_by(|a, b| a.0.cmp(&b.0));
    let more = events.len() > limit;
    events.truncate(limit);
    let next_cursor = events.last().filter(|_| more).map(|(place, _)| place.cursor());
    Ok(Events { annotations: events.into_iter().map(|(_, event)| event).collect(), next_cursor })
}

/// Where an event stands in the list: the newest day first, what was recorded before what Google announced, the newest
/// of a day first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place(Reverse<Day>, u8, Reverse<String>);

impl Place {
    fn cursor(&self) -> Cursor {
        Cursor::new(format!("{}.{}.{}", self.0.0, self.1, self.2.0))
    }
}

fn place_of(cursor: &Cursor) -> Result<Place> {
    let read = || {
        let mut parts = cursor.as_str().splitn(3, '.');
        let day = parts.next()?.parse().ok()?;
        let source = parts.next()?.parse().ok().filter(|it| *it < 2)?;
        Some(Place(Reverse(day), source, Reverse(parts.next()?.to_owned())))
    };
    read().ok_or_else(sdk::invalid_cursor)
}

fn recorded(it: Stored<Annotation>) -> Event {
    let Stored { id, it, .. } = it;
    Event {
        annotation_ref: Some(id),
        date: it.date,
        end_date: None,
        title: it.title,
        kind: it.kind,
        source: Source::Recorded,
        source_url: None,
        segment_ref: it.segment_ref,
        note: it.note,
    }
}

fn known(it: &Update) -> Event {
    let (start, end) = updates::rollout(it);
    Event {
        annotation_ref: None,
        date: start,
        end_date: Some(end),
        title: it.title.to_owned(),
        kind: Kind::SearchUpdate,
        source: Source::Google,
        source_url: Some(updates::SOURCE.to_owned()),
        segment_ref: None,
        note: None,
    }
}
