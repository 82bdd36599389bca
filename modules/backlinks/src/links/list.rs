//! The operation `backlinks.link.list`.

use filter::{Condition, sort_of, sorted};
use sdk::prelude::*;
use sdk::{Basis, Degraded};
use site::Site;

use crate::given::{Given, day};
use crate::link::{Link, flag};
use crate::listing::{LINK_FIELDS, conditions, rating, value};
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

/// A link.
#[value]
pub(crate) struct Row {
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
    /// When a tool found it gone; null where none did.
    lost_on: Option<Day>,
    /// The highest rating that a tool gives the domain, 0 to 100.
    rating: Option<u8>,
    language: Option<String>,
    /// The status of the page, where a tool says it.
    source_status: Option<u16>,
    /// The tools that know it.
    #[own]
    tools: Vec<String>,
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

/// Lists backlinks with source, anchor, rel, form, first and last seen, day of loss and the ratings of tools under typed filters.
///
/// Everything is as the tools said it when they wrote their files; nobody looked since.
/// Fields of filters and orders are `source`, `domain`, `target`, `anchor`, `title`, `form`, `followed`, `nofollow`, `lost`,
/// `marked_spam`, `first_seen`, `last_seen`, `rating` and `language`.
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
    let mut found: Vec<Link> = Vec::new();
    let (mut total, asked) = (0, filter.fields());
    given.links.each(|link| {
        let values: Vec<_> = asked.iter().map(|name| (*name, value(&link, name))).collect();
        if filter.holds(|name| values.iter().find(|it| it.0 == name).and_then(|it| it.1.as_ref())) {
            total += 1;
            if found.len() < MOST {
                found.push(link);
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
    if let Some((field, greatest_first)) = order {
        let mut keyed: Vec<_> = found.into_iter().map(|it| (value(&it, field), it)).collect();
        keyed
            .sort_by(|a, b| sorted(a.0.as_ref(), b.0.as_ref(), greatest_first).then_with(|| a.1.key().cmp(&b.1.key())));
        found = keyed.into_iter().map(|it| it.1).collect();
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

fn shown(it: Link) -> Row {
    let some = |text: &String| (!text.is_empty()).then(|| text.clone());
    Row {
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
        tools: it.tool_names(),
        anchor: it.anchor,
        source: it.source,
    }
}
