//! Files for crawlers: robots.txt and sitemaps.

use std::collections::BTreeMap;

use kit::number::as_number;
use robots::Robots;
use sdk::prelude::*;

use super::look::{Answered, Change, Looked, differences, no_page};
use super::page::compared;
use crate::event::stored::{EventKind, read};
use crate::monitor::stored::{Monitor, Seen};

/// The part of its addresses that a sitemap may lose before that is a warning.
const SHRINKS: f64 = 0.2;

/// Whether the rules for crawlers are others, and whether they shut the front page out.
pub(super) fn robots(cx: &Cx, monitor: &Stored<Monitor>, answer: &Answered) -> Looked {
    let (status, body): (u16, &[u8]) = answer.as_ref().map_or((0, &[]), |it| (it.status, &it.body));
    if status == 0 || status >= 500 || status == 429 {
        let why = no_page(answer).unwrap_or_else(|| format!("status {status}"));
        return Looked::wrong(EventKind::StatusError, format!("{why}: crawlers take that for a ban of everything"));
    }
    let text = if status < 300 { String::from_utf8_lossy(body).into_owned() } else { String::new() };
    let mut looked = compared(cx, monitor, &text, EventKind::RobotsChanged);
    let front = front(&monitor.target);
    let opens = |text: &str| Robots::parse(text.as_bytes(), "Googlebot").allows(&front);
    if let Some(change) = &mut looked.change
        && !opens(&text)
        && monitor.seen.as_ref().is_some_and(|it| opens(&read(cx, it.snapshot.as_deref()).unwrap_or_default()))
    {
        change.kind = EventKind::RobotsBlocked;
        change.seen = format!("Googlebot may not fetch {front} any more; {}", change.seen);
    }
    looked
}

fn front(robots: &str) -> String {
    robots.strip_suffix("robots.txt").unwrap_or(robots).to_owned()
}

/// Whether a sitemap is there and what it names.
pub(super) fn sitemap(monitor: &Monitor, answer: &Answered) -> Looked {
    if let Some(why) = no_page(answer) {
        return Looked::wrong(EventKind::SitemapMissing, why);
    }
    let Ok(answer) = answer else { return Looked::default() };
    let file = kit::sitemap::read(&answer.body);
    let named = file.urls.len() + file.sitemaps.len();
    if named == 0 {
        return Looked::wrong(EventKind::SitemapMissing, "the file names no address");
    }
    let mut all: Vec<&str> = file.urls.iter().chain(&file.sitemaps).map(|it| it.url.as_str()).collect();
    all.sort_unstable();
    all.dedup();
    let hash = kit::text::hex(&kit::text::sha256(all.join("\n").as_bytes()));
    let fields = BTreeMap::from([
        ("addresses".to_owned(), file.urls.len().to_string()),
        ("files".to_owned(), file.sitemaps.len().to_string()),
    ]);
    let now = as_number(named as u64);
    let seen = Seen { hash, fields, number: Some(now), ..Seen::default() };
    let Some(before) = &monitor.seen else { return Looked { seen: Some((seen, None)), ..Looked::default() } };
    if before.hash == seen.hash {
        return Looked::default();
    }
    let was = before.number.unwrap_or(0.0);
    let kind = if now < was * (1.0 - SHRINKS) { EventKind::SitemapShrunk } else { EventKind::SitemapChanged };
    let fields = differences(&before.fields, &seen.fields);
    let words = if fields.is_empty() {
        format!("{named} addresses, some of them others than before")
    } else {
        format!("{named} addresses, {was} before")
    };
    let change = Change { kind, seen: words, fields };
    Looked { change: Some(change), seen: Some((seen, None)), ..Looked::default() }
}
