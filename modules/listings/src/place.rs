//! Which location of which account a reference means, and the paths that it has at Google.

use sdk::Send;
use sdk::prelude::*;
use sdk::serde_json::Value;

use crate::google::{self, READ_MASK};
use crate::stored::Location;

/// A location as a connection reaches it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The identifier of the account.
    pub(crate) account: String,
    /// The identifier of the location.
    pub(crate) location: String,
    /// The connection.
    pub(crate) connection: String,
}

impl Place {
    /// The reference of a location, which says by itself where it is: reads store nothing.
    pub(crate) fn reference(&self) -> Id<Location> {
        Id::new(format!("{}.{}.{}", self.account, self.location, self.connection))
    }

    /// The place of a reference.
    ///
    /// # Errors
    /// 404 `location_not_found` when it is no reference of this customer's connections.
    pub(crate) fn find(cx: &Cx, reference: &Id<Location>, pointer: &str) -> Result<Self> {
        let parts: Vec<&str> = reference.as_str().splitn(3, '.').collect();
        let is_plain =
            |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_".contains(&it));
        let found = match parts.as_slice() {
            [account, location, connection] if is_plain(account) && is_plain(location) => {
                let known = cx.connections().of(google::KIND).into_iter().any(|it| it.reference == *connection);
                known.then(|| Self {
                    account: (*account).to_owned(),
                    location: (*location).to_owned(),
                    connection: (*connection).to_owned(),
                })
            }
            _ => None,
        };
        found.ok_or_else(|| {
            let message = "there is no such location on your connections; listings.location.list shows them";
            Fault::not_found("location_not_found", message).at(pointer)
        })
    }

    /// The connection's part of the reference, for what is stored: no connection is looked for.
    pub(crate) fn of(reference: &str) -> Option<Self> {
        let mut parts = reference.splitn(3, '.').map(str::to_owned);
        Some(Self { account: parts.next()?, location: parts.next()?, connection: parts.next()? })
    }

    /// Its path for profile and performance.
    pub(crate) fn v1(&self) -> String {
        format!("/v1/locations/{}", self.location)
    }

    /// Its path for reviews, posts and media.
    pub(crate) fn v4(&self) -> String {
        format!("/v4/accounts/{}/locations/{}", self.account, self.location)
    }

    /// The profile as Google has it.
    pub(crate) fn read(&self, cx: &Cx, pointer: &str) -> Result<Value> {
        let request = Send::get(&self.connection, self.v1()).query("readMask", READ_MASK);
        google::answered(cx.connections().send(&request), pointer)
    }
}
