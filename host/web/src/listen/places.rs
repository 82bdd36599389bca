//! Places for connections: so many in all, and so many of one address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

use service::config::Network;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Bounds;

/// The places of a listener.
pub(super) struct Places {
    all: Arc<Semaphore>,
    per_address: usize,
    proxies: Vec<Network>,
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// The place of one connection. Dropping it makes room for another.
pub(super) struct Place {
    _room: OwnedSemaphorePermit,
    /// None: the address has no bound.
    address: Option<IpAddr>,
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Places {
    pub(super) fn new(bounds: Bounds, proxies: Vec<Network>) -> Self {
        Self {
            all: Arc::new(Semaphore::new(bounds.connections.max(1))),
            per_address: bounds.per_address.max(1),
            proxies,
            taken: Arc::default(),
        }
    }

    /// Waits until there is room for a connection. None never comes: the semaphore is not closed.
    pub(super) async fn room(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.all).acquire_owned().await.ok()
    }

    /// The place of a connection from this address, unless it has as many as it may have.
    pub(super) fn place(&self, room: Option<OwnedSemaphorePermit>, address: IpAddr) -> Option<Place> {
        let (address, taken) = (address.to_canonical(), Arc::clone(&self.taken));
        let room = room?;
        if self.proxies.iter().any(|network| network.contains(address)) {
            return Some(Place { _room: room, address: None, taken });
        }
        let address = party(address);
        {
            let mut counts = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
            let count = counts.entry(address).or_default();
            if *count >= self.per_address {
                return None;
            }
            *count += 1;
        }
        Some(Place { _room: room, address: Some(address), taken })
    }
}

/// What counts as one address: an IPv4 address, or the /64 of an IPv6 address, which is what one line is given.
fn party(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(address) = self.address else { return };
        let mut counts = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    //! Tests of `places`.

    use super::*;

    fn places(connections: usize, per_address: usize, proxies: &[&str]) -> Places {
        let bounds = Bounds { connections, per_address, ..Bounds::default() };
        Places::new(bounds, proxies.iter().map(|it| it.parse().unwrap()).collect())
    }

    async fn take(places: &Places, address: &str) -> Option<Place> {
        places.place(places.room().await, address.parse().unwrap())
    }

    #[tokio::test]
    async fn an_address_has_so_many_places_and_a_connection_that_ends_gives_one_back() {
        let places = places(100, 2, &[]);
        let first = take(&places, "192.0.2.1").await;
        let second = take(&places, "192.0.2.1").await;
        assert!(first.is_some() && second.is_some() && take(&places, "192.0.2.1").await.is_none());
        assert!(take(&places, "192.0.2.2").await.is_some(), "another address has its own");
        assert!(take(&places, "::ffff:192.0.2.1").await.is_none(), "the same address, written for IPv6");
        drop(second);
        assert!(take(&places, "192.0.2.1").await.is_some());
        drop(first);
        assert!(places.taken.lock().unwrap().is_empty(), "what is over leaves nothing behind");
    }

    #[tokio::test]
    async fn the_addresses_of_one_line_count_together() {
        let places = places(100, 1, &[]);
        let _first = take(&places, "2001:db8:1:2::1").await.unwrap();
        assert!(take(&places, "2001:db8:1:2:ffff::9").await.is_none());
        assert!(take(&places, "2001:db8:1:3::1").await.is_some());
    }

    #[tokio::test]
    async fn a_trusted_proxy_brings_as_many_connections_as_there_is_room_for() {
        let places = places(3, 1, &["10.0.0.0/8"]);
        let kept = [take(&places, "10.0.0.1").await, take(&places, "10.0.0.1").await, take(&places, "10.0.0.1").await];
        assert!(kept.iter().all(Option::is_some));
        let waits = tokio::time::timeout(std::time::Duration::from_millis(1), places.room()).await;
        assert!(waits.is_err(), "beyond all places a connection waits");
    }
}
