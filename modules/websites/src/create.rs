//! The operation `websites.create`.

use std::collections::BTreeMap;

use sdk::json;
use sdk::prelude::*;

use crate::detect;
use crate::stored::{Claim, CrawlPrefs, Detected, Website, claim};

/// The largest id: the largest whole number that every JSON reader keeps exact.
const LARGEST: u64 = (1 << 53) - 1;

#[args]
pub(crate) struct Create {
    /// The host name alone, such as `shop.example` or `blog.shop.example`; no scheme, port or path.
    domain: Domain,
    /// How to call it; the domain when left out.
    name: Option<Text<1, 80>>,
    /// The country it is for.
    country: Option<Country>,
    /// The language it is in; as found when left out.
    language: Option<Language>,
}

/// A new website.
#[value]
pub(crate) struct Created {
    /// Opaque, though it is all digits; keep it as a string.
    site_id: Id<Website>,
    /// The domain it was added by.
    domain: Domain,
    /// Scheme, host and port to begin at.
    origin: String,
    /// The part that somebody can register, by the Public Suffix List.
    registrable_domain: String,
    /// What was found.
    detected: Detected,
    /// What could not be found, in words.
    note: Option<String>,
}

/// Adds a website by domain: resolves the preferred origin (https, www) through redirects, splits the registrable domain with the Public Suffix List and finds sitemap, language and CMS.
///
/// https is tried first, then http; the name as given first, then with `www.`. A name that does not resolve is refused
/// with 422. A host that exists but does not answer is added with an empty `detected` and a `note`. A domain that is
/// there already, with or without `www.`, is refused with 409 `website_exists` and its `site_id`.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 8),
    needs = ["web"],
    side_effects = ["stores a website"],
    phrasings = [
        "add my website",
        "connect a new site",
        "register a domain as a project",
        "start working on a new website",
    ],
    examples = [{ "domain": "shop.example" }, { "domain": "blog.shop.example", "name": "Blog", "country": "DE", "language": "de" }]
)]
pub(crate) fn create(cx: &Cx, args: Create) -> Result<Created> {
    let claimed = claim(&args.domain);
    if let Some(claim) = cx.records::<Claim>().find(&claimed) {
        return Err(Fault::conflict("website_exists", "this domain is one of your websites already")
            .at("/domain")
            .detail(json!({ "site_id": claim.site_id })));
    }
    let front = detect::front(cx, &args.domain)?;
    let id = fresh(cx);
    let registrable_domain = args.domain.registrable().unwrap_or_else(|| args.domain.clone()).as_str().to_owned();
    let found = front.detected.language.as_deref().and_then(|it| it.parse().ok());
    let now = cx.now();
    let website = Website {
        name: args.name.map_or_else(|| args.domain.as_str().to_owned(), Text::into_string),
        origin: front.origin,
        registrable_domain,
        created_at: now,
        order: format!("{:013}-{id}", now.millis()),
        country: args.country,
        language: args.language.or(found),
        detected: front.detected,
        note: front.note,
        brand_terms: Vec::new(),
        countries: Vec::new(),
        languages: Vec::new(),
        conversion_paths: Vec::new(),
        facts: BTreeMap::new(),
        crawl_prefs: CrawlPrefs::default(),
        verification: None,
        domain: args.domain,
    };
    cx.records::<Claim>().insert_as(claimed, Claim { site_id: id.clone() })?;
    let Stored { id, it, .. } = cx.records::<Website>().insert_as(id, website)?;
    Ok(Created {
        site_id: id,
        domain: it.domain,
        origin: it.origin,
        registrable_domain: it.registrable_domain,
        detected: it.detected,
        note: it.note,
    })
}

/// An id that no website of this customer has: random, from 1 to 2^53 - 1, written in decimal digits.
fn fresh(cx: &Cx) -> Id<Website> {
    loop {
        let number = u64::from_be_bytes(cx.random::<8>()) & LARGEST;
        let id = Id::new(number.to_string());
        if number > 0 && cx.records::<Website>().find(&id).is_none() {
            return id;
        }
    }
}
