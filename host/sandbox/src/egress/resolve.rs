//! From a target to the addresses that may be dialled: resolved once, every one classified, and pinned.

use std::net::{IpAddr, SocketAddr};

use super::address::{is_own, special};
use super::target::{Name, Target};
use super::{Decision, Failure, Guard, Verdict};

/// Addresses of a name that are looked at; more is no honest answer.
const MOST_ADDRESSES: usize = 32;

/// Ports of the public web.
const PORTS: [u16; 2] = [80, 443];

impl Guard {
    /// The addresses to dial, in order.
    pub(super) async fn resolve(&self, target: &Target, trail: &mut Vec<Decision>) -> Result<Vec<SocketAddr>, Failure> {
        let name = target.host.text();
        if let Some(mapped) = self.policy.resolve.get(&name) {
            trail.push(decision(target, Some(mapped.ip()), Verdict::Permitted));
            return Ok(vec![*mapped]);
        }
        let addresses: Vec<IpAddr> = match &target.host {
            Name::Address(address) => vec![*address],
            Name::Domain(name) => {
                // Refused before a question goes out: asking already tells the name server.
                if let Some(broken) = self.closed(target).filter(|_| self.policy.allow_private.is_empty()) {
                    trail.push(decision(target, None, broken));
                    return Err(Failure::Refused);
                }
                match tokio::net::lookup_host((absolute(name), target.port)).await {
                    Ok(found) => found.map(|address| address.ip()).collect(),
                    Err(_) => Vec::new(),
                }
            }
        };
        if addresses.is_empty() {
            trail.push(decision(target, None, Verdict::Unresolved));
            return Err(Failure::Unresolved);
        }
        match self.judge(target, &addresses) {
            Ok(()) => {
                trail.push(decision(target, addresses.first().copied(), Verdict::Permitted));
                Ok(addresses.into_iter().map(|address| SocketAddr::new(address, target.port)).collect())
            }
            Err(refused) => {
                trail.push(refused);
                Err(Failure::Refused)
            }
        }
    }

    /// One bad address spoils the name: who controls a zone could mix a public and a private one.
    pub(super) fn judge(&self, target: &Target, addresses: &[IpAddr]) -> Result<(), Decision> {
        if addresses.len() > MOST_ADDRESSES {
            return Err(decision(target, None, Verdict::Unresolved));
        }
        let opened = |address: IpAddr| self.policy.allow_private.iter().any(|range| range.contains(address));
        for address in addresses.iter().copied().filter(|address| !opened(*address)) {
            if let Some(range) = special(address) {
                return Err(decision(target, Some(address), Verdict::Address(range)));
            }
            if is_own(address) {
                return Err(decision(target, Some(address), Verdict::Address("own")));
            }
            if let Some(broken) = self.closed(target) {
                return Err(decision(target, Some(address), broken));
            }
        }
        Ok(())
    }

    /// The rule that the name or the port breaks, whatever the address.
    pub(super) fn closed(&self, target: &Target) -> Option<Verdict> {
        if target.host.is_inside() {
            return Some(Verdict::Name);
        }
        let open = PORTS.contains(&target.port) || self.policy.ports.contains(&target.port);
        (!open).then_some(Verdict::Port)
    }
}

/// A name with its last dot, so that no search list of the system makes another one of it. A single label, which only
/// development may ask for, stays as it is.
fn absolute(name: &str) -> String {
    if name.contains('.') { format!("{name}.") } else { name.to_owned() }
}

pub(super) fn decision(target: &Target, address: Option<IpAddr>, verdict: Verdict) -> Decision {
    Decision { host: target.host.text(), port: target.port, address, verdict }
}
