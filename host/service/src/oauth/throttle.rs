//! Doors that may be tried only so often: sign-in by account and by address, registration and tokens by address.

use std::time::Duration;

use model::clock::Moment;
use model::token::Secret;
use store::identity::attempts::{Admission, Counter};

use crate::limits::Standing;
use crate::oauth::Authority;
use crate::oauth::fault::{Code, Fault};

/// What is being tried, and by whom.
#[derive(Clone, Copy, Debug)]
pub enum Door<'a> {
    /// Sign-in.
    SignIn {
        /// The normalised e-mail.
        account: &'a str,
        /// Where from.
        address: &'a str,
    },
    /// Sign-in with a browser that has signed in to the account before.
    KnownDevice {
        /// The normalised e-mail.
        account: &'a str,
        /// Which browser.
        device: &'a str,
    },
    /// Registration of a client.
    Registration {
        /// Where from.
        address: &'a str,
    },
}

/// What a door is called in the headers of a refusal.
const SIGN_IN: &str = "sign_in";
const REGISTRATION: &str = "registration";

const SIGN_IN_WINDOW: Duration = Duration::from_secs(15 * 60);
const REGISTRATION_WINDOW: Duration = Duration::from_secs(60 * 60);
const REGISTRATIONS_WINDOW: Duration = Duration::from_secs(24 * 60 * 60);
/// A site of many networks may register this many times what one network may. In a day that is less than what all may
/// together, so that a share stays free.
const NETWORKS_PER_SITE: u32 = 4;
/// An address may serve several people: this many times what one account may try.
const ACCOUNTS_PER_ADDRESS: u32 = 4;

impl Authority {
    /// Counts a try.
    ///
    /// # Errors
    /// `temporarily_unavailable` with the limit and the seconds to wait when the door has been tried too often.
    pub(crate) async fn admit(&self, door: Door<'_>, now: Moment) -> Result<(), Fault> {
        let limits = &self.config().limits;
        let (name, counters) = match door {
            Door::SignIn { account, address } => {
                let most = limits.sign_in.saturating_mul(ACCOUNTS_PER_ADDRESS);
                let of_account = Counter { key: account_key(account), most: limits.sign_in, window: SIGN_IN_WINDOW };
                (SIGN_IN, vec![of_account, Counter { key: address_key(address), most, window: SIGN_IN_WINDOW }])
            }
            Door::KnownDevice { account, device } => {
                let key = device_key(account, device);
                (SIGN_IN, vec![Counter { key, most: limits.sign_in, window: SIGN_IN_WINDOW }])
            }
            Door::Registration { address } => {
                let key = key("registration from", &network(address));
                let from_here = Counter { key, most: limits.registration, window: REGISTRATION_WINDOW };
                // Who has a /48 has 65,536 networks of a /64: together they are a few, not so many.
                let key = self::key("registration from around", &site(address));
                let most = limits.registration.saturating_mul(NETWORKS_PER_SITE);
                let from_around = Counter { key, most, window: REGISTRATION_WINDOW };
                let key = self::key("registration from", "everywhere");
                let together = Counter { key, most: limits.registrations, window: REGISTRATIONS_WINDOW };
                (REGISTRATION, vec![from_here, from_around, together])
            }
        };
        match self.store().identity.attempt(counters.clone(), now).await? {
            Admission::Open => Ok(()),
            Admission::Shut { counter, until } => {
                let reset = until.since(now).as_secs() + 1;
                let (quota, window) = counters.get(counter).map_or((0, reset), |it| (it.most, it.window.as_secs()));
                Err(Fault::limited(Standing { limit: name, quota, window, remaining: 0, reset }))
            }
        }
    }

    /// Counts a request to the token or the revocation endpoint.
    ///
    /// # Errors
    /// A wait, for a network that asks too often, or where too much fails.
    pub(crate) fn admit_caller(&self, address: &str) -> Result<(), Fault> {
        self.limiter().token(&network(address), self.clock().now()).map(drop).map_err(Fault::limited)
    }

    /// Counts a request that failed; what the service itself failed at does not count.
    pub(crate) fn note_failure(&self, address: &str, fault: Option<&Fault>) {
        match fault.map(|fault| fault.code) {
            None | Some(Code::SlowDown | Code::TemporarilyUnavailable) => {}
            Some(_) => self.limiter().token_failed(&network(address), self.clock().now()),
        }
    }

    /// Takes back the try of somebody who has signed in: many people may do that from one address. What others tried
    /// on the account from elsewhere stays counted when a known device signs in.
    pub(crate) async fn readmit(&self, door: Door<'_>) -> Result<(), Fault> {
        match door {
            Door::SignIn { account, address } => {
                self.store().identity.forgive(account_key(account), vec![address_key(address)]).await?;
            }
            Door::KnownDevice { account, device } => {
                self.store().identity.forgive(device_key(account, device), Vec::new()).await?;
            }
            Door::Registration { .. } => {}
        }
        Ok(())
    }
}

fn account_key(account: &str) -> String {
    key("sign-in of", account)
}

fn device_key(account: &str, device: &str) -> String {
    key("sign-in of", &format!("{account} with {device}"))
}

fn address_key(address: &str) -> String {
    key("sign-in from", &network(address))
}

fn key(what: &str, who: &str) -> String {
    Secret::received(format!("{what} {who}")).hash().as_str().to_owned()
}

/// The /24 of an IPv4 address, or the /48 of an IPv6 address: what one site has at most.
fn site(address: &str) -> String {
    match address.parse::<std::net::IpAddr>().map(|address| address.to_canonical()) {
        Ok(std::net::IpAddr::V6(v6)) => {
            let [a, b, c, ..] = v6.segments();
            format!("{a:x}:{b:x}:{c:x}::/48")
        }
        Ok(std::net::IpAddr::V4(v4)) => {
            let [a, b, c, _] = v4.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        Err(_) => address.to_owned(),
    }
}

/// An IPv4 address, or the /64 of an IPv6 address: what one subscriber has.
pub(crate) fn network(address: &str) -> String {
    match address.parse::<std::net::IpAddr>() {
        Ok(std::net::IpAddr::V6(v6)) => match v6.to_ipv4_mapped() {
            Some(v4) => v4.to_string(),
            None => {
                let [a, b, c, d, ..] = v6.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        },
        Ok(std::net::IpAddr::V4(v4)) => v4.to_string(),
        Err(_) => address.to_owned(),
    }
}
