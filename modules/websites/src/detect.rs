//! What a website tells about itself at its front door.

use kit::page::{Answer, PageFacts, Timing};
use kit::robots::{AGENT, Robots};
use kit::url::{self as address, Url as Address};
use sdk::prelude::*;
use sdk::{Failure, Request, Response};

use crate::stored::{Cms, Detected};

/// The most sitemaps kept.
const SITEMAPS: usize = 20;
/// Of these, asked for whether they are there.
const LOOKED_AT: usize = 3;
/// Bytes read of a home page or sitemap.
const BYTES: u32 = 2 << 20;

/// Milliseconds in which some door must have opened; a write has 15 seconds in all.
const KNOCKING: u64 = 11_000;
/// Milliseconds for one door.
const DOOR: u64 = 6_000;
/// Milliseconds for robots.txt and sitemap, which are fetched together.
const FILES: u32 = 3_000;

/// Where a website begins and what it shows there.
pub(crate) struct Front {
    /// Scheme, host and port.
    pub(crate) origin: String,
    /// What was found.
    pub(crate) detected: Detected,
    /// What could not be found, in words.
    pub(crate) note: Option<String>,
}

/// Knocks at a domain: https first, then http; as named first, then with `www.`.
///
/// A name that nobody knows, and an address that may not be fetched, are refused alike. A host that exists and does
/// not answer is no reason to refuse: a site may be under construction; its note says what happened.
pub(crate) fn front(cx: &Cx, domain: &Domain) -> Result<Front> {
    let mut failures = Vec::new();
    for origin in doors(domain) {
        let Ok(url) = format!("{origin}/").parse::<Url>() else { continue };
        let left = KNOCKING.saturating_sub(cx.elapsed());
        if left == 0 {
            break;
        }
        let time = u32::try_from(left.min(DOOR)).unwrap_or(u32::MAX);
        match cx.web().fetch(&Request::get(&url).follow(10).max_bytes(BYTES).timeout(time)) {
            Ok(home) => return Ok(opened(cx, domain, &origin, &home)),
            Err(failure) => failures.push(failure),
        }
    }
    let known = failures.iter().find(|it| !matches!(it, Failure::Unresolved | Failure::Refused));
    let Some(failure) = known else {
        let message = "no public website answers to this name; check its spelling and that its DNS is set";
        return Err(Fault::invalid("/domain", "website_unreachable", message));
    };
    let why = match failure {
        Failure::Timeout => "did not answer in time",
        Failure::Redirects => "redirects without end",
        Failure::Tls => "has no valid certificate and does not answer over http",
        Failure::Malformed => "gave an answer that is not HTTP",
        Failure::Paced(_) => "asked for a pause",
        Failure::Disallowed => "forbids its home page to crawlers by its robots.txt",
        Failure::Unreachable | Failure::Refused | Failure::Unresolved => "did not accept a connection",
    };
    Ok(Front {
        origin: format!("https://{domain}"),
        detected: Detected::default(),
        note: Some(format!("the host {why}; nothing could be detected")),
    })
}

fn doors(domain: &Domain) -> Vec<String> {
    let mut hosts = vec![domain.as_str().to_owned()];
    if domain.registrable().as_ref() == Some(domain) {
        hosts.push(format!("www.{domain}"));
    }
    hosts.iter().flat_map(|host| [format!("https://{host}"), format!("http://{host}")]).collect()
}

fn opened(cx: &Cx, domain: &Domain, asked: &str, home: &Response) -> Front {
    let reached = Address::parse(&home.url).ok();
    let within = reached.as_ref().filter(|url| same_owner(domain, url));
    let Some(url) = within else {
        let place = reached.map_or_else(|| home.url.clone(), |url| address::origin(&url));
        let note = format!("the site redirects to {place}, another domain; nothing was detected there");
        return Front { origin: asked.to_owned(), detected: Detected::default(), note: Some(note) };
    };
    let origin = address::origin(url);
    let facts = kit::page::read(&Answer {
        url: &home.url,
        final_url: &home.url,
        status: home.status,
        hops: &[],
        headers: &home.headers,
        body: &home.body,
        truncated: home.truncated,
        timing: Timing::default(),
    });
    let language = facts.lang.clone().or_else(|| home.header("content-language").map(str::to_owned));
    let note = (home.status >= 400).then(|| format!("the home page answers with status {}", home.status));
    let detected = Detected { cms: cms(&facts, home), language, sitemaps: sitemaps(cx, &origin) };
    Front { origin, detected, note }
}

fn same_owner(domain: &Domain, url: &Address) -> bool {
    let Some(host) = url.host_str() else { return false };
    let own = domain.registrable();
    host == domain.as_str() || own.is_some_and(|own| address::registrable_domain(host) == Some(own.as_str()))
}

