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

/// What links to pages of this sort begin with, in the text or in a part of the address.
const CONTACT: Sort = Sort {
    names: &[
        "contact",
        "contact us",
        "contacts",
        "kontakt",
        "contacto",
        "contatti",
        "contactez",
        "contattaci",
        "get in touch",
    ],
    go_on: &[
        "us",
        "me",
        "form",
        "page",
        "details",
        "information",
        "info",
        "our",
        "the",
        "support",
        "sales",
        "uns",
        "nous",
        "formular",
    ],
};
const ABOUT: Sort = Sort {
    names: &[
        "about",
        "über uns",
        "ueber uns",
        "wir über uns",
        "qui sommes",
        "à propos",
        "a propos",
        "quienes somos",
        "quiénes somos",
        "sobre nosotros",
        "sobre nós",
        "sobre mí",
        "chi siamo",
        "over ons",
        "om oss",
        "om os",
        "o nas",
        "о нас",
        "о компании",
        "会社概要",
        "关于我们",
        "關於我們",
    ],
    go_on: &["us", "me", "the", "our", "this", "company", "page", "nous", "de"],
};
const PRIVACY: Sort = Sort {
    names: &[
        "privacy",
        "datenschutz",
        "datenschutzerklärung",
        "datenschutzerklaerung",
        "confidentialité",
        "confidentialite",
        "politique de confidentialité",
        "politique de confidentialite",
        "privacidad",
        "política de privacidad",
        "politica de privacidad",
        "riservatezza",
        "プライバシーポリシー",
        "隐私政策",
    ],
    go_on: &["policy", "notice", "statement", "and", "&", "center", "centre", "rights", "settings", "policies", "at"],
};
const TERMS: Sort = Sort {
    names: &[
        "terms",
        "terms and conditions",
        "conditions of",
        "conditions générales",
        "conditions generales",
        "general conditions",
        "general terms",
        "agb",
        "nutzungsbedingungen",
        "allgemeine geschäftsbedingungen",
        "editorial policy",
        "editorial guidelines",
        "editorial standards",
        "redaktion",
        "condiciones",
        "condizioni",
        "algemene voorwaarden",
        "voorwaarden",
        "利用規約",
    ],
    go_on: &[
        "of",
        "and",
        "&",
        "for",
        "use",
        "conditions",
        "service",
        "generales",
        "générales",
        "generali",
        "de",
        "di",
        "d'uso",
    ],
};
const IMPRINT: Sort = Sort {
    names: &[
        "imprint",
        "impressum",
        "legal notice",
        "aviso legal",
        "mentions légales",
        "mentions legales",
        "note legali",
        "colofon",
    ],
    go_on: &["and", "&", "und"],
};

/// What a sort of page is called.
struct Sort {
    names: &'static [&'static str],
    /// Words with which a name may go on: `About us` is what `About chains` is not.
    go_on: &'static [&'static str],
}

impl Sort {
    /// Whether words are what such a page is called.
    fn is_called(&self, words: &str) -> bool {
        self.names.iter().any(|name| {
            words.strip_prefix(name).is_some_and(|rest| {
                rest.is_empty()
                    || rest.strip_prefix(' ').is_some_and(|rest| {
                        rest.split(' ').next().is_some_and(|next| self.go_on.contains(&next))
                            && rest.split(' ').count() < 5
                    })
            })
        })
    }
}

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
    let link = |sort: &Sort| linked(&facts.links, sort);
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
        of(Signal::Contact, link(&CONTACT).or_else(|| mail(page))),
        of(Signal::About, link(&ABOUT)),
        of(Signal::Privacy, link(&PRIVACY)),
        of(Signal::Terms, link(&TERMS)),
        of(Signal::Ownership, link(&IMPRINT).or_else(|| copyright(page))),
        of(Signal::PublisherMarkup, data(member("publisher"))),
        of(Signal::Disclosure, disclosure(&lower).map(|it| (it, "text".to_owned()))),
        of(Signal::Secure, facts.final_url.starts_with("https:").then(|| ("https".to_owned(), "address".to_owned()))),
    ]
}

fn of(signal: Signal, seen: Option<(String, String)>) -> Evidence {
    let (value, place) = seen.map(|(value, place)| (kit::text::clip(&value, 300).to_owned(), place)).unzip();
    Evidence { signal, found: value.is_some(), value, place }
}

/// The first link whose text, or a part of whose address, is what such a page is called.
fn linked(links: &[Link], sort: &Sort) -> Option<(String, String)> {
    let plain = |text: &str| {
        let text = text.to_lowercase().replace('’', "'");
        kit::text::collapse(text.trim_matches(|it: char| !it.is_alphanumeric()))
    };
    let leads = |link: &&Link| {
        let path = kit::url::path_and_query(&link.url);
        let path = path.split(['?', '#']).next().unwrap_or_default().to_lowercase();
        let mut parts = path.split('/').map(|part| {
            let part = kit::url::decoded(part);
            plain(&part.split('.').next().unwrap_or_default().replace(['-', '_', '+'], " "))
        });
        link.internal && (sort.is_called(&plain(&link.anchor)) || parts.any(|part| sort.is_called(&part)))
    };
    links.iter().find(leads).map(|it| (it.url.clone(), it.placement.word().to_owned()))
}

/// The page that the author's name leads to.
fn profile(page: &Live, author: Option<&str>) -> Option<(String, String)> {
    let name = author.and_then(|it| kit::page::people(it).next()).unwrap_or_default().to_lowercase();
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

/// A phrase that says that money is behind the page, or a line that is nothing but such a label.
fn disclosure(lower: &str) -> Option<String> {
    const PHRASES: &[&str] = &[
        "affiliate link",
        "affiliate-link",
        "affiliate disclosure",
        "as an amazon associate",
        "sponsored by",
        "sponsored content",
        "paid partnership",
        "in partnership with",
        "we may earn",
        "we earn a commission",
        "we receive a commission",
        "wir eine provision",
        "wir provision",
        "enthält werbung",
        "bezahlte partnerschaft",
        "en partenariat avec",
        "lien affilié",
        "liens affiliés",
        "contenido patrocinado",
        "patrocinado por",
        "enlaces de afiliados",
    ];
    const LABELS: &[&str] =
        &["advertisement", "advertorial", "sponsored", "anzeige", "werbung", "publicité", "publicidad", "patrocinado"];
    let said = PHRASES.iter().find(|it| lower.contains(*it));
    let label = || {
        let labels = lower.lines().map(|line| line.trim_matches(|it: char| !it.is_alphanumeric()));
        labels.into_iter().find_map(|line| LABELS.iter().find(|it| **it == line))
    };
    said.or_else(label).map(|it| (*it).to_owned())
}
