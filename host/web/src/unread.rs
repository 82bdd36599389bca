//! What a request still sends when its answer is there already: read to its end where that is short, so that the
//! connection serves on.
//!
//! A refusal often comes before the body was read (401, 404, 429). The server would then close the connection behind
//! the answer, and a client that takes it for open loses its next request (RFC 9112, sections 9.3 and 9.6).

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::header::{CONNECTION, EXPECT};
use http::{HeaderValue, Version};
use http_body::{Frame, SizeHint};
use http_body_util::{BodyExt as _, Limited};

/// Bytes that are read for nothing; what sends more loses its connection.
const AT_MOST: usize = 64 << 10;
/// How long they may take.
const PATIENCE: Duration = Duration::from_secs(1);

/// Takes in what the handler left of a request's body, or says that the connection ends with this answer.
pub(crate) async fn take_in(request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let has_connection = request.version() < Version::HTTP_2;
    // Who asks before sending a body is answered first, and sends none then.
    let waits = request.headers().contains_key(EXPECT);
    let left = Left::default();
    let request = request.map(|body| Body::new(Watched { body: Some(body), left: left.clone() }));
    let mut response = next.run(request).await;
    let rest = left.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(rest) = rest
        && has_connection
        && (waits || !ended(rest).await)
    {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Whether the rest came to its end within bounds.
async fn ended(rest: Body) -> bool {
    let mut rest = Limited::new(rest, AT_MOST);
    let read = async {
        while let Some(frame) = rest.frame().await {
            if frame.is_err() {
                return false;
            }
        }
        true
    };
    tokio::time::timeout(PATIENCE, read).await.unwrap_or(false)
}

/// Where a body that was dropped before its end is found.
#[derive(Clone, Default)]
struct Left(Arc<Mutex<Option<Body>>>);

/// A body that comes back when it is dropped before its end.
struct Watched {
    /// None once it ended or broke.
    body: Option<Body>,
    left: Left,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let polled = Pin::new(body).poll_frame(cx);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.body = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(body) = self.body.take().filter(|body| !body.is_end_stream()) {
            *self.left.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(body);
        }
    }
}
