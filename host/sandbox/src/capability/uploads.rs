//! `uploads` and `uploads-write`: files that the customer uploads outside a call.

use std::time::Duration;

use store::{OpenError, UploadState, WantedUpload};

use crate::bindings::{uploads, uploads_write};
use crate::capability::since_1970;
use crate::state::State;

const MOST_READ: u32 = 1 << 20;

impl uploads::Host for State {
    async fn info(&mut self, reference: String) -> wasmtime::Result<Option<uploads::Upload>> {
        self.enter()?;
        let upload = self.span.bound(self.workspace.upload(&reference)).await;
        Ok(self.known(upload)?.ok().flatten().map(|upload| uploads::Upload {
            state: match upload.state {
                UploadState::Waiting => uploads::State::Waiting,
                UploadState::Complete => uploads::State::Complete,
                UploadState::Expired => uploads::State::Expired,
            },
            purpose: upload.purpose,
            bytes: upload.bytes,
            sha256: upload.sha256,
            media_type: upload.media_type,
            encoding: upload.encoding,
            closes: since_1970(upload.closes),
            kept: since_1970(upload.kept),
        }))
    }

    async fn read(&mut self, reference: String, offset: u64, length: u32) -> wasmtime::Result<Option<Vec<u8>>> {
        self.enter()?;
        let read = self.workspace.upload_read(&reference, offset, length.min(MOST_READ));
        let read = self.span.bound(read).await;
        Ok(self.known(read)?.ok().flatten())
    }
}

impl uploads_write::Host for State {
    async fn open(
        &mut self,
        request: uploads_write::Request,
    ) -> wasmtime::Result<Result<uploads_write::Opened, uploads_write::OpenError>> {
        self.enter_changing()?;
        let wanted = WantedUpload {
            purpose: request.purpose,
            most_bytes: request.max_bytes,
            media_types: request.media_types,
            life: Duration::from_secs(u64::from(request.life_seconds)),
        };
        let opened = self.span.bound(self.workspace.open_upload(wanted, &self.edges.uploads)).await;
        let opened = match opened {
            Ok(Err(OpenError::Store(error))) => Ok(Err(error)),
            Ok(Err(OpenError::Malformed(reason))) => return Ok(Err(uploads_write::OpenError::Malformed(reason))),
            Ok(Err(error @ (OpenError::Waiting(_) | OpenError::Full(_)))) => {
                return Ok(Err(uploads_write::OpenError::Full(error.to_string())));
            }
            Ok(Ok(opened)) => Ok(Ok(opened)),
            Err(stop) => Err(stop),
        };
        Ok(match self.known(opened)? {
            Ok((reference, secret, expires)) => Ok(uploads_write::Opened {
                reference: reference.as_str().to_owned(),
                url: self.edges.upload(secret.reveal()),
                expires: since_1970(expires),
            }),
            Err(error) => Err(uploads_write::OpenError::Malformed(error.to_string())),
        })
    }
}
