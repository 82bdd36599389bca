//! Pictures of the media library: found by name, handed over.

use sdk::prelude::*;
use sdk::{Send, SendFailure};

use crate::item::{Item, Shown};
use crate::{Installation, Reference};

/// Milliseconds for an upload.
const TIMEOUT: u32 = 50_000;

impl Installation {
    /// Media whose name or title has these words, at most 50.
    ///
    /// # Errors
    /// What the provider refused.
    pub fn media(&self, cx: &Cx, words: &str) -> Result<Vec<Item>> {
        let request = Send::get(&self.connection, "/wp-json/wp/v2/media")
            .query("search", words)
            .query("per_page", 50)
            .query("context", "edit");
        let shown: Vec<Shown> = cx.connections().send(&request)?.accepted()?.json()?;
        Ok(shown.into_iter().filter_map(|it| it.item(&self.connection, "media")).collect())
    }

    /// One of the media library; none without it.
    ///
    /// # Errors
    /// What the provider refused.
    pub fn medium(&self, cx: &Cx, id: u64) -> Result<Option<Item>> {
        self.read(cx, &Reference { connection: self.connection.clone(), base: "media".to_owned(), id })
    }

    /// Hands a file over. WordPress takes its type from the bytes.
    ///
    /// # Errors
    /// 409 `type_not_allowed` when WordPress takes no such file; 503 `unknown_outcome` when nobody knows whether it was taken and
    /// it is not found under its name; else what the provider refused.
    pub fn upload(&self, cx: &Cx, name: &str, media_type: &str, bytes: Vec<u8>) -> Result<Item> {
        let size = bytes.len() as u64;
        let request = Send::post(&self.connection, "/wp-json/wp/v2/media")
            .query("context", "edit")
            .bytes(media_type, bytes)
            .header("content-disposition", &format!("attachment; filename=\"{name}\""))
            .timeout(TIMEOUT);
        match cx.connections().send(&request) {
            Ok(answer)
                if answer.status == 500
                    && String::from_utf8_lossy(&answer.body).contains("rest_upload_sideload_error") =>
            {
                let message = "this WordPress takes no file of this type";
                Err(Fault::conflict("type_not_allowed", message))
            }
            Ok(answer) => {
                let shown: Shown = answer.accepted()?.json()?;
                shown.item(&self.connection, "media").ok_or_else(|| SendFailure::Malformed.into())
            }
            Err(SendFailure::UnknownOutcome) => {
                let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
                let found = self.media(cx, stem)?.into_iter().find(|it| it.file_size == Some(size));
                let message = "WordPress did not confirm the upload; look into the media library before you try again";
                found.ok_or_else(|| Fault::unavailable("unknown_outcome", message))
            }
            Err(failure) => Err(failure.into()),
        }
    }
}
