//! `websites.competitor.*`, the domains that a website is measured against; here `websites.competitor.set`.

pub(crate) mod discover;
#[cfg(test)]
mod discovered;
mod marketplaces;

use sdk::prelude::*;

use crate::stored::Website;

/// The most competitors of one website.
const MOST: usize = 20;

/// The competitors of a website, under the website's own id. Other modules read `domains`.
#[record(collection = "competitors", thing = "competitors", reference = "site_id")]
pub(crate) struct Competitors {
    /// Registrable domains, each once, in the order they were given.
    pub(crate) domains: Vec<String>,
    /// When they were set last.
    pub(crate) updated_at: Moment,
}

#[args]
pub(crate) struct Set {
    /// The website, as listed.
    site_id: Id<Website>,
    /// The competitors by domain or any host of it, such as `rival.example` or `www.rival.example`; none takes all away.
    domains: List<Domain, 0, 20>,
}

/// A name that stands for a domain.
#[value]
pub(crate) struct Merged {
    /// As it was given.
    given: Domain,
    /// What is tracked for it.
    domain: String,
}

/// The competitors as they are now.
#[value]
pub(crate) struct Tracked {
    /// Registrable domains, each once, in the order they were given.
    competitors: Vec<String>,
    /// Those that were not tracked before.
    added: Vec<String>,
    /// Those that are no longer tracked.
    removed: Vec<String>,
    /// Names that were given and are tracked as another one, or as one that was given before them.
    merged: Vec<Merged>,
}

/// Replaces the list of tracked competitors (registrable domains, at most 20) used by rankings, keywords, content and AI visibility.
///
/// Hosts are reduced to what somebody can register by the Public Suffix List, `blog.rival.co.uk` to `rival.co.uk`; names
/// that come to the same domain become one, which `merged` says.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["replaces the list of competitors"],
    phrasings = [
        "set my competitors",
        "track these rival websites",
        "change the competitor list of my site",
        "stop tracking a competitor",
    ],
    examples = [
        { "site_id": "4503599627370496", "domains": ["rival.example", "www.other-lamps.example"] },
        { "site_id": "4503599627370496", "domains": [] },
    ]
)]
pub(crate) fn set(cx: &Cx, args: Set) -> Result<Tracked> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    let mut competitors: Vec<String> = Vec::with_capacity(MOST);
    let mut merged = Vec::new();
    for (position, given) in args.domains.into_iter().enumerate() {
        let at = || format!("/domains/{position}");
        let Some(domain) = given.registrable() else {
            let message = format!("{given} is a suffix under which others register; name the competitor's own domain");
            return Err(Fault::invalid(at(), "not_registrable", message));
        };
        let domain = domain.as_str().to_owned();
        if domain == site.registrable_domain {
            let message = format!("{given} belongs to the website itself, which cannot be its own competitor");
            return Err(Fault::invalid(at(), "own_domain", message));
        }
        let known = competitors.contains(&domain);
        if known || domain != given.as_str() {
            merged.push(Merged { given, domain: domain.clone() });
        }
        if !known {
            competitors.push(domain);
        }
    }
    let records = cx.records::<Competitors>();
    let kept = records.find(&site.id.cast());
    let before = kept.as_ref().map(|kept| kept.domains.clone()).unwrap_or_default();
    let without = |of: &[String], others: &[String]| -> Vec<String> {
        of.iter().filter(|domain| !others.contains(domain)).cloned().collect()
    };
    let (added, removed) = (without(&competitors, &before), without(&before, &competitors));
    let it = Competitors { domains: competitors.clone(), updated_at: cx.now() };
    match kept {
        Some(mut kept) if kept.domains != competitors => {
            kept.it = it;
            records.save(kept)?;
        }
        Some(_) => {}
        None => {
            records.insert_as(site.id.cast(), it)?;
        }
    }
    Ok(Tracked { competitors, added, removed, merged })
}

/// The competitors of a website; none before some are set.
pub(crate) fn of(cx: &Cx, site: &Id<Website>) -> Vec<String> {
    cx.records::<Competitors>().find(&site.cast()).map(|it| it.into_inner().domains).unwrap_or_default()
}

#[cfg(test)]
mod tests;
