//! The signals of trust, and where on a page each is found.

use kit::dates::{self, Of};
use kit::jsonld;
use kit::page::{Link, Placement};
use sdk::prelude::*;

use crate::live::Live;

/// One kind of evidence.
#[value]
pub(crate) enum Signal {
    Author,
    AuthorProfile,
    AuthorMarkup,
    Published,
    Modified,
    Reviewer,
    Sources,
    Contact,
    About,
    Privacy,
    Terms,
    /// A company's name with its form, an imprint, or a copyright line.
    Ownership,
    PublisherMarkup,
    /// Advertising or affiliation is disclosed.
    Disclosure,
    Secure,
}

impl Signal {
    /// What it is worth; all together 100.
    pub(crate) fn points(self) -> u32 {
        match self {
            Self::Author => 15,
            Self::AuthorProfile | Self::Sources => 10,
            Self::Published | Self::Contact | Self::About | Self::Ownership => 8,
            Self::AuthorMarkup | Self::Modified | Self::PublisherMarkup => 6,
            Self::Reviewer | Self::Privacy => 4,
            Self::Terms | Self::Disclosure => 2,
            Self::Secure => 3,
        }
    }

    pub(crate) fn advice(self) -> &'static str {
        match self {
            Self::Author => "Name the person who wrote the page.",
            Self::AuthorProfile => "Link the name to a page about the person.",
            Self::AuthorMarkup => "Name the author in structured data.",
            Self::Published => "Show the date of publication and mark it up.",
            Self::Modified => "Show when the page was last changed and mark it up.",
            Self::Reviewer => "Name who reviewed the page, where a professional did.",
            Self::Sources => "Link to the sources that the text stands on.",
            Self::Contact => "Link to a way to get in touch.",
            Self::About => "Link to a page about who is behind the site.",
            Self::Privacy => "Link to the privacy policy.",
            Self::Terms => "Link to the terms, or the editorial policy.",
            Self::Ownership => "Say who owns the site.",
            Self::PublisherMarkup => "Name the publisher in structured data.",
            Self::Disclosure => "Disclose advertising and affiliate links, where there are any.",
            Self::Secure => "Serve the page over https.",
        }
    }
}

/// A signal, found or not.
#[value]
pub(crate) struct Evidence {
    pub(crate) signal: Signal,
    pub(crate) found: bool,
    /// What was found.
    value: Option<String>,
    /// Where: a part of the page, structured data, the head or the address.
    #[serde(rename = "where")]
    place: Option<String>,
}

/// Words of links to pages that sites have for this, in the text or the address.
const CONTACT: &[&str] = &["contact", "kontakt", "contacto", "contatti", "contactez"];
const ABOUT: &[&str] = &[
    "about",
    "über uns",
    "ueber-uns",
    "über-uns",
    "qui-sommes",
    "à propos",
    "a-propos",
    "quienes-somos",
    "sobre",
    "chi siamo",
    "chi-siamo",
    "over ons",
    "over-ons",
];
const PRIVACY: &[&str] = &["privacy", "datenschutz", "confidentialit", "privacidad", "riservatezza"];
const TERMS: &[&str] = &[
    "terms",
    "agb",
    "nutzungsbedingungen",
    "conditions",
    "editorial",
    "redaktion",
    "condiciones",
    "condizioni",
    "voorwaarden",
    "mentions",
];
const IMPRINT: &[&str] = &[
    "imprint",
    "impressum",
    "legal notice",
    "legal-notice",
    "aviso legal",
    "mentions légales",
    "mentions-legales",
    "colofon",
];

/// Looks for every signal on a page.
pub(super) fn collect(page: &Live) -> Vec<Evidence> {
    let facts = &page.facts;
    let nodes = jsonld::nodes(&page.dom);
    let member = |name: &str| nodes.iter().find_map(|node| node.get(name).and_then(jsonld::text));
    let found = dates::candidates(&page.dom, &facts.final_url);
    let date = |of| {
        let best = dates::best(&found, of).filter(|it| it.weight >= 0.4)?;
        Some((best.date.to_string(), format!("{:?}", best.source).to_lowercase()))
    };
    let link = |words: &[&str]| linked(&facts.links, words);
    let text = page.text();
    let lower = text.to_lowercase();
    let author = facts.byline_visible.clone();
    let data = |value: Option<String>| value.map(|it| (it, "structured data".to_owned()));
    vec![
        of(
            Signal::Author,
            author.clone().map(|it| (it, "text".to_owned())).or_else(|| data(facts.byline_markup.clone())),
        ),
        of(Signal::AuthorProfile, profile(page, author.as_deref())),
        of(Signal::AuthorMarkup, data(member("author"))),
        of(Signal::Published, date(Of::Published)),
        of(Signal::Modified, date(Of::Modified)),
        of(
            Signal::Reviewer,
            data(member("reviewedBy")).or_else(|| {
                after(&text, &["Reviewed by ", "Fact checked by ", "Medically reviewed by ", "Geprüft von "])
            }),
        ),
        of(Signal::Sources, sources(page)),
        of(Signal::Contact, link(CONTACT).or_else(|| mail(page))),
        of(Signal::About, link(ABOUT)),
        of(Signal::Privacy, link(PRIVACY)),
        of(Signal::Terms, link(TERMS)),
        of(Signal::Ownership, link(IMPRINT).or_else(|| copyright(page))),
        of(Signal::PublisherMarkup, data(member("publisher"))),
        of(Signal::Disclosure, disclosure(&lower).map(|it| (it, "text".to_owned()))),
        of(Signal::Secure, facts.final_url.starts_with("https:").then(|| ("https".to_owned(), "address".to_owned()))),
    ]
}

