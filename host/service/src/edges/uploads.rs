//! `/uploads/{token}`: a file is received piece by piece, measured and hashed on its way, and is there whole or not.

use model::clock::Moment;
use model::refusal::{Refusal, codes};
use model::token::{Secret, hex};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use std::time::Duration;
use store::edges::uploads::{Begun, CHUNK, Handed, Receipt};

use crate::Service;
use crate::edges::Edges;
use crate::execute::Spine;

/// How long one file may take.
const LONGEST: Duration = Duration::from_secs(3_600);

/// What a sender says before the first byte.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// `Content-Type` without its parameters, in lower case.
    pub media_type: Option<String>,
    /// `Content-Encoding`, in lower case.
    pub encoding: Option<String>,
    /// `Content-Length`.
    pub length: Option<u64>,
    /// `Content-Digest`, its SHA-256 (RFC 9530 2).
    pub sha256: Option<[u8; 32]>,
}

/// A file that was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// What the module calls it.
    pub reference: String,
    /// Bytes.
    pub bytes: u64,
    /// SHA-256 of them in hex.
    pub sha256: String,
}

/// A file that is being received. Dropped before its end, nothing of it stays.
pub struct Reception {
    service: Service,
    /// Taken when the file is whole.
    receipt: Option<Receipt>,
    media_type: String,
    encoding: Option<String>,
    expected: Option<[u8; 32]>,
    most: u64,
    began: Moment,
    hash: Sha256,
    bytes: u64,
    place: u64,
    waiting: Vec<u8>,
}

impl Edges {
    /// Begins to receive what belongs to a token.
    ///
    /// # Errors
    /// 404 without such an upload or after its time, 409 when its file is here or on its way, 413 and 415 when what is
    /// declared cannot be taken, 429 when the customer has no room.
    pub async fn receive(&self, token: &str, declared: Declared) -> Result<Reception, Refusal> {
        let now = self.core.clock().now();
        let place = self.core.store().edges.upload_at(&Secret::received(token).hash()).await;
        let place = place.map_err(|error| Spine::of(&self.core).store_failed(&error))?.ok_or_else(unknown)?;
        if place.complete {
            return Err(complete());
        }
        if place.closes_at <= now {
            return Err(unknown());
        }
        let Some(media_type) = declared.media_type.filter(|declared| place.media_types.contains(declared)) else {
            let words = format!("the file has to be one of {}, named by Content-Type", place.media_types.join(", "));
            return Err(media(&words).with("allowed", json!(place.media_types)));
        };
        let encoding = match declared.encoding.as_deref() {
            None | Some("identity") => None,
            Some("gzip") => Some("gzip".to_owned()),
            Some(_) => return Err(media("a file is sent as it is, or with Content-Encoding: gzip")),
        };
        if declared.length.is_some_and(|length| length > place.most_bytes) {
            return Err(too_large(place.most_bytes));
        }
        let begun = self.core.store().edges.begin_upload(&place, self.core.config().uploads.customer_bytes, now).await;
        let receipt = match begun.map_err(|error| Spine::of(&self.core).store_failed(&error))? {
            Begun::Ours(receipt) => receipt,
            Begun::Complete => return Err(complete()),
            Begun::Closed => return Err(unknown()),
            Begun::Busy => {
                let words = "this file is being handed over at the moment; wait for that to end";
                return Err(Refusal::of(&codes::UPLOAD_IN_PROGRESS, words).retry_after(60));
            }
            Begun::Full => {
                let words = "the files that are kept leave no room for this one; they go by themselves after some days";
                return Err(Refusal::of(&codes::UPLOADS_FULL, words));
            }
        };
        Ok(Reception {
            service: Service::of(&self.core),
            receipt: Some(receipt),
            media_type,
            encoding,
            expected: declared.sha256,
            most: place.most_bytes,
            began: now,
            hash: Sha256::new(),
            bytes: 0,
            place: 0,
            waiting: Vec::new(),
        })
    }
}

