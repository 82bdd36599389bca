//! Which domain a provider's property is of, and whether a website is of the same one.
//!
//! Domains are compared as somebody registers them, by the Public Suffix List, in the ASCII form of IDNA.

use sdk::prelude::*;

/// What a property covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scope {
    /// A domain with all names below it: a domain property, a zone, a registration, the domain of a mailbox.
    Domain(Domain),
    /// What begins with one address: a host, a path, and whether it is https.
    Address { host: Domain, path: String, is_secure: bool },
    /// Nothing that has a domain, such as a language model.
    Nothing,
    /// It cannot be told from the identifier.
    Unknown,
}

/// How a property and a website go together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fit {
    /// They are of one domain; what is odd about it.
    Same(Vec<String>),
    /// They are of two.
    Different,
}

/// Whether accounts of a kind have properties that can be bound to a website.
pub(crate) fn has_properties(kind: &str) -> bool {
    !matches!(kind, "pagespeed" | "indexnow" | "dataforseo" | "smtp" | "fulfilment" | "signed_webhook")
}

/// What a property covers, as far as its identifier tells.
pub(crate) fn scope(kind: &str, remote_id: &str) -> Scope {
    let domain = |text: &str| text.parse().map_or(Scope::Unknown, Scope::Domain);
    match kind {
        "llm" => Scope::Nothing,
        "google_business_profile" | "ga4" => Scope::Unknown,
        "gmail" | "jmap" => remote_id.rsplit_once('@').map_or(Scope::Unknown, |(_, name)| domain(name)),
        _ => match remote_id.strip_prefix("sc-domain:") {
            Some(name) => domain(name),
            None if remote_id.contains("://") => address(remote_id),
            None => domain(remote_id),
        },
    }
}

/// What an address covers.
pub(crate) fn address(text: &str) -> Scope {
    let Ok(url) = text.parse::<Url>() else { return Scope::Unknown };
    let Some(Ok(host)) = url.host_str().map(str::parse::<Domain>) else { return Scope::Unknown };
    Scope::Address { host, path: url.path().to_owned(), is_secure: url.scheme() == "https" }
}

impl Scope {
    /// Its name, if it has one.
    pub(crate) fn name(&self) -> Option<&Domain> {
        match self {
            Self::Domain(name) | Self::Address { host: name, .. } => Some(name),
            Self::Nothing | Self::Unknown => None,
        }
    }

    /// How a website of this domain goes together with it.
    pub(crate) fn fits(&self, site: &Domain) -> Fit {
        let Some(name) = self.name() else { return Fit::Different };
        if registered(name) != registered(site) {
            return Fit::Different;
        }
        let mut odd = Vec::new();
        match self {
            Self::Domain(name) if !site.is_within(name) => {
                odd.push(format!("it covers {name} and what is below it, which {site} is not"));
            }
            Self::Address { host, path, is_secure } => {
                if bare(host) != bare(site) {
                    odd.push(format!("it is of the host {host}, the website of {site}"));
                }
                if path != "/" {
                    odd.push(format!("it covers only what is below {path:.100}"));
                }
                if !is_secure {
                    odd.push("it covers http addresses, not https".to_owned());
                }
            }
            _ => {}
        }
        Fit::Same(odd)
    }

    /// How well a website fits; more is better, none is not at all.
    pub(crate) fn rank(&self, site: &Domain) -> Option<u8> {
        let Fit::Same(odd) = self.fits(site) else { return None };
        let same = self.name().is_some_and(|name| bare(name) == bare(site));
        Some(u8::from(same) * 2 + u8::from(odd.is_empty()))
    }
}

/// The part that somebody can register; a public suffix stands for itself.
fn registered(domain: &Domain) -> Domain {
    domain.registrable().unwrap_or_else(|| domain.clone())
}

/// Without `www.`, which hardly ever is another website.
fn bare(domain: &Domain) -> &str {
    domain.as_str().strip_prefix("www.").unwrap_or(domain.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(kind: &str, remote_id: &str, site: &str) -> Fit {
        scope(kind, remote_id).fits(&site.parse().unwrap())
    }

    fn is_same(kind: &str, remote_id: &str, site: &str) -> bool {
        fits(kind, remote_id, site) == Fit::Same(Vec::new())
    }

    #[test]
    fn a_domain_property_covers_every_name_below_it() {
        for site in ["shop.co.uk", "www.shop.co.uk", "blog.de.shop.co.uk"] {
            assert!(is_same("google_search_console", "sc-domain:shop.co.uk", site), "{site}");
        }
        assert_eq!(fits("google_search_console", "sc-domain:shop.co.uk", "myshop.co.uk"), Fit::Different);
        let Fit::Same(odd) = fits("google_search_console", "sc-domain:blog.shop.co.uk", "shop.co.uk") else { panic!() };
        assert_eq!(odd, ["it covers blog.shop.co.uk and what is below it, which shop.co.uk is not"]);
    }

    #[test]
    fn two_customers_of_one_public_suffix_are_strangers() {
        for (one, other) in [("ada.github.io", "eve.github.io"), ("a.co.uk", "b.co.uk"), ("shop.example", "shop.test")]
        {
            assert_eq!(fits("cloudflare", one, other), Fit::Different, "{one} {other}");
        }
        assert!(is_same("cloudflare", "github.io", "github.io"));
    }

    #[test]
    fn a_name_in_its_own_letters_is_the_same_as_in_ascii() {
        assert!(is_same("google_search_console", "sc-domain:bücher.example", "xn--bcher-kva.example"));
        assert!(is_same("google_search_console", "https://BÜCHER.example/", "www.bücher.example"));
        assert!(is_same("powerdns", "xn--bcher-kva.example.", "bücher.example"));
    }

    #[test]
    fn an_address_property_says_what_it_leaves_out() {
        assert!(is_same("google_search_console", "https://www.shop.example/", "shop.example"));
        let Fit::Same(odd) = fits("google_search_console", "http://de.shop.example/blog/", "shop.example") else {
            panic!()
        };
        assert_eq!(odd.len(), 3, "{odd:?}");
    }

    #[test]
    fn a_mailbox_is_of_the_domain_behind_its_at() {
        assert!(is_same("jmap", "hello@shop.example", "shop.example"));
        assert_eq!(fits("gmail", "lampshop@gmail.com", "shop.example"), Fit::Different);
        assert_eq!(scope("gmail", "nobody"), Scope::Unknown);
    }

    #[test]
    fn what_has_no_domain_fits_nothing_by_itself() {
        assert_eq!(scope("llm", "gpt-5-mini"), Scope::Nothing);
        assert_eq!(scope("google_business_profile", "locations/1"), Scope::Unknown);
        assert_eq!(scope("wordpress", "http://127.0.0.1:8601"), Scope::Unknown);
        assert_eq!(fits("llm", "shop.example", "shop.example"), Fit::Different);
    }
}