/// The sitemaps that robots.txt names; without any, the one at the usual place, if it is one.
fn sitemaps(cx: &Cx, origin: &str) -> Vec<String> {
    let places = ["/robots.txt", "/sitemap.xml"].map(|path| format!("{origin}{path}").parse::<Url>());
    let [Ok(robots), Ok(usual)] = places else { return Vec::new() };
    let requests = [
        Request::get(&robots).max_bytes(BYTES).timeout(FILES).any_age(),
        Request::get(&usual).max_bytes(64 << 10).timeout(FILES),
    ];
    let mut answers = cx.web().fetch_many(requests).into_iter();
    let (file, map) = (answers.next(), answers.next());
    let named = match file {
        Some(Ok(file)) => Robots::of_answer(file.status, &file.body, AGENT).sitemaps,
        _ => Vec::new(),
    };
    let base = Address::parse(origin).ok();
    let mut found: Vec<String> = Vec::new();
    for name in named {
        let resolved = base.as_ref().and_then(|base| address::resolve(base, &name)).map(String::from);
        found.extend(resolved.filter(|url| !found.contains(url)));
    }
    found.truncate(SITEMAPS);
    // One that robots.txt names and the website does not have is none; of many the first are looked at.
    let urls: Vec<Url> = found.iter().take(LOOKED_AT).filter_map(|url| url.parse().ok()).collect();
    let looks = urls.iter().map(|url| Request::get(url).max_bytes(4 << 10).timeout(FILES));
    for (url, answer) in urls.iter().zip(cx.web().fetch_many(looks)) {
        if answer.is_ok_and(|it| (400..500).contains(&it.status) && !matches!(it.status, 401 | 403 | 429)) {
            found.retain(|it| it != url.as_str());
        }
    }
    if found.is_empty()
        && let Some(Ok(map)) = map
        && map.status == 200
        && is_sitemap(&map)
    {
        found.push(map.url);
    }
    found
}

fn is_sitemap(answer: &Response) -> bool {
    let start = String::from_utf8_lossy(&answer.body[..answer.body.len().min(2_048)]).into_owned();
    start.contains("<urlset") || start.contains("<sitemapindex")
}

/// Systems that name themselves in `<meta name=generator>`: the start of what they write there, and their name.
const GENERATORS: [(&str, &str); 24] = [
    ("wordpress", "WordPress"),
    ("drupal", "Drupal"),
    ("joomla", "Joomla"),
    ("typo3", "TYPO3"),
    ("wix", "Wix"),
    ("squarespace", "Squarespace"),
    ("shopify", "Shopify"),
    ("ghost", "Ghost"),
    ("hugo", "Hugo"),
    ("jekyll", "Jekyll"),
    ("gatsby", "Gatsby"),
    ("astro", "Astro"),
    ("docusaurus", "Docusaurus"),
    ("mkdocs", "MkDocs"),
    ("sphinx", "Sphinx"),
    ("webflow", "Webflow"),
    ("prestashop", "PrestaShop"),
    ("woocommerce", "WooCommerce"),
    ("mediawiki", "MediaWiki"),
    ("contao", "Contao"),
    ("craft cms", "Craft CMS"),
    ("concrete", "Concrete CMS"),
    ("docbook xsl", "DocBook XSL"),
    ("publican", "Publican"),
];

/// Marks that systems leave in the HTML, and their name.
const MARKS: [(&str, &str); 16] = [
    ("/wp-content/", "WordPress"),
    ("/wp-includes/", "WordPress"),
    ("cdn.shopify.com", "Shopify"),
    ("static.parastorage.com", "Wix"),
    ("static1.squarespace.com", "Squarespace"),
    ("data-wf-site", "Webflow"),
    ("/sites/default/files/", "Drupal"),
    ("/typo3temp/", "TYPO3"),
    ("/media/jui/", "Joomla"),
    ("/static/version", "Magento"),
    ("mage/cookies", "Magento"),
    ("var prestashop", "PrestaShop"),
    ("/_next/static/", "Next.js"),
    ("/_nuxt/", "Nuxt"),
    ("_static/documentation_options.js", "Sphinx"),
    ("_static/doctools.js", "Sphinx"),
];

/// Headers that systems send, what they hold, and their name.
const HEADERS: [(&str, &str, &str); 6] = [
    ("x-generator", "drupal", "Drupal"),
    ("x-drupal-cache", "", "Drupal"),
    ("x-shopify-stage", "", "Shopify"),
    ("x-wix-request-id", "", "Wix"),
    ("x-powered-by", "next.js", "Next.js"),
    ("link", "wp-json", "WordPress"),
];

fn cms(facts: &PageFacts, home: &Response) -> Option<Cms> {
    if let Some(generator) = &facts.generator {
        let folded = generator.to_lowercase();
        if let Some((_, name)) = GENERATORS.iter().find(|(start, _)| folded.starts_with(start)) {
            let version = generator.split_whitespace().find(|word| word.starts_with(|it: char| it.is_ascii_digit()));
            return Some(Cms {
                name: (*name).to_owned(),
                version: version.map(|it| it.trim_end_matches([';', ',']).to_owned()),
                evidence: format!("<meta name=\"generator\" content=\"{generator:.100}\">"),
            });
        }
    }
    let header = HEADERS.iter().find(|(header, holds, _)| {
        home.headers.iter().any(|(name, value)| name == header && value.to_lowercase().contains(holds))
    });
    if let Some((header, _, name)) = header {
        return Some(Cms { name: (*name).to_owned(), version: None, evidence: format!("the header {header}") });
    }
    let html = home.text();
    let (mark, name) = MARKS.iter().find(|(mark, _)| html.contains(mark))?;
    Some(Cms { name: (*name).to_owned(), version: None, evidence: format!("{mark} in the home page") })
}
