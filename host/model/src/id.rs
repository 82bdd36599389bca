//! Opaque names of things: customers, grants, clients, requests, jobs.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::clock::{Entropy, Moment};

macro_rules! opaque {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// A new one: the prefix and 128 random bits in lower-case base 32.
            pub fn new(entropy: &dyn Entropy) -> Self {
                Self(format!(concat!($prefix, "_{}"), base32(&entropy.array::<16>())).into())
            }

            /// The text as stored and as shown.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

opaque! {
    /// A customer of the service. Never crosses into a guest.
    CustomerId = "cus";
    /// One approval of one client by one customer; every token of its family carries it.
    GrantId = "gra";
    /// A registered OAuth client.
    ClientId = "cli";
    /// One request as the client sees it: `request_id`, `X-Request-Id`.
    RequestId = "req";
    /// Who holds an idempotency key or a job at this moment; random, so that a late holder never matches.
    Claim = "clm";
    /// A queued piece of work.
    JobId = "job";
    /// A search and what followed from it: contract, execution, feedback.
    IntentRef = "int";
    /// A record of feedback.
    FeedbackId = "fbk";
    /// A portal session, by its public name; the cookie's secret is stored only as a hash.
    SessionId = "ses";
    /// An order of credits; also what the customer writes on the payment.
    OrderId = "ord";
    /// A customer's own account at a provider.
    ConnectionId = "con";
    /// A consent at a provider that a customer was asked for: `flow_ref`.
    ConsentId = "flw";
    /// A file that a customer hands over, as modules name it.
    UploadId = "upl";
    /// A blob that anybody with its address may see, as modules name it.
    ShareId = "shr";
}

impl RequestId {
    /// A new one that sorts by its moment: 48 bits of milliseconds and 80 random bits. What a request leaves in the
    /// ledger then goes to the end of its customer's rows, and a database writes one page where it would write many.
    pub fn at(now: Moment, entropy: &dyn Entropy) -> Self {
        let mut bytes = [0; 16];
        bytes[..6].copy_from_slice(&now.0.to_be_bytes()[2..]);
        bytes[6..].copy_from_slice(&entropy.array::<10>());
        Self(format!("req_{}", digits(&bytes, b"0123456789abcdefghijklmnopqrstuv")).into())
    }
}

/// Lower-case RFC 4648 base 32 without padding.
pub fn base32(bytes: &[u8]) -> String {
    digits(bytes, b"abcdefghijklmnopqrstuvwxyz234567")
}

/// Five bits a letter, the highest first. An alphabet in the order of its letters' codes keeps the order of the bytes.
fn digits(bytes: &[u8], alphabet: &[u8; 32]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(5) * 8);
    let (mut buffer, mut bits) = (0u32, 0u32);
    for byte in bytes {
        buffer = (buffer << 8) | u32::from(*byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            text.push(char::from(alphabet[(buffer >> bits) as usize & 31]));
        }
    }
    if bits > 0 {
        text.push(char::from(alphabet[(buffer << (5 - bits)) as usize & 31]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SeededEntropy;

    #[test]
    fn request_ids_sort_by_their_moment_and_differ_within_one() {
        let entropy = SeededEntropy::new([7; 32]);
        let ids: Vec<RequestId> =
            [0, 1, 31, 32, 1_795_176_000_000, 1_795_176_000_001].map(|ms| RequestId::at(Moment(ms), &entropy)).into();
        assert!(ids.is_sorted(), "{ids:?}");
        let now = Moment(1_795_176_000_000);
        assert_ne!(RequestId::at(now, &entropy), RequestId::at(now, &entropy));
    }
}
