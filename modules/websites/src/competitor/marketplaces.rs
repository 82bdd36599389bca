//! Websites that are shown for almost everything and compete with nobody in particular.

/// First labels of such websites, whatever they end on: marketplaces, directories, encyclopedias, networks, app stores.
const LABELS: &[&str] = &[
    "aliexpress",
    "allegro",
    "amazon",
    "apple",
    "bestbuy",
    "bing",
    "bol",
    "booking",
    "capterra",
    "cdiscount",
    "craigslist",
    "ebay",
    "etsy",
    "expedia",
    "facebook",
    "flipkart",
    "g2",
    "gelbeseiten",
    "glassdoor",
    "google",
    "gutefrage",
    "idealo",
    "imdb",
    "indeed",
    "instagram",
    "kaufland",
    "kleinanzeigen",
    "leboncoin",
    "linkedin",
    "medium",
    "mercadolibre",
    "microsoft",
    "otto",
    "pinterest",
    "quora",
    "rakuten",
    "reddit",
    "stackexchange",
    "stackoverflow",
    "target",
    "temu",
    "tiktok",
    "tripadvisor",
    "trustpilot",
    "twitch",
    "twitter",
    "walmart",
    "wayfair",
    "wikihow",
    "wikipedia",
    "x",
    "yahoo",
    "yandex",
    "yellowpages",
    "yelp",
    "youtube",
    "zalando",
];

/// Whether a registrable domain is one of them.
pub(super) fn is_one(domain: &str) -> bool {
    LABELS.binary_search(&domain.split('.').next().unwrap_or_default()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{LABELS, is_one};

    #[test]
    fn they_are_known_in_every_country_and_stand_in_order() {
        assert!(LABELS.is_sorted());
        assert!(is_one("amazon.co.uk") && is_one("wikipedia.org") && !is_one("amazonas-lampen.de"));
    }
}
