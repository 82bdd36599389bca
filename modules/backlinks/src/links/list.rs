//! The operation `backlinks.link.list`.

use filter::{Condition, sort_of, sorted};
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Basis, Degraded};
use site::Site;

use crate::given::{Given, day};
use crate::link::{Link, flag, tool_names};
use crate::listing::{LINK_FIELDS, conditions, rating, value};
use crate::looked::{Answered, Look, State};
use crate::profile::form;

/// Links that one call sorts.
const MOST: usize = 200_000;

#[args(paged)]
pub(crate) struct Listing {
    /// The website.
    site_id: Id<Site>,
    /// Conditions that must all hold.
    filter: Option<List<Condition, 0, 8>>,
    /// A field, with `-` before it for the greatest first; by their pages when left out.
    sort: Option<Text<1, 41>>,
}

/// What the last look at its page found.
#[value]
pub(crate) struct Verified {
    seen_on: Option<Day>,
    state: State,
    page: Answered,
    /// Where on the page it stands: `main`, `nav`, `header`, `aside` or `footer`.
    #[own]
    placement: Option<String>,
    /// Where it leads first, when that redirects to the target.
    via: Option<String>,
    /// Why search engines may not show the page; `ok` where they may.
    #[own]
    indexability_reason: Option<String>,
}

/// A link.
#[value]
pub(crate) struct Row {
    /// Names it for backlinks.verify.run.
    link_ref: Id<Link>,
    source: String,
    domain: String,
    /// The own page that it leads to; null where no tool says it.
    target: Option<String>,
    anchor: String,
    /// The title of the page that links.
    title: Option<String>,
    /// `text`, `image`, `redirect`, `frame`, `form` or `canonical`.
    #[own]
    form: String,
    rel_nofollow: bool,
    rel_ugc: bool,
    rel_sponsored: bool,
    first_seen: Option<Day>,
    last_seen: Option<Day>,
    /// When a tool or a look found it gone; null where none did.
    lost_on: Option<Day>,
    /// The highest rating that a tool gives the domain, 0 to 100.
    rating: Option<u8>,
    language: Option<String>,
    /// The status of the page, where a tool says it.
    source_status: Option<u16>,
    /// The tools that know it.
    #[own]
    tools: Vec<String>,
    /// Null where nobody looked: backlinks.verify.run looks.
    verified: Option<Verified>,
}

/// Links to a website.
#[page]
pub(crate) struct Rows {
    links: Vec<Row>,
    /// Links in all that hold.
    total: u64,
    basis: Basis,
    degraded: Vec<Degraded>,
}

/// Lists backlinks with source, anchor, rel, placement, first and last seen, live state and the ratings of tools under typed filters.
///
/// A link is as the tools said it when they wrote their files, and as backlinks.verify.run found it where that looked since.
/// Fields of filters and orders are `source`, `domain`, `target`, `anchor`, `title`, `form`, `followed`, `nofollow`, `lost`,
/// `marked_spam`, `first_seen`, `last_seen`, `rating`, `language`, `verified` (whether a look told), `live` (whether it found the
/// link) and `placement`.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["list my backlinks", "which pages link to us", "show followed links with their anchor"],
    examples = [
        { "site_id": "4503599627370496" },
        { "site_id": "4503599627370496", "filter": [{ "field": "followed", "op": "eq", "value": true }], "sort": "-rating" },
    ]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    let filter = conditions(args.filter.as_ref(), &LINK_FIELDS)?;
    let order = args.sort.as_ref().map(|it| sort_of(it.as_str(), &LINK_FIELDS)).transpose()?;
    let given = Given::of(cx, &args.site_id)?;
    let mut found: Vec<Kept> = Vec::new();
    let (mut total, asked) = (0, filter.fields());
    given.links.each_looked(|link, look| {
        let values: Vec<_> = asked.iter().map(|name| (*name, value(&link, look, name))).collect();
        if filter.holds(|name| values.iter().find(|it| it.0 == name).and_then(|it| it.1.as_ref())) {
            total += 1;
            if found.len() < MOST {
                let key = order.and_then(|(field, _)| value(&link, look, field));
                found.push(Kept { key, look: look.map(|it| (it.reference.clone(), seen(it))), link });
            }
        }
    })?;
    let mut degraded = given.degraded;
    if total > MOST as u64 {
        degraded.push(Degraded::new(
            "links",
            format!("of {total} links that hold, the first {MOST} by their pages are listed; add conditions"),
        ));
    }
    if let Some((_, greatest_first)) = order {
        found.sort_by(|a, b| {
            let by_field = sorted(a.key.as_ref(), b.key.as_ref(), greatest_first);
            by_field.then_with(|| a.link.key().cmp(&b.link.key()))
        });
    }
    let page = args.window(found)?;
    Ok(Rows {
        links: page.items.into_iter().map(shown).collect(),
        next_cursor: page.next,
        total,
        basis: given.basis,
        degraded,
    })
}

/// A link that holds, with what it is sorted by.
struct Kept {
    key: Option<Value>,
    link: Link,
    look: Option<(String, Verified)>,
}

fn seen(look: &Look<'_>) -> Verified {
    let some = |text: &String| (!text.is_empty()).then(|| text.clone());
    Verified {
        seen_on: day(look.page.day),
        state: look.link.state,
        page: look.page.answered,
        placement: some(&look.link.placement),
        via: some(&look.link.via),
        indexability_reason: some(&look.page.reason),
    }
}

fn shown(it: Kept) -> Row {
    let Kept { link: it, look, .. } = it;
    let (link_ref, verified) = match look {
        Some((reference, verified)) => (reference, Some(verified)),
        None => (it.reference(), None),
    };
    let some = |text: &String| (!text.is_empty()).then(|| text.clone());
    Row {
        link_ref: Id::new(link_ref),
        verified,
        domain: it.domain().to_owned(),
        target: some(&it.target),
        title: some(&it.title),
        form: form(&it).to_owned(),
        rel_nofollow: it.has(flag::NOFOLLOW),
        rel_ugc: it.has(flag::UGC),
        rel_sponsored: it.has(flag::SPONSORED),
        first_seen: day(it.first),
        last_seen: day(it.last),
        lost_on: day(it.lost),
        rating: rating(&it),
        language: some(&it.language),
        source_status: it.status,
        tools: tool_names(&it).map(str::to_owned).collect(),
        anchor: it.anchor,
        source: it.source,
    }
}
