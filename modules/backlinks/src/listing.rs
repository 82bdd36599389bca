//! Lists of links and of domains, with typed filters.

use filter::{Condition, Field, Filter, Kind};
use sdk::prelude::*;
use sdk::serde_json::{Value, json};

use crate::given::day;
use crate::link::{Link, flag};
use crate::looked::{Look, State};
use crate::profile::form;

/// The fields of links that filters and orders name.
pub(crate) const LINK_FIELDS: [Field; 17] = [
    ("source", Kind::Text),
    ("domain", Kind::Text),
    ("target", Kind::Text),
    ("anchor", Kind::Text),
    ("title", Kind::Text),
    ("form", Kind::Text),
    ("followed", Kind::Flag),
    ("nofollow", Kind::Flag),
    ("lost", Kind::Flag),
    ("marked_spam", Kind::Flag),
    ("first_seen", Kind::Text),
    ("last_seen", Kind::Text),
    ("rating", Kind::Number),
    ("language", Kind::Text),
    ("verified", Kind::Flag),
    ("live", Kind::Flag),
    ("placement", Kind::Text),
];

/// The value of a link's field; nothing where no tool says it, or nobody looked.
pub(crate) fn value(link: &Link, look: Option<&Look<'_>>, field: &str) -> Option<Value> {
    let value = match field {
        "source" => json!(link.source),
        "domain" => json!(link.domain()),
        "target" if link.target.is_empty() => Value::Null,
        "target" => json!(link.target),
        "anchor" => json!(link.anchor),
        "title" => json!(link.title),
        "form" => json!(form(link)),
        "followed" => json!(link.is_followed()),
        "nofollow" => json!(link.has(flag::NOFOLLOW)),
        "lost" => json!(link.is_lost()),
        "marked_spam" => json!(link.has(flag::SPAM)),
        "first_seen" => json!(day(link.first)),
        "last_seen" => json!(day(link.last)),
        "rating" => json!(rating(link)),
        "language" => json!(link.language),
        "verified" => json!(look.is_some_and(|it| it.link.state != State::Unknown)),
        "live" => json!(look.filter(|it| it.link.state != State::Unknown).map(|it| it.link.state == State::Live)),
        "placement" => json!(look.map(|it| it.link.placement.as_str()).filter(|it| !it.is_empty())),
        _ => Value::Null,
    };
    (!value.is_null()).then_some(value)
}

/// The highest rating that a tool gives the domain.
pub(crate) fn rating(link: &Link) -> Option<u8> {
    link.ratings.into_iter().flatten().max()
}

/// The conditions of an argument, checked.
///
/// # Errors
/// 422 at the condition.
pub(crate) fn conditions(given: Option<&List<Condition, 0, 8>>, fields: &[Field]) -> Result<Filter> {
    Filter::new(&given.map(|it| it.to_vec()).unwrap_or_default(), fields)
}
