//! Where a request comes from, for counting: the peer, or, behind a proxy that is trusted, whom it names.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, HeaderName};
use service::config::{Config, Network};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The client's address as text; `unknown` where there is no connection to have one.
pub(crate) fn address(config: &Config, request: &Request) -> String {
    match request.extensions().get::<ConnectInfo<SocketAddr>>() {
        Some(ConnectInfo(peer)) => client(&config.trusted_proxies, peer.ip(), request.headers()).to_string(),
        None => "unknown".to_owned(),
    }
}

/// Each proxy adds the address it was called from at the end of `X-Forwarded-For`. So the list is read from there,
/// for as long as the one who wrote an entry is trusted: the first who is not is the client. What stands before it
/// was written by the client itself and is worth nothing; and from an untrusted peer so is all of it.
fn client(trusted: &[Network], peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address.to_canonical()));
    let mut last = peer.to_canonical();
    let lines = headers.get_all(X_FORWARDED_FOR).iter().rev();
    for line in lines {
        let Ok(line) = line.to_str() else { return last };
        for entry in line.rsplit(',') {
            if !is_trusted(last) {
                return last;
            }
            match read(entry.trim()) {
                Some(address) => last = address.to_canonical(),
                None => return last,
            }
        }
    }
    last
}

/// An address, as proxies write it: alone, in brackets, or with a port.
fn read(entry: &str) -> Option<IpAddr> {
    let bare = entry.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    bare.unwrap_or(entry).parse().ok().or_else(|| entry.parse::<SocketAddr>().ok().map(|socket| socket.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(peer: &str, lines: &[&str]) -> String {
        let trusted = ["10.0.0.0/8", "fd00::/8", "127.0.0.1/32"].map(|text| text.parse().unwrap());
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(X_FORWARDED_FOR, line.parse().unwrap());
        }
        client(&trusted, peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn a_peer_that_is_not_trusted_cannot_say_that_it_is_somebody_else() {
        assert_eq!(from("203.0.113.9", &[]), "203.0.113.9");
        assert_eq!(from("203.0.113.9", &["198.51.100.1"]), "203.0.113.9");
        assert_eq!(from("203.0.113.9", &["10.0.0.1"]), "203.0.113.9");
    }

    #[test]
    fn behind_trusted_proxies_the_rightmost_address_that_is_not_trusted_is_the_client() {
        assert_eq!(from("10.0.0.2", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(from("10.0.0.2", &["192.0.2.66, 198.51.100.1"]), "198.51.100.1", "the first was made up");
        assert_eq!(from("10.0.0.2", &["192.0.2.66, 198.51.100.1, 10.0.0.3"]), "198.51.100.1");
        assert_eq!(from("10.0.0.2", &["192.0.2.66", "198.51.100.1", "10.0.0.3"]), "198.51.100.1");
        assert_eq!(from("127.0.0.1", &["2001:db8::7"]), "2001:db8::7");
    }

    #[test]
    fn ports_brackets_and_mapped_addresses_are_understood() {
        assert_eq!(from("::ffff:10.0.0.2", &["198.51.100.1:4711"]), "198.51.100.1");
        assert_eq!(from("fd00::1", &["[2001:db8::7]:443"]), "2001:db8::7");
        assert_eq!(from("fd00::1", &["[2001:db8::7]"]), "2001:db8::7");
        assert_eq!(from("10.0.0.2", &["::ffff:198.51.100.1"]), "198.51.100.1");
    }

    #[test]
    fn what_is_no_address_ends_the_list_at_the_last_that_was_certain() {
        assert_eq!(from("10.0.0.2", &["198.51.100.1, unknown"]), "10.0.0.2");
        assert_eq!(from("10.0.0.2", &["198.51.100.1, , 10.0.0.3"]), "10.0.0.3");
        assert_eq!(from("10.0.0.2", &[""]), "10.0.0.2");
        assert_eq!(from("10.0.0.2", &["10.0.0.4, 10.0.0.3"]), "10.0.0.4", "a client inside the house");
    }
}
