//! The operation `schema.sameas.verify`: whether profiles elsewhere are those of a website's owner.

use kit::dom::Dom;
use kit::page::Placement;
use kit::text::collapse;
use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;
use sdk::{Failure, json};

use crate::extract::{text, values};
use crate::markup::visible::is_profile;
use site::Site;

/// Bytes that are read of each profile.
const BYTES: u32 = 256 << 10;
/// Profiles that one call asks.
const MOST: usize = 30;
/// Seconds for which what was verified is remembered.
const LIFE: u32 = 7 * 86_400;

#[args]
pub(crate) struct Verify {
    site_id: Id<Site>,
    /// The profiles to check; without them those of the home page's markup and of the website's facts.
    urls: Option<List<Url, 0, 30>>,
}

/// A profile that was looked at.
#[value]
pub(crate) struct Profile {
    url: String,
    /// Whether it answers with a page.
    reachable: bool,
    /// Its status; null without an answer.
    status: Option<u16>,
    /// Whether its title or main heading has a name of `names`, as words; null when it could not be read, or there is no name.
    name_match: Option<bool>,
    /// Whether it links to the website; null when it could not be read. Many networks show links to those signed in only.
    links_back: Option<bool>,
    /// Why it could not be read, or where it was found, in a word.
    note: Option<String>,
}

/// The profiles of a website.
#[value]
pub(crate) struct Verified {
    profiles: Vec<Profile>,
    /// Profiles that the home page links to and no markup names.
    proposed: Vec<String>,
    /// Names that a profile must have one of.
    names: Vec<String>,
    checked_at: Moment,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Checks sameAs profile links of an entity: reachable, names match, and whether the profile links back, and proposes missing profiles found in the site's footer.
///
/// What was verified is remembered for a week: `schema.organization.generate` uses it.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 32),
    needs = ["web"],
    phrasings = [
        "are my social profile links in schema correct",
        "check sameAs links",
        "which of my profiles are missing in my markup",
        "do my facebook and linkedin pages link back to my site",
    ],
    examples = [
        { "site_id": "4503599627370496" },
        { "site_id": "4503599627370496", "urls": ["https://www.linkedin.com/company/lampshop"] }
    ]
)]
pub(crate) fn verify(cx: &Cx, args: Verify) -> Result<Verified> {
    let site = site::get(cx, &args.site_id)?;
    let mut degraded = Vec::new();
    let home = format!("{}/", site.origin);
    let page = home.parse::<Url>().ok().map(|url| site::live::page(cx, &url, "/url"));
    let (mut declared, mut linked) = (Vec::new(), Vec::new());
    match page {
        Some(Ok(page)) => {
            for item in crate::live::extracted(&page).items {
                declared.extend(values(&item.value, "sameAs").iter().filter_map(text));
            }
            let placed = |it: &&kit::page::Link| !it.internal && is_profile(&it.url);
            let mut links: Vec<_> = page.facts.links.iter().filter(placed).collect();
            links.sort_by_key(|it| it.placement != Placement::Footer);
            linked.extend(links.into_iter().map(|it| it.url.clone()));
        }
        Some(Err(fault)) => degraded.push(Degraded::new("home_page", fault.message)),
        None => degraded.push(Degraded::new("home_page", "the website has no address")),
    }
    declared.extend(site.links(&["same_as", "sameas", "profiles", "social_profiles", "social"]));
    let given: Option<Vec<Url>> = args.urls.map(List::into_vec).filter(|it| !it.is_empty());
    let mut urls: Vec<Url> = given.unwrap_or_else(|| declared.iter().filter_map(|it| it.parse().ok()).collect());
    urls.sort();
    urls.dedup_by_key(|it| plain(it.as_str()));
    if urls.len() > MOST {
        urls.truncate(MOST);
        degraded.push(Degraded::new("profiles", format!("only the first {MOST} profiles were looked at")));
    }
    let names = names(&site);
    if names.is_empty() {
        let why =
            "neither a name nor brand terms are known of the website, so that no profile can be told to be its own";
        let set = json!({ "site_id": site.id, "brand_terms": [site.title()] });
        degraded.push(Degraded::new("names", why).supplied_by("websites.profile.update", set));
    }
    let requests = urls.iter().map(|url| Request::get(url).max_bytes(BYTES).timeout(6_000));
    let answers = cx.web().fetch_many(requests);
    let profiles: Vec<Profile> = urls.iter().zip(&answers).map(|(url, it)| seen(url, it, &names, &site)).collect();
    let named: Vec<String> =
        declared.iter().map(String::as_str).chain(urls.iter().map(|it| it.as_str())).map(plain).collect();
    let mut proposed: Vec<String> = Vec::new();
    for url in linked {
        if !named.contains(&plain(&url)) && !proposed.contains(&url) && proposed.len() < 20 {
            proposed.push(url);
        }
    }
    let good: Vec<&String> =
        profiles.iter().filter(|it| it.reachable && it.name_match == Some(true)).map(|it| &it.url).collect();
    cx.cache().put(&key(&site.id), &good, LIFE);
    let generate = Fix::new("schema.organization.generate", json!({ "site_id": site.id }))
        .because("makes Organization markup with the verified profiles");
    Ok(Verified { profiles, proposed, names, checked_at: cx.now(), next: vec![generate], degraded })
}

