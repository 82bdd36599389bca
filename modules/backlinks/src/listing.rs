//! Lists of links and of domains, with typed filters.

use filter::{Condition, Field, Filter, Kind};
use sdk::prelude::*;
use sdk::serde_json::{Map, Value, json};

use crate::given::day;
use crate::link::{Link, flag};
use crate::profile::form;

/// The fields of links that filters and orders name.
pub(crate) const LINK_FIELDS: [Field; 14] = [
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
];

/// The values of a link by field.
pub(crate) fn values(link: &Link) -> Map<String, Value> {
    let mut out = Map::new();
    let mut put = |name: &str, value: Value| {
        if !value.is_null() {
            out.insert(name.to_owned(), value);
        }
    };
    put("source", json!(link.source));
    put("domain", json!(link.domain()));
    put("target", if link.target.is_empty() { Value::Null } else { json!(link.target) });
    put("anchor", json!(link.anchor));
    put("title", json!(link.title));
    put("form", json!(form(link)));
    put("followed", json!(link.is_followed()));
    put("nofollow", json!(link.has(flag::NOFOLLOW)));
    put("lost", json!(link.is_lost()));
    put("marked_spam", json!(link.has(flag::SPAM)));
    put("first_seen", json!(day(link.first)));
    put("last_seen", json!(day(link.last)));
    put("rating", json!(rating(link)));
    put("language", json!(link.language));
    out
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

/// How two rows stand by a field; what has none stands last.
pub(crate) fn by(
    field: &str,
    greatest_first: bool,
    a: &Map<String, Value>,
    b: &Map<String, Value>,
) -> std::cmp::Ordering {
    let order = match (a.get(field), b.get(field)) {
        (None, None) => return std::cmp::Ordering::Equal,
        (None, Some(_)) => return std::cmp::Ordering::Greater,
        (Some(_), None) => return std::cmp::Ordering::Less,
        (Some(Value::Number(a)), Some(Value::Number(b))) => {
            a.as_f64().unwrap_or(0.0).total_cmp(&b.as_f64().unwrap_or(0.0))
        }
        (Some(Value::Bool(a)), Some(Value::Bool(b))) => a.cmp(b),
        (Some(a), Some(b)) => a.as_str().unwrap_or_default().cmp(b.as_str().unwrap_or_default()),
    };
    if greatest_first { order.reverse() } else { order }
}
