//! The operation `listings.post.list`.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Degraded, Fix, json};

use super::read::{Type, posts};
use super::stored::{OwnPost, State as OwnState, foreign, schedule_name};
use crate::place::Place;
use crate::stored::Location;

/// Links that one call looks at.
const LINKS: usize = 25;
/// Own posts that are read.
const MOST: usize = 500;

#[args(paged)]
pub(crate) struct Listing {
    /// The location, as listed.
    location_ref: Id<Location>,
}

/// Where a post stands.
#[value]
pub(crate) enum State {
    /// It is made at its moment.
    Scheduled,
    /// Its moment has passed and it was not made.
    Failed,
    Live,
    /// Google looks into it.
    Processing,
    /// Google refuses it.
    Rejected,
    Unknown,
}

/// A post.
#[value]
pub(crate) struct Row {
    post_ref: Id<OwnPost>,
    #[serde(rename = "type")]
    kind: Type,
    state: State,
    /// Why a scheduled one was not made.
    #[own]
    reason: Option<String>,
    text: String,
    /// When it was or will be published.
    published_at: Option<Moment>,
    /// Of an event or offer.
    start: Option<Day>,
    end: Option<Day>,
    link: Option<String>,
    /// The status that the link answers with; null where it was not asked or did not answer.
    link_status: Option<u16>,
    /// Whether the link leads somewhere; null where it was not asked.
    link_ok: Option<bool>,
    fix: Option<Fix>,
}

/// Posts.
#[page]
pub(crate) struct Rows {
    /// The newest first, scheduled ones before.
    posts: Vec<Row>,
    total: u64,
    degraded: Vec<Degraded>,
}

/// Lists posts with type, state, dates and link health.
///
/// Links of the posts that are shown are asked, at most 25. The newest 400 posts are read.
#[operation(
    read,
    scope = "assets:read",
    cost = live(most = 30),
    needs = ["store", "web", "connection:google_business_profile"],
    outside = ["google_business_profile.v4 GET /v4/accounts/*/locations/*/localPosts"],
    phrasings = ["list my google posts", "which posts are scheduled", "are the links of my google posts alive"],
    examples = [{ "location_ref": "108800001.4503600001.con_1" }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    let place = Place::find(cx, &args.location_ref, "/location_ref")?;
    let (there, more) = posts(cx, &place, 4)?;
    let own = cx.records::<OwnPost>().by("location_state_at_ms").equals(&args.location_ref);
    let own: Vec<Stored<OwnPost>> = own.scan().take(MOST).collect();
    let names: BTreeMap<&str, &Id<OwnPost>> = own.iter().filter_map(|it| Some((it.name.as_deref()?, &it.id))).collect();
    let mut rows: Vec<Row> =
        own.iter().filter(|it| it.state == OwnState::Scheduled).map(|it| scheduled(cx, it)).collect();
    rows.sort_by_key(|it| it.published_at);
    rows.extend(there.into_iter().map(|it| {
        let post_ref = names
            .get(it.name.as_str())
            .map_or_else(|| foreign(args.location_ref.as_str(), &it.name), |it| (*it).clone());
        Row {
            post_ref,
            kind: it.kind,
            state: match it.state.as_str() {
                "LIVE" => State::Live,
                "PROCESSING" => State::Processing,
                "REJECTED" => State::Rejected,
                _ => State::Unknown,
            },
            reason: None,
            text: it.text,
            published_at: it.created_at,
            start: it.start,
            end: it.end,
            link: it.link,
            link_status: None,
            link_ok: None,
            fix: None,
        }
    }));
    let total = rows.len() as u64;
    let mut page = args.window(rows)?;
    look_at_links(cx, &mut page.items);
    let degraded = more.then(|| Degraded::new("posts", "the newest 400 posts are read")).into_iter().collect();
    Ok(Rows { posts: page.items, next_cursor: page.next, total, degraded })
}

fn scheduled(cx: &Cx, it: &Stored<OwnPost>) -> Row {
    let entry = cx.schedules().once(&schedule_name(it.id.as_str()));
    let waits = entry.as_ref().is_some_and(|it| it.next.is_some());
    let reason = match entry {
        _ if waits => None,
        Some(it) => it.stopped.or(it.outcome),
        None => Some("schedule_removed".to_owned()),
    };
    Row {
        post_ref: it.id.clone(),
        kind: it.kind,
        state: if waits { State::Scheduled } else { State::Failed },
        reason,
        text: it.text.clone(),
        published_at: Some(Moment::from_millis(it.at_ms)),
        start: None,
        end: None,
        link: it.link.clone(),
        link_status: None,
        link_ok: None,
        fix: None,
    }
}

/// Asks the links: HEAD first, GET where a server takes no HEAD.
fn look_at_links(cx: &Cx, rows: &mut [Row]) {
    let links: Vec<(usize, Url)> = rows
        .iter()
        .enumerate()
        .filter_map(|(at, it)| Some((at, it.link.as_ref()?.parse().ok()?)))
        .take(LINKS)
        .collect();
    let ask = |url: &Url| Request::head(url).follow(5).timeout(8_000);
    let mut answers = cx.web().fetch_many(links.iter().map(|(_, url)| ask(url)));
    let again: Vec<usize> = (0..links.len())
        .filter(|at| answers[*at].as_ref().is_ok_and(|it| matches!(it.status, 403 | 405 | 501)))
        .collect();
    let second = again.iter().map(|at| Request::get(&links[*at].1).follow(5).max_bytes(4_096).timeout(8_000));
    for (at, answer) in again.iter().zip(cx.web().fetch_many(second)) {
        answers[*at] = answer;
    }
    for ((at, url), answer) in links.iter().zip(answers) {
        let row = &mut rows[*at];
        row.link_status = answer.as_ref().ok().map(|it| it.status);
        row.link_ok = match &answer {
            Ok(it) => Some(it.is_success()),
            // Whether it is alive for others is not known.
            Err(
                Failure::Disallowed | Failure::Paced(_) | Failure::Refused | Failure::Timeout | Failure::Unreachable,
            ) => None,
            Err(_) => Some(false),
        };
        if row.link_ok == Some(false) {
            let arguments = json!({ "url": url });
            row.fix = Fix::new("indexing.url.check", arguments).if_served();
        }
    }
}

use sdk::Failure;