/// The profiles that were verified within the last week, when any were.
pub(crate) fn remembered(cx: &Cx, site: &Id<Site>) -> Option<Vec<String>> {
    cx.cache().get::<Vec<String>>(&key(site)).filter(|it| !it.is_empty())
}

fn key(site: &Id<Site>) -> String {
    format!("same_as/{site}")
}

/// An address as profiles are compared by: without scheme, `www.` and a last slash.
pub(crate) fn plain(url: &str) -> String {
    let rest = url.split("://").nth(1).unwrap_or(url);
    rest.strip_prefix("www.").unwrap_or(rest).trim_end_matches('/').to_lowercase()
}

/// What the owner is called: the legal name, the website's name and its brand terms. The domain is none: `own` of `own.example`
/// is a word that anybody says.
fn names(site: &Stored<Site>) -> Vec<String> {
    let legal = site.fact(&["legal_name", "legalname", "company", "company_name"]);
    let told = legal.iter().chain(&site.name).chain(site.brand_terms.iter().flatten()).map(|it| collapse(it));
    let mut names: Vec<String> = Vec::new();
    for name in told.filter(|it| it.chars().filter(|it| it.is_alphanumeric()).count() >= 2) {
        if !names.iter().any(|it| it.eq_ignore_ascii_case(&name)) {
            names.push(name);
        }
    }
    names.truncate(20);
    names
}

/// Whether a text has a name as words: one after the other, or as one word of them all, as handles are written.
fn has_name(said: &[String], name: &str) -> bool {
    let words = words(name);
    let squeezed = words.concat();
    let in_a_row = !words.is_empty() && said.windows(words.len()).any(|it| it == words.as_slice());
    in_a_row || (squeezed.chars().count() >= 5 && said.contains(&squeezed))
}

/// The words of a text, in lower case.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    parts.map(str::to_lowercase).collect()
}

fn seen(url: &Url, answer: &Result<Response, Failure>, names: &[String], site: &Site) -> Profile {
    let failed = |status, note: String| Profile {
        url: url.to_string(),
        reachable: false,
        status,
        name_match: None,
        links_back: None,
        note: Some(note),
    };
    let response = match answer {
        Err(failure) => return failed(None, failure.name().to_owned()),
        Ok(response) if !response.is_success() => return failed(Some(response.status), "status".to_owned()),
        Ok(response) => response,
    };
    let dom = Dom::parse(&response.text());
    let meta = dom.elements("meta").filter(|id| {
        matches!(dom.attribute(*id, "property"), Some("og:title" | "og:site_name"))
            || dom.attribute(*id, "name") == Some("title")
    });
    let told = meta.filter_map(|id| dom.attribute(id, "content").map(str::to_owned));
    let headings = dom.elements("title").chain(dom.elements("h1")).map(|id| dom.own_text(id) + " " + &dom.text(id));
    let said = words(&told.chain(headings).collect::<Vec<_>>().join(" "));
    let links_back = dom
        .elements("a")
        .filter_map(|id| dom.attribute(id, "href"))
        .any(|it| kit::url::resolve(url, it).is_some_and(|it| site.has(it.as_str())));
    Profile {
        url: url.to_string(),
        reachable: true,
        status: Some(response.status),
        name_match: (!names.is_empty()).then(|| names.iter().any(|it| has_name(&said, it))),
        links_back: Some(links_back),
        note: None,
    }
}

#[cfg(test)]
mod tests;
