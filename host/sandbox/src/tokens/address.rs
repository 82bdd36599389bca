//! Addresses of a provider's OAuth endpoints: as its kind defines them, or the same paths at a stand-in.

use url::Url;

/// Resolves an address of the provider. An endpoint replaces scheme, host, port and any path prefix.
pub(super) fn at(endpoint: Option<&str>, address: &str) -> Option<Url> {
    let url = Url::parse(address).ok()?;
    match endpoint {
        None => Some(url),
        Some(endpoint) => Url::parse(&format!("{}{}", endpoint.trim_end_matches('/'), url.path())).ok(),
    }
}

/// Scheme, host and port as browsers write an origin.
pub(super) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_stands_in_for_everything_before_the_path() {
        let token = "https://oauth2.googleapis.com/token";
        assert_eq!(at(None, token).unwrap().as_str(), token);
        assert_eq!(at(Some("http://127.0.0.1:81"), token).unwrap().as_str(), "http://127.0.0.1:81/token");
        assert_eq!(at(Some("https://gate.example/g/"), token).unwrap().as_str(), "https://gate.example/g/token");
        assert_eq!(
            origin(&Url::parse("https://accounts.google.com/o/oauth2/v2/auth").unwrap()),
            "https://accounts.google.com"
        );
    }
}
