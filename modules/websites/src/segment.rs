//! Named groups of addresses, and `websites.segment.set`.

pub(crate) mod draft;

use kit::segments::{Match, Rule, Segment as Rules};
use sdk::prelude::*;

use crate::known::{self, Basis};
use crate::stored::Website;

/// The most segments of one website.
const MOST: usize = 50;
/// The most expressions of one website: each takes some 100,000 units of fuel to make ready, and a test needs them all.
const MOST_EXPRESSIONS: usize = 200;
/// Bytes of all values of one segment together, so that the profile of a website can show all of its segments.
const MOST_BYTES: usize = 8 << 10;
/// Addresses that `websites.segment.set` shows.
const SHOWN: usize = 20;

/// A named group of addresses. Other modules read its rules by website and ask `kit::segments`.
/// Its id is made of the website and the name, so that two calls cannot both add the name.
#[record(collection = "segments", index(site_id))]
pub(crate) struct Segment {
    /// The website.
    pub(crate) site_id: Id<Website>,
    /// Its name, unique within the website whatever the case of its letters.
    pub(crate) name: String,
    /// The rules, 1 to 20, in their order.
    pub(crate) rules: Vec<Rule>,
    /// When it was set last.
    pub(crate) updated_at: Moment,
}

/// One rule.
#[args]
pub(crate) struct RuleGiven {
    /// What it looks at: the path by `*` patterns (`glob`), path and query by an RE2 expression (`regex`), a query
    /// parameter as `name` or `name=value` (`param`), the media type of the answer (`type`).
    #[serde(rename = "match")]
    kind: Match,
    /// What it looks for.
    value: Text<1, 300>,
    /// It takes out what it fits, instead of putting it in.
    #[default(false)]
    negate: bool,
}

#[args]
pub(crate) struct Set {
    /// The website, as listed.
    site_id: Id<Website>,
    /// Its name; the segment that has it already is replaced.
    name: Text<1, 60>,
    /// Read from first to last; the last that fits decides. When the first one is negated, every address is in before it.
    rules: List<RuleGiven, 1, 20>,
}

/// A segment that was set.
#[value]
pub(crate) struct Defined {
    /// Its reference, the same whenever the name is set again.
    segment_ref: Id<Segment>,
    /// Whether it took the place of one.
    replaced: bool,
    /// Known addresses in it.
    matched_urls: u64,
    /// The first of them.
    sample: Vec<String>,
    /// What the count stands on.
    #[serde(flatten)]
    basis: Basis,
}

/// Defines a named URL segment by ordered rules (path glob, RE2 regex, query parameter, content type) that crawl, log, search and audit reports then share.
///
/// The count is of the newest crawl that has ended; without one it is 0 and `degraded` says so.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["stores or replaces the segment of this name"],
    phrasings = [
        "group my blog pages into a segment",
        "define a section of my website",
        "make a segment of all product pages",
        "change the rules of a segment",
    ],
    examples = [
        { "site_id": "4503599627370496", "name": "Blog", "rules": [{ "match": "glob", "value": "/blog/*" }] },
        { "site_id": "4503599627370496", "name": "Filters", "rules": [{ "match": "param", "value": "color" }, { "match": "regex", "value": "^/sale/", "negate": true }] },
    ]
)]
pub(crate) fn set(cx: &Cx, args: Set) -> Result<Defined> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    let (rules, ready) = ready(&args.rules)?;
    let name = kit::text::collapse(args.name.as_str());
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err(Fault::invalid(
            "/name",
            "segment_name",
            "the name of a segment has letters, digits or signs to read",
        ));
    }
    let segments = cx.records::<Segment>();
    let id = reference(&site.id, &name);
    let it = Segment { site_id: site.id.clone(), name, rules, updated_at: cx.now() };
    let others: Vec<_> = of(cx, &site.id).into_iter().filter(|other| other.id != id).collect();
    if others.len() >= MOST {
        let message = format!("a website has at most {MOST} segments; set one of them anew instead");
        return Err(Fault::conflict("too_many_segments", message).at("/name"));
    }
    let expressions: usize = others.iter().map(|other| Rules::expressions(&other.rules)).sum();
    if expressions + Rules::expressions(&it.rules) > MOST_EXPRESSIONS {
        let message = format!("all segments of a website have at most {MOST_EXPRESSIONS} regex rules; use globs");
        return Err(Fault::conflict("too_many_expressions", message).at("/rules"));
    }
    let kept = segments.find(&id);
    let replaced = kept.is_some();
    match kept {
        Some(mut kept) => {
            kept.it = it;
            segments.save(kept)?;
        }
        None => {
            segments.insert_as(id.clone(), it)?;
        }
    }
    let (mut matched_urls, mut sample) = (0, Vec::new());
    let basis = known::each(cx, &site.id, &[&ready], known::IN_A_WRITE, |url, held| {
        if held[0] {
            matched_urls += 1;
            keep(&mut sample, url, SHOWN);
        }
    })?;
    Ok(Defined { segment_ref: id, replaced, matched_urls, sample, basis })
}

/// The segments of a website, at most 50.
pub(crate) fn of(cx: &Cx, site: &Id<Website>) -> Vec<Stored<Segment>> {
    cx.records::<Segment>().by("site_id").equals(site).scan().collect()
}

fn ready(given: &[RuleGiven]) -> Result<(Vec<Rule>, Rules)> {
    let rules: Vec<Rule> = given
        .iter()
        .map(|it| Rule { kind: it.kind, value: it.value.as_str().trim().to_owned(), negate: it.negate })
        .collect();
    if rules.iter().map(|rule| rule.value.len()).sum::<usize>() > MOST_BYTES {
        let message = format!("the values of all rules have at most {MOST_BYTES} bytes together");
        return Err(Fault::invalid("/rules", "rules_too_long", message));
    }
    let ready = Rules::new(&rules)
        .map_err(|broken| Fault::invalid(format!("/rules/{}/value", broken.position), broken.code, broken.message))?;
    Ok((rules, ready))
}

fn reference(site: &Id<Website>, name: &str) -> Id<Segment> {
    let hash = kit::text::sha256(format!("{site}\n{}", name.to_lowercase()).as_bytes());
    Id::new(format!("seg_{}", kit::text::hex(&hash[..12])))
}

fn keep(sample: &mut Vec<String>, url: &str, most: usize) {
    if sample.len() < most {
        sample.push(url.to_owned());
    }
}

#[cfg(test)]
mod tests;
