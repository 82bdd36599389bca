//! Resolution of a target to the addresses that may be dialled: resolved once, each classified, and pinned.

use std::net::{IpAddr, SocketAddr};

use super::address::{is_own, special};
use super::target::Name;
use super::{Decision, Failure, Guard, Verdict};

/// Addresses of a name that are accepted. No legitimate name has more.
const MOST_ADDRESSES: usize = 32;

/// Ports of the public web.
pub(super) const PORTS: [u16; 2] = [80, 443];

/// A host and port, independent of the protocol.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) host: Name,
    pub(super) port: u16,
    /// The allowed ports of the protocol, besides those of the policy.
    pub(super) ports: &'static [u16],
}

impl Guard {
    /// The addresses to dial, in order.
    pub(super) async fn resolve(&self, place: &Place, trail: &mut Vec<Decision>) -> Result<Vec<SocketAddr>, Failure> {
        let name = place.host.text();
        if let Some(mapped) = self.policy.resolve.get(&name) {
            trail.push(decision(place, Some(mapped.ip()), Verdict::Permitted));
            return Ok(vec![*mapped]);
        }
        let addresses: Vec<IpAddr> = match &place.host {
            Name::Address(address) => vec![*address],
            Name::Domain(name) => {
                // Refuse before the lookup: the query itself already tells the name server something.
                if let Some(broken) = self.closed(place).filter(|_| self.policy.allow_private.is_empty()) {
                    trail.push(decision(place, None, broken));
                    return Err(Failure::Refused);
                }
                match tokio::net::lookup_host((absolute(name), place.port)).await {
                    Ok(found) => found.map(|address| address.ip()).collect(),
                    Err(_) => Vec::new(),
                }
            }
        };
        if addresses.is_empty() {
            trail.push(decision(place, None, Verdict::Unresolved));
            return Err(Failure::Unresolved);
        }
        match self.judge(place, &addresses) {
            Ok(()) => {
                trail.push(decision(place, addresses.first().copied(), Verdict::Permitted));
                Ok(addresses.into_iter().map(|address| SocketAddr::new(address, place.port)).collect())
            }
            Err(refused) => {
                trail.push(refused);
                Err(Failure::Refused)
            }
        }
    }

    /// One refused address refuses the name: the owner of a zone could mix public and private addresses.
    pub(super) fn judge(&self, place: &Place, addresses: &[IpAddr]) -> Result<(), Decision> {
        if addresses.len() > MOST_ADDRESSES {
            return Err(decision(place, None, Verdict::Unresolved));
        }
        let opened = |address: IpAddr| self.policy.allow_private.iter().any(|range| range.contains(address));
        for address in addresses.iter().copied().filter(|address| !opened(*address)) {
            if let Some(range) = special(address) {
                return Err(decision(place, Some(address), Verdict::Address(range)));
            }
            if is_own(address) {
                return Err(decision(place, Some(address), Verdict::Address("own")));
            }
            if let Some(broken) = self.closed(place) {
                return Err(decision(place, Some(address), broken));
            }
        }
        Ok(())
    }

    /// The rule that the name or the port violates, whatever the address.
    pub(super) fn closed(&self, place: &Place) -> Option<Verdict> {
        if place.host.is_inside() {
            return Some(Verdict::Name);
        }
        let open = place.ports.contains(&place.port) || self.policy.ports.contains(&place.port);
        (!open).then_some(Verdict::Port)
    }
}

/// Adds the trailing dot, so that the system's search list cannot change the name. A single label, which only
/// development may use, stays as it is.
fn absolute(name: &str) -> String {
    if name.contains('.') { format!("{name}.") } else { name.to_owned() }
}

pub(super) fn decision(place: &Place, address: Option<IpAddr>, verdict: Verdict) -> Decision {
    Decision { host: place.host.text(), port: place.port, address, verdict, line: None }
}
