//! What kind of source an address is: by a table of well-known domains, else by its own path.

use sdk::prelude::*;

/// The kind of a source.
#[value]
pub(crate) enum Kind {
    /// The website's own page.
    Own,
    /// A page of a brand that is configured as a competitor.
    Competitor,
    /// People who talk with each other.
    Forum,
    /// A place that collects reviews or compares.
    Review,
    /// A directory of businesses.
    Directory,
    /// A newspaper, magazine or blog.
    Media,
    /// An encyclopaedia, an office or a standard.
    Reference,
    /// A shop or a marketplace.
    Shop,
    /// Nothing says.
    Unknown,
}

/// The kind of an address that is neither own nor a competitor's.
pub(crate) fn of(url: &str, domain: &str) -> Kind {
    let known = include_str!("kinds.tsv").lines().filter_map(|line| line.split_once('\t'));
    let host = kit::url::Url::parse(url).ok().and_then(|it| it.host_str().map(str::to_owned)).unwrap_or_default();
    for (kind, domains) in known {
        // A dot at the end means any country: `amazon.`
        let holds = |it: &str| {
            let bare = host.strip_prefix("www.").unwrap_or(&host);
            it == domain || it == bare || (it.ends_with('.') && (domain.starts_with(it) || bare.starts_with(it)))
        };
        if domains.split(' ').any(holds) {
            return named(kind);
        }
    }
    by_address(&host, url)
}

fn named(kind: &str) -> Kind {
    match kind {
        "forum" => Kind::Forum,
        "review" => Kind::Review,
        "directory" => Kind::Directory,
        "media" => Kind::Media,
        "reference" => Kind::Reference,
        "shop" => Kind::Shop,
        _ => Kind::Unknown,
    }
}

/// By the host's first label and the words of the path.
fn by_address(host: &str, url: &str) -> Kind {
    let path = kit::url::Url::parse(url).map(|it| it.path().to_ascii_lowercase()).unwrap_or_default();
    let first = host.split('.').next().unwrap_or_default();
    let has = |words: &[&str]| path.split(['/', '-', '_', '.']).any(|it| words.contains(&it));
    match () {
        () if matches!(first, "forum" | "forums" | "community" | "discuss" | "board") => Kind::Forum,
        () if has(&["forum", "forums", "thread", "threads", "viewtopic", "showthread", "discussion"]) => Kind::Forum,
        () if host.ends_with(".gov") || host.ends_with(".edu") || host.contains(".gov.") || host.contains(".ac.") => {
            Kind::Reference
        }
        () if has(&["wiki", "glossary", "encyclopedia", "lexikon"]) => Kind::Reference,
        () if has(&[
            "review",
            "reviews",
            "test",
            "tests",
            "vergleich",
            "best",
            "top",
            "comparison",
            "compare",
            "avis",
            "comparatif",
            "opiniones",
            "bewertung",
            "bewertungen",
        ]) =>
        {
            Kind::Review
        }
        () if has(&["directory", "listing", "listings", "branchenbuch", "annuaire", "directorio"]) => Kind::Directory,
        () if has(&["cart", "checkout", "product", "products", "shop", "collections", "produkt", "produkte"])
            || matches!(first, "shop" | "store") =>
        {
            Kind::Shop
        }
        () if has(&["news", "blog", "article", "articles", "magazine", "magazin", "artikel", "story", "posts"])
            || matches!(first, "blog" | "news") =>
        {
            Kind::Media
        }
        () => Kind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_known_domains_and_paths_say_what_a_source_is() {
        let kind = |url: &str| of(url, &serps::registrable(url).unwrap_or_default());
        assert_eq!(kind("https://www.reddit.com/r/lamps/comments/1"), Kind::Forum);
        assert_eq!(kind("https://en.wikipedia.org/wiki/Lamp"), Kind::Reference);
        assert_eq!(kind("https://www.amazon.de/dp/1"), Kind::Shop);
        assert_eq!(kind("https://www.trustpilot.com/review/shop.example"), Kind::Review);
        assert_eq!(kind("https://www.yelp.com/biz/x"), Kind::Directory);
        assert_eq!(kind("https://www.theguardian.com/x"), Kind::Media);
        assert_eq!(kind("https://journal.example/best-lamps"), Kind::Review);
        assert_eq!(kind("https://forum.lamp.example/t/1"), Kind::Forum);
        assert_eq!(kind("https://lamps.example/about"), Kind::Unknown);
    }
}
