//! The operation `backlinks.domain.list`.

use std::collections::{BTreeMap, BTreeSet};

use filter::{Condition, Field, Kind};
use sdk::prelude::*;
use sdk::serde_json::{Map, Value, json};
use sdk::{Basis, Degraded};
use site::Site;

use crate::given::{Given, day, hash, share};
use crate::link::NO_DAY;
use crate::listing::{conditions, rating};
use crate::quality::{Gatherer, Seen};

/// The fields that filters name.
const FIELDS: [Field; 11] = [
    ("domain", Kind::Text),
    ("links", Kind::Number),
    ("live_links", Kind::Number),
    ("followed_share", Kind::Number),
    ("target_pages", Kind::Number),
    ("first_seen", Kind::Text),
    ("rating", Kind::Number),
    ("marked_spam", Kind::Flag),
    ("value", Kind::Number),
    ("risk", Kind::Number),
    ("topic_similarity", Kind::Number),
];
/// Texts of links that a domain is shown with.
const ANCHORS: usize = 3;

#[args(paged)]
pub(crate) struct Listing {
    /// The website.
    site_id: Id<Site>,
    /// Conditions that must all hold.
    filter: Option<List<Condition, 0, 8>>,
}

/// A domain that links.
#[value]
pub(crate) struct Row {
    domain: String,
    links: u64,
    /// Of these, links that neither a tool nor a look calls lost.
    live_links: u64,
    /// The part of its links without `nofollow`, `ugc` and `sponsored`.
    followed_share: Option<f64>,
    /// Own pages that it links to.
    target_pages: u64,
    first_seen: Option<Day>,
    last_seen: Option<Day>,
    /// The highest rating that a tool gives it, 0 to 100.
    rating: Option<u8>,
    /// Whether a tool marks a link of it as spam.
    marked_spam: bool,
    /// The most frequent texts of its links, at most 3.
    anchor_texts: Vec<String>,
    /// The scores of backlinks.quality.score, 0 to 100; null where too little is known.
    value: Option<u8>,
    risk: Option<u8>,
    /// How alike its pages are to the website (cosine, 0 to 1); null where nobody looked.
    topic_similarity: Option<f64>,
    /// The last look at one of its pages.
    seen_on: Option<Day>,
}

/// Domains that link to a website.
#[page]
pub(crate) struct Rows {
    /// Those with the highest rating first, then those with the most links.
    domains: Vec<Row>,
    /// Domains in all that hold.
    total: u64,
    basis: Basis,
    degraded: Vec<Degraded>,
}

struct Sum {
    links: u64,
    live: u64,
    followed: u64,
    /// Hashes of the own pages.
    targets: BTreeSet<u64>,
    first: i32,
    last: i32,
    rating: Option<u8>,
    spam: bool,
    anchors: BTreeMap<String, u64>,
    seen: Seen,
}

/// Lists referring domains with link counts, follow share, quality, topic similarity, the ratings of tools and first seen.
///
/// Fields of filters are `domain`, `links`, `live_links`, `followed_share`, `target_pages`, `first_seen`, `rating`, `marked_spam`,
/// `value`, `risk` and `topic_similarity`. The scores stand on what backlinks.verify.run saw.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["list referring domains", "which domains link to us", "best domains that link to my site"],
    examples = [
        { "site_id": "4503599627370496" },
        { "site_id": "4503599627370496", "filter": [{ "field": "rating", "op": "gt", "value": 40 }] },
    ]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    let filter = conditions(args.filter.as_ref(), &FIELDS)?;
    let given = Given::of(cx, &args.site_id)?;
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    let mut gatherer = Gatherer::of(cx, &given);
    given.links.each_looked(|link, look| {
        let it = sums.entry(link.domain().to_owned()).or_insert_with(|| Sum {
            links: 0,
            live: 0,
            followed: 0,
            targets: BTreeSet::new(),
            first: NO_DAY,
            last: NO_DAY,
            rating: None,
            spam: false,
            anchors: BTreeMap::new(),
            seen: Seen::default(),
        });
        gatherer.add(&mut it.seen, &link, look);
        it.links += 1;
        it.live += u64::from(!link.is_lost());
        it.followed += u64::from(link.is_followed());
        if link.first != NO_DAY && (it.first == NO_DAY || link.first < it.first) {
            it.first = link.first;
        }
        it.last = it.last.max(link.last);
        it.rating = it.rating.max(rating(&link));
        it.spam |= link.has(crate::link::flag::SPAM);
        if !link.target.is_empty() {
            it.targets.insert(hash(&link.target));
        }
        if !link.anchor.is_empty() {
            *it.anchors.entry(link.anchor).or_default() += 1;
        }
    })?;
    gatherer.finish(sums.iter_mut().map(|it| (it.0.as_str(), &mut it.1.seen)));
    let mut found: Vec<Row> = sums
        .into_iter()
        .map(|(domain, it)| row(domain, it))
        .filter(|it| {
            filter.is_empty() || {
                let values = values(it);
                filter.holds(|name| values.get(name))
            }
        })
        .collect();
    found.sort_by(|a, b| {
        b.rating.cmp(&a.rating).then(b.live_links.cmp(&a.live_links)).then_with(|| a.domain.cmp(&b.domain))
    });
    let total = found.len() as u64;
    let page = args.window(found)?;
    Ok(Rows { domains: page.items, next_cursor: page.next, total, basis: given.basis, degraded: given.degraded })
}

fn row(domain: String, it: Sum) -> Row {
    let mut anchors: Vec<(String, u64)> = it.anchors.into_iter().collect();
    anchors.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let scored = it.seen.scored();
    Row {
        value: scored.value,
        risk: scored.risk,
        topic_similarity: it.seen.similarity().map(|it| kit::statistics::round(it, 3)),
        seen_on: day(it.seen.last_look),
        domain,
        links: it.links,
        live_links: it.live,
        followed_share: share(it.followed, it.links),
        target_pages: it.targets.len() as u64,
        first_seen: day(it.first),
        last_seen: day(it.last),
        rating: it.rating,
        marked_spam: it.spam,
        anchor_texts: anchors.into_iter().take(ANCHORS).map(|it| it.0).collect(),
    }
}

fn values(it: &Row) -> Map<String, Value> {
    let pairs = [
        ("domain", json!(it.domain)),
        ("links", json!(it.links)),
        ("live_links", json!(it.live_links)),
        ("followed_share", json!(it.followed_share)),
        ("target_pages", json!(it.target_pages)),
        ("first_seen", json!(it.first_seen)),
        ("rating", json!(it.rating)),
        ("marked_spam", json!(it.marked_spam)),
        ("value", json!(it.value)),
        ("risk", json!(it.risk)),
        ("topic_similarity", json!(it.topic_similarity)),
    ];
    pairs.into_iter().filter(|it| !it.1.is_null()).map(|(name, value)| (name.to_owned(), value)).collect()
}
