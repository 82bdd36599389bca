//! Blobs that anybody with the address may see, and blobs that ask for a passcode.

use crate::bindings::wit::{guarded_shares_write as guarded, shares as wit, shares_write as write};
use crate::host::Edges as _;
use crate::value::{Id, Moment};
use crate::{Cx, Fault, Result, Secret};

/// What a blob is shown as.
pub use crate::bindings::wit::shares_write::Media;

/// What a blob is shown as that may ask for a passcode.
pub use crate::bindings::wit::guarded_shares_write::Media as GuardedMedia;

/// A share of the own module and customer.
#[derive(Debug, Clone, PartialEq)]
pub struct Share {
    /// For records and later calls.
    pub id: Id<Share>,
    /// The blob's key.
    pub key: String,
    /// Until when it can be seen.
    pub expires: Moment,
    /// When it was taken back.
    pub ended: Option<Moment>,
    /// How often it was seen.
    pub views: u64,
}

/// A share that was just made.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// For records and later calls.
    pub id: Id<Share>,
    /// Whoever has it may see the blob. It is not kept, so put it into no record.
    pub url: String,
    /// Until when.
    pub expires: Moment,
}

/// A share to be made, in more kinds of files, and with a passcode if wanted.
#[derive(Debug, Clone)]
pub struct Guarded(guarded::Publication);

impl Guarded {
    /// A blob for whoever has the address, for at most 366 days.
    pub fn new(key: &str, media: GuardedMedia, life_seconds: u32) -> Self {
        let key = key.to_owned();
        Self(guarded::Publication { key, media, file_name: None, life_seconds, passcode: None, with_grant: false })
    }

    /// What a browser calls the file: 1 to 100 letters, digits, spaces, `.`, `-` and `_`.
    #[must_use]
    pub fn file_name(mut self, name: &str) -> Self {
        self.0.file_name = Some(name.to_owned());
        self
    }

    /// Visitors are asked for this secret argument of the call, a text of 6 to 128 characters.
    #[must_use]
    pub fn passcode(mut self, passcode: &Secret) -> Self {
        self.0.passcode = Some(passcode.handle().to_owned());
        self
    }

    /// The address shows nothing once the customer ends the access that the call or job runs under.
    #[must_use]
    pub fn with_grant(mut self) -> Self {
        self.0.with_grant = true;
        self
    }
}

/// The shares. Made by `Cx::shares`.
pub struct Shares<'a> {
    pub(crate) cx: &'a Cx,
}

impl Shares<'_> {
    /// Lets anybody with the address see a blob for at most 366 days; committed with the call. 404 `blob_not_found`
    /// without such a blob.
    pub fn publish(&self, key: &str, media: Media, file_name: Option<&str>, life_seconds: u32) -> Result<Published> {
        self.publish_as(key, media, file_name, life_seconds, false)
    }

    /// As [`Shares::publish`]; besides, the address shows nothing once the customer ends the access that the call or
    /// job runs under. For copies of the customer's own data.
    pub fn publish_with_grant(
        &self,
        key: &str,
        media: Media,
        file_name: Option<&str>,
        life_seconds: u32,
    ) -> Result<Published> {
        self.publish_as(key, media, file_name, life_seconds, true)
    }

    /// Shares a blob in more kinds of files than [`Shares::publish`], with a passcode if wanted; committed with the call.
    /// 404 `blob_not_found` without such a blob, 422 `share_refused` with a passcode that is none.
    pub fn publish_guarded(&self, share: &Guarded) -> Result<Published> {
        let published = self.cx.host.share_publish_guarded(&share.0).map_err(|error| match error {
            guarded::ShareError::Malformed(reason) => Fault::refused("share_refused", reason),
            guarded::ShareError::Missing => nothing_to_share(),
        })?;
        let guarded::Published { reference, url, expires } = published;
        Ok(Published { id: Id::new(reference), url, expires: Moment::from_millis(expires) })
    }

    fn publish_as(
        &self,
        key: &str,
        media: Media,
        file_name: Option<&str>,
        life_seconds: u32,
        with_grant: bool,
    ) -> Result<Published> {
        let file_name = file_name.map(str::to_owned);
        let publication = write::Publication { key: key.to_owned(), media, file_name, life_seconds };
        let published = self.cx.host.share_publish(&publication, with_grant).map_err(|error| match error {
            write::ShareError::Malformed(reason) => Fault::refused("share_refused", reason),
            write::ShareError::Missing => nothing_to_share(),
        })?;
        Ok(Published {
            id: Id::new(published.reference),
            url: published.url,
            expires: Moment::from_millis(published.expires),
        })
    }

    /// The share with this reference; 404 `share_not_found` without one.
    pub fn get(&self, id: &Id<Share>) -> Result<Share> {
        self.cx.host.share_get(id.as_str()).map(shown).ok_or_else(missing)
    }

    /// Takes a share back at once; again is no error.
    pub fn revoke(&self, id: &Id<Share>) -> Result<Share> {
        self.cx.host.share_revoke(id.as_str()).map(shown).map_err(|error| match error {
            write::ShareError::Malformed(reason) => Fault::refused("share_refused", reason),
            write::ShareError::Missing => missing(),
        })
    }
}

fn nothing_to_share() -> Fault {
    Fault::not_found("blob_not_found", "there is nothing to share")
}

fn missing() -> Fault {
    Fault::not_found("share_not_found", "there is no such share")
}

fn shown(share: wit::Share) -> Share {
    let wit::Share { reference, key, created: _, expires, ended, views } = share;
    let (expires, ended) = (Moment::from_millis(expires), ended.map(Moment::from_millis));
    Share { id: Id::new(reference), key, expires, ended, views }
}
