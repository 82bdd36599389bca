//! `shares`, `shares-write` and `guarded-shares-write`: blobs that are public to everyone with the address, and with the
//! passcode where there is one.

use std::time::Duration;

use store::RecordsError;
use store::edges::shares::ShareView;

use crate::bindings::{guarded_shares_write, shares, shares_write};
use crate::capability::since_1970;
use crate::passcode::Passcode;
use crate::state::State;

/// 366 days in seconds.
const LONGEST: u32 = 366 * 86_400;

type Outcome<T> = wasmtime::Result<Result<T, shares_write::ShareError>>;

impl shares::Host for State {
    async fn get(&mut self, reference: String) -> wasmtime::Result<Option<shares::Share>> {
        self.enter()?;
        let share = self.span.bound(self.workspace.share(&reference)).await;
        Ok(self.known(share)?.ok().flatten().map(shown))
    }
}

impl shares_write::Host for State {
    async fn publish(&mut self, publication: shares_write::Publication) -> Outcome<shares_write::Published> {
        self.simply(publication, false).await
    }

    async fn publish_with_grant(&mut self, publication: shares_write::Publication) -> Outcome<shares_write::Published> {
        self.simply(publication, true).await
    }

    async fn revoke(&mut self, reference: String) -> Outcome<shares::Share> {
        self.enter_changing()?;
        let ended = self.span.bound(self.workspace.end_share(&reference)).await;
        Ok(self.known(ended)?.map(shown).map_err(refused))
    }
}

impl guarded_shares_write::Host for State {
    async fn publish(
        &mut self,
        publication: guarded_shares_write::Publication,
    ) -> wasmtime::Result<Result<guarded_shares_write::Published, guarded_shares_write::ShareError>> {
        use guarded_shares_write::ShareError;
        self.enter_changing()?;
        let guarded_shares_write::Publication { key, media, file_name, life_seconds, passcode, with_grant } =
            publication;
        let passcode = match passcode.map(|handle| self.passcode(&handle)).transpose() {
            Ok(passcode) => passcode,
            Err(reason) => return Ok(Err(ShareError::Malformed(reason.to_owned()))),
        };
        let wanted = Wanted { key, media_type: guarded_media_type(media), file_name, life_seconds, with_grant };
        Ok(match self.published(wanted, passcode).await? {
            Ok(Made { reference, url, expires }) => Ok(guarded_shares_write::Published { reference, url, expires }),
            Err(shares_write::ShareError::Malformed(reason)) => Err(ShareError::Malformed(reason)),
            Err(shares_write::ShareError::Missing) => Err(ShareError::Missing),
        })
    }
}

/// A share that a module asks for.
struct Wanted {
    key: String,
    media_type: &'static str,
    file_name: Option<String>,
    life_seconds: u32,
    with_grant: bool,
}

/// A share as its module learns of it.
struct Made {
    reference: String,
    url: String,
    expires: u64,
}

impl State {
    async fn simply(
        &mut self,
        publication: shares_write::Publication,
        with_grant: bool,
    ) -> Outcome<shares_write::Published> {
        self.enter_changing()?;
        let shares_write::Publication { key, media, file_name, life_seconds } = publication;
        let wanted = Wanted { key, media_type: media_type(media), file_name, life_seconds, with_grant };
        let made = self.published(wanted, None).await?;
        Ok(made.map(|Made { reference, url, expires }| shares_write::Published { reference, url, expires }))
    }

    async fn published(&mut self, wanted: Wanted, passcode: Option<Passcode>) -> Outcome<Made> {
        let Wanted { key, media_type, file_name, life_seconds, with_grant } = wanted;
        if file_name.as_deref().is_some_and(|name| !is_a_file_name(name)) {
            let reason =
                "a file name has 1 to 100 letters, digits, spaces, dots, - and _, and begins with none of the last";
            return Ok(Err(shares_write::ShareError::Malformed(reason.to_owned())));
        }
        if life_seconds == 0 || life_seconds > LONGEST {
            let reason = "a share lives for 1 second to 366 days".to_owned();
            return Ok(Err(shares_write::ShareError::Malformed(reason)));
        }
        let hash = match passcode {
            Some(passcode) => Some(self.hashed(passcode).await?),
            None => None,
        };
        let life = Duration::from_secs(u64::from(life_seconds));
        let publishing = self.workspace.publish_guarded(&key, media_type, file_name, life, with_grant, hash);
        let published = self.span.bound(publishing).await;
        Ok(match self.known(published)? {
            Ok((share, secret)) => Ok(Made {
                reference: share.reference.as_str().to_owned(),
                url: self.edges.share(secret.reveal()),
                expires: since_1970(share.expires),
            }),
            Err(error) => Err(refused(error)),
        })
    }

    /// The passcode behind a handle of this call.
    fn passcode(&self, handle: &str) -> Result<Passcode, &'static str> {
        Passcode::of(self.secrets.get(handle).ok_or("that is no handle of a secret argument of this call")?)
    }

    /// The PHC string of a passcode. Its work is counted before it is done.
    async fn hashed(&mut self, passcode: Passcode) -> wasmtime::Result<String> {
        self.used.passcodes += 1;
        self.settle()?;
        // Never use the run's own seed here: the guest can observe what it generates.
        let salt = self.workspace.store().database.chance().array::<16>();
        self.span.bound(passcode.hashed(salt)).await.map_err(|stop| self.end(stop))
    }
}

fn media_type(media: shares_write::Media) -> &'static str {
    match media {
        shares_write::Media::Html => "text/html",
        shares_write::Media::Pdf => "application/pdf",
        shares_write::Media::Csv => "text/csv",
        shares_write::Media::Json => "application/json",
        shares_write::Media::Svg => "image/svg+xml",
    }
}

fn guarded_media_type(media: guarded_shares_write::Media) -> &'static str {
    use guarded_shares_write::Media;
    match media {
        Media::Html => "text/html",
        Media::Pdf => "application/pdf",
        Media::Csv => "text/csv",
        Media::Json => "application/json",
        Media::Svg => "image/svg+xml",
        Media::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        Media::Text => "text/plain",
        Media::Markdown => "text/markdown",
        Media::Zip => "application/zip",
    }
}

fn refused(error: RecordsError) -> shares_write::ShareError {
    match error {
        RecordsError::Missing => shares_write::ShareError::Missing,
        error => shares_write::ShareError::Malformed(error.to_string()),
    }
}

/// The name is sent quoted in a header, so only safe characters are allowed.
fn is_a_file_name(name: &str) -> bool {
    let is_letter = |it: u8| it.is_ascii_alphanumeric() || b" .-_".contains(&it);
    (1..=100).contains(&name.len()) && name.bytes().all(is_letter) && name.as_bytes()[0].is_ascii_alphanumeric()
}

fn shown(share: ShareView) -> shares::Share {
    shares::Share {
        reference: share.reference.as_str().to_owned(),
        key: share.blob_key,
        created: since_1970(share.created),
        expires: since_1970(share.expires),
        ended: share.ended.map(since_1970),
        views: share.views,
    }
}

#[cfg(test)]
mod tests {
    use super::is_a_file_name;

    #[test]
    fn a_file_name_cannot_leave_its_header_or_its_folder() {
        for name in ["report.pdf", "Q3 report_final-2.csv", "a"] {
            assert!(is_a_file_name(name), "{name}");
        }
        for name in ["", ".hidden", "../up", "a\"b", "a\r\nb", "a/b", "ä.pdf", " a", &"a".repeat(101)] {
            assert!(!is_a_file_name(name), "{name}");
        }
    }
}