fn of(signal: Signal, seen: Option<(String, String)>) -> Evidence {
    let (value, place) = seen.map(|(value, place)| (kit::text::clip(&value, 300).to_owned(), place)).unzip();
    Evidence { signal, found: value.is_some(), value, place }
}

/// The first link whose text or path says one of the words.
fn linked(links: &[Link], words: &[&str]) -> Option<(String, String)> {
    let says = |link: &&Link| {
        let (text, path) = (link.anchor.to_lowercase(), kit::url::path_and_query(&link.url).to_lowercase());
        link.internal && words.iter().any(|it| text.contains(it) || path.split('/').any(|part| part.starts_with(it)))
    };
    links.iter().find(says).map(|it| (it.url.clone(), it.placement.word().to_owned()))
}

/// The page that the author's name leads to.
fn profile(page: &Live, author: Option<&str>) -> Option<(String, String)> {
    let name = author.unwrap_or_default().to_lowercase();
    let leads = |link: &&Link| {
        let marked = link.rel.split(' ').any(|it| it == "author");
        let named = !name.is_empty() && link.anchor.to_lowercase() == name;
        let placed = ["/author/", "/authors/", "/autor/", "/people/", "/team/"].iter().any(|it| link.url.contains(it));
        marked || named || (placed && link.placement == Placement::Main)
    };
    page.facts.links.iter().find(leads).map(|it| (it.url.clone(), it.placement.word().to_owned()))
}

/// Links of the content to other sites, social networks aside.
fn sources(page: &Live) -> Option<(String, String)> {
    const NETWORKS: &[&str] =
        &["facebook.", "twitter.", "x.com", "instagram.", "linkedin.", "pinterest.", "youtube.", "tiktok.", "wa.me"];
    let cited = page.facts.links.iter().filter(|it| {
        !it.internal
            && it.placement == Placement::Main
            && !it.nofollow()
            && !NETWORKS.iter().any(|network| it.url.contains(network))
    });
    let urls: Vec<&str> = cited.map(|it| it.url.as_str()).collect();
    let first = urls.first()?;
    Some((format!("{} links, first {first}", urls.len()), "main".to_owned()))
}

fn mail(page: &Live) -> Option<(String, String)> {
    let dom = &page.dom;
    let way = dom
        .elements("a")
        .find_map(|id| dom.attribute(id, "href").filter(|it| it.starts_with("mailto:") || it.starts_with("tel:")))?;
    Some((way.split(':').next().unwrap_or_default().to_owned(), "link".to_owned()))
}

/// A line such as “© 2026 Lampshop Ltd”.
fn copyright(page: &Live) -> Option<(String, String)> {
    let dom = &page.dom;
    let blocks =
        dom.descendants(0).filter(|id| matches!(dom.name(*id), "p" | "div" | "small" | "span" | "footer" | "li"));
    let line = blocks.map(|id| kit::text::collapse(&dom.own_text(id))).find(|it| {
        it.len() < 200
            && (it.contains('©') || it.to_lowercase().contains("copyright"))
            && it.chars().filter(|c| c.is_alphabetic()).count() > 3
    })?;
    Some((line, "footer".to_owned()))
}

/// What follows one of these words in a line.
fn after(text: &str, words: &[&str]) -> Option<(String, String)> {
    let line = text
        .lines()
        .find_map(|line| words.iter().find_map(|word| line.find(word).map(|at| &line[at + word.len()..])))?;
    Some((kit::text::collapse_to(line, 80), "text".to_owned())).filter(|(value, _)| !value.is_empty())
}

fn disclosure(lower: &str) -> Option<String> {
    let words = [
        "affiliate link",
        "sponsored by",
        "advertisement",
        "paid partnership",
        "we may earn",
        "we earn a commission",
        "anzeige",
        "werbung",
        "provision",
        "publicité",
        "patrocinado",
    ];
    words.iter().find(|it| lower.contains(*it)).map(|it| (*it).to_owned())
}