impl Reception {
    /// Takes the next bytes.
    ///
    /// # Errors
    /// 413 when there are too many; 409 when somebody else took the upload over, for this one was silent too long.
    pub async fn push(&mut self, mut bytes: &[u8]) -> Result<(), Refusal> {
        self.bytes += bytes.len() as u64;
        if self.bytes > self.most {
            return Err(too_large(self.most));
        }
        self.hash.update(bytes);
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(CHUNK - self.waiting.len()));
            self.waiting.extend_from_slice(now);
            bytes = later;
            if self.waiting.len() == CHUNK {
                self.write().await?;
            }
        }
        Ok(())
    }

    /// Says that these were all bytes.
    ///
    /// # Errors
    /// 422 when they are not those of the digest that was declared, or none; 409 as [`Reception::push`].
    pub async fn finish(mut self) -> Result<Received, Refusal> {
        let digest: [u8; 32] = std::mem::take(&mut self.hash).finalize().into();
        if self.bytes == 0 {
            return Err(Refusal::of(&codes::UPLOAD_EMPTY, "the file has no bytes"));
        }
        if self.expected.is_some_and(|expected| expected != digest) {
            let words = "the bytes that came are not those of Content-Digest; send them again";
            return Err(Refusal::of(&codes::DIGEST_MISMATCH, words));
        }
        if !self.waiting.is_empty() {
            self.write().await?;
        }
        let Some(receipt) = self.receipt.clone() else { return Err(lost()) };
        let now = self.service.core.clock().now();
        let kept = now.plus(Duration::from_secs(self.service.core.config().uploads.kept_days.saturating_mul(86_400)));
        let handed = Handed {
            media_type: self.media_type.clone(),
            encoding: self.encoding.clone(),
            bytes: self.bytes,
            sha256: hex(&digest),
        };
        let completed = self.service.core.store().edges.complete_upload(&receipt, handed, now, kept).await;
        if !completed.map_err(|error| self.service.spine.store_failed(&error))? {
            return Err(lost());
        }
        self.receipt = None;
        Ok(Received { reference: receipt.upload.to_string(), bytes: self.bytes, sha256: hex(&digest) })
    }

    async fn write(&mut self) -> Result<(), Refusal> {
        let Some(receipt) = &self.receipt else { return Err(lost()) };
        let now = self.service.core.clock().now();
        if now.since(self.began) > LONGEST {
            return Err(Refusal::malformed("the file took longer than an hour"));
        }
        let chunk = std::mem::take(&mut self.waiting);
        let added = self.service.core.store().edges.add_chunk(receipt, self.place, chunk, now).await;
        self.place += 1;
        match added.map_err(|error| self.service.spine.store_failed(&error))? {
            true => Ok(()),
            false => Err(lost()),
        }
    }
}

impl Drop for Reception {
    fn drop(&mut self) {
        let Some(receipt) = self.receipt.take() else { return };
        let store = self.service.core.store().clone();
        // Without a runtime the process ends; the next sweep does it.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                if let Err(error) = store.edges.abandon_upload(&receipt).await {
                    tracing::warn!(error = %error, "an upload that broke off is left to the sweep");
                }
            });
        }
    }
}

fn unknown() -> Refusal {
    Refusal::of(&codes::UPLOAD_NOT_FOUND, "there is no such upload, or its time is over; ask for another one")
}

fn complete() -> Refusal {
    Refusal::of(&codes::UPLOAD_COMPLETE, "the file of this upload is here already; ask for another upload")
}

fn lost() -> Refusal {
    Refusal::of(&codes::UPLOAD_TAKEN_OVER, "this transfer was silent for too long, and another one began")
}

fn media(words: &str) -> Refusal {
    Refusal::of(&codes::UNSUPPORTED_MEDIA_TYPE, words)
}

fn too_large(most: u64) -> Refusal {
    Refusal::of(&codes::BODY_TOO_LARGE, format!("this file has at most {most} bytes")).with("most", most)
}
