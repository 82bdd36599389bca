//! `shares` and `shares-write`: blobs that are public to everyone with the address.

use std::time::Duration;

use store::RecordsError;
use store::edges::shares::ShareView;

use crate::bindings::{shares, shares_write};
use crate::capability::since_1970;
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
        self.published(publication, false).await
    }

    async fn publish_with_grant(&mut self, publication: shares_write::Publication) -> Outcome<shares_write::Published> {
        self.published(publication, true).await
    }

    async fn revoke(&mut self, reference: String) -> Outcome<shares::Share> {
        self.enter_changing()?;
        let ended = self.span.bound(self.workspace.end_share(&reference)).await;
        Ok(self.known(ended)?.map(shown).map_err(refused))
    }
}

impl State {
    async fn published(
        &mut self,
        publication: shares_write::Publication,
        with_grant: bool,
    ) -> Outcome<shares_write::Published> {
        self.enter_changing()?;
        let shares_write::Publication { key, media, file_name, life_seconds } = publication;
        if file_name.as_deref().is_some_and(|name| !is_a_file_name(name)) {
            let reason =
                "a file name has 1 to 100 letters, digits, spaces, dots, - and _, and begins with none of the last";
            return Ok(Err(shares_write::ShareError::Malformed(reason.to_owned())));
        }
        if life_seconds == 0 || life_seconds > LONGEST {
            let reason = "a share lives for 1 second to 366 days".to_owned();
            return Ok(Err(shares_write::ShareError::Malformed(reason)));
        }
        let media_type = match media {
            shares_write::Media::Html => "text/html",
            shares_write::Media::Pdf => "application/pdf",
            shares_write::Media::Csv => "text/csv",
            shares_write::Media::Json => "application/json",
            shares_write::Media::Svg => "image/svg+xml",
        };
        let life = Duration::from_secs(u64::from(life_seconds));
        let published = self.span.bound(self.workspace.publish(&key, media_type, file_name, life, with_grant)).await;
        Ok(match self.known(published)? {
            Ok((share, secret)) => Ok(shares_write::Published {
                reference: share.reference.as_str().to_owned(),
                url: self.edges.share(secret.reveal()),
                expires: since_1970(share.expires),
            }),
            Err(error) => Err(refused(error)),
        })
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
