//! `websites.annotation.*`, what happened to a website and in search, by date;
//! here what is kept of an event, and `websites.annotation.add`.

pub(crate) mod list;
mod updates;

use sdk::prelude::*;

use crate::segment::Segment;
use crate::stored::Website;

/// The most events of one website: what one list may look through.
const MOST: u64 = 2_000;
/// How far ahead an event can be, in days.
const AHEAD: i32 = 366;

/// What kind of event it is.
#[value]
pub(crate) enum Kind {
    /// A new version of the website went live.
    Release,
    /// Content was added, changed or taken away.
    Content,
    /// A change below the surface: a migration, a server, redirects.
    Technical,
    /// A campaign began or ended.
    Campaign,
    /// A search engine changed its ranking.
    SearchUpdate,
    /// The website, or a part of it, was not reachable.
    Outage,
}

/// An event of a website. Other modules read it by website and date.
#[record(collection = "annotations", index(site_id, date))]
pub(crate) struct Annotation {
    /// The website.
    pub(crate) site_id: Id<Website>,
    /// The day, in UTC.
    pub(crate) date: Day,
    /// What happened, in a few words.
    pub(crate) title: String,
    /// What kind of event it is.
    pub(crate) kind: Kind,
    /// The part of the website that it touches; null when that is all of it.
    pub(crate) segment_ref: Option<Id<Segment>>,
    /// More about it.
    pub(crate) note: Option<String>,
    /// When it was recorded.
    pub(crate) created_at: Moment,
}

#[args]
pub(crate) struct Add {
    /// The website, as listed.
    site_id: Id<Website>,
    /// The day it happened, or will, at most a year ahead.
    date: Day,
    /// What happened, in a few words.
    title: Text<1, 120>,
    /// What kind of event it is.
    kind: Kind,
    /// The segment that it touches, when that is not the whole website.
    segment_ref: Option<Id<Segment>>,
    /// More about it.
    note: Option<Text<1, 1_000>>,
}

/// A recorded event.
#[value]
pub(crate) struct Added {
    /// Its reference.
    annotation_ref: Id<Annotation>,
}

/// Records a dated event (release, migration, content push, outage, search update) with affected segment so later charts and impact analyses can use it.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["stores an event"],
    phrasings = [
        "note that we relaunched the site today",
        "mark a migration in the timeline",
        "record an outage of my website",
        "remember when the campaign started",
    ],
    examples = [
        { "site_id": "4503599627370496", "date": "2026-09-28", "title": "New product pages", "kind": "release" },
        { "site_id": "4503599627370496", "date": "2026-09-01", "title": "Moved to a new host", "kind": "technical", "note": "TTFB halved" },
    ]
)]
pub(crate) fn add(cx: &Cx, args: Add) -> Result<Added> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    if args.date > cx.now().day().plus(AHEAD) {
        return Err(Fault::invalid("/date", "date_too_far", "an event is at most a year ahead"));
    }
    let title = kit::text::collapse(args.title.as_str());
    if title.is_empty() {
        return Err(Fault::invalid("/title", "empty_title", "say in a few words what happened"));
    }
    if let Some(segment) = &args.segment_ref {
        let missing = || Fault::not_found("segment_not_found", "this website has no such segment").at("/segment_ref");
        cx.records::<Segment>().find(segment).filter(|it| it.site_id == site.id).ok_or_else(missing)?;
    }
    let annotations = cx.records::<Annotation>();
    if annotations.by("site_id_date").equals(&site.id).count() >= MOST {
        return Err(Fault::conflict("too_many_annotations", format!("a website has at most {MOST} events")));
    }
    let stored = annotations.insert(Annotation {
        site_id: site.id,
        date: args.date,
        title,
        kind: args.kind,
        segment_ref: args.segment_ref,
        note: args.note.map(Text::into_string),
        created_at: cx.now(),
    })?;
    Ok(Added { annotation_ref: stored.id })
}

#[cfg(test)]
mod tests;
