//! The operator's OAuth clients: the client id and secret of this service at each provider.

use std::collections::{BTreeMap, BTreeSet};

use catalog::kinds::{self, Kind};
use model::token::Secret;
use url::Url;

/// This service as an OAuth client of one provider.
#[derive(Clone, Debug)]
pub struct Client {
    /// The client id.
    pub id: String,
    /// The client secret; `None` for a public client.
    pub secret: Option<Secret>,
    /// A stand-in for the provider, also for the connections made through it. For tests and development.
    pub endpoint: Option<String>,
}

/// The clients, by kind or by the host of a token endpoint.
#[derive(Clone, Debug, Default)]
pub struct Clients(BTreeMap<String, Client>);

impl Clients {
    /// Validates the clients.
    ///
    /// # Errors
    /// A client id is empty, an endpoint is not an address, or a name is neither a kind with consent nor the host of a
    /// token endpoint. The message lists the valid names.
    pub fn new(clients: BTreeMap<String, Client>) -> Result<Self, String> {
        let names: BTreeSet<String> =
            kinds::kinds().iter().filter_map(|(name, kind)| Some([name.clone(), host(kind)?])).flatten().collect();
        for (name, client) in &clients {
            if !names.contains(name) {
                let known = names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
                return Err(format!("{name:?} has no use; clients are for {known}"));
            }
            if client.id.trim().is_empty() {
                return Err(format!("{name}: client_id is empty"));
            }
            let is_address = |it: &String| Url::parse(it).is_ok_and(|url| url.has_host() && url.query().is_none());
            if !client.endpoint.as_ref().is_none_or(is_address) {
                return Err(format!("{name}: endpoint is not an address such as http://127.0.0.1:8081"));
            }
        }
        Ok(Self(clients))
    }

    /// The client for a kind: its own, or that of its provider.
    pub fn of(&self, kind: &str) -> Option<&Client> {
        let by_host = || self.0.get(&host(kinds::kind(kind)?)?);
        self.0.get(kind).or_else(by_host)
    }
}

/// The host of a kind's token endpoint.
fn host(kind: &Kind) -> Option<String> {
    Some(Url::parse(&kind.oauth()?.token).ok()?.host_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(id: &str) -> Client {
        Client { id: id.to_owned(), secret: None, endpoint: None }
    }

    fn clients(all: &[(&str, &str)]) -> Result<Clients, String> {
        Clients::new(all.iter().map(|(name, id)| ((*name).to_owned(), client(id))).collect())
    }

    #[test]
    fn one_client_serves_all_kinds_of_a_provider_but_those_with_their_own() {
        let clients = clients(&[("oauth2.googleapis.com", "all"), ("gmail", "mail")]).unwrap();
        assert_eq!(clients.of("ga4").unwrap().id, "all");
        assert_eq!(clients.of("gmail").unwrap().id, "mail");
        assert!(clients.of("bing_webmaster").is_none());
        assert!(clients.of("wordpress").is_none() && clients.of("nothing").is_none());
    }

    #[test]
    fn a_client_for_nothing_is_refused_with_what_there_could_be() {
        let error = clients(&[("google", "x")]).unwrap_err();
        assert!(error.contains("oauth2.googleapis.com") && error.contains("gmail"), "{error}");
        assert!(clients(&[("wordpress", "x")]).is_err(), "it is not connected by a consent");
        assert!(clients(&[("gmail", " ")]).is_err());
        let odd = Client { endpoint: Some("not an address".to_owned()), ..client("x") };
        assert!(Clients::new([("gmail".to_owned(), odd)].into()).is_err());
    }
}
