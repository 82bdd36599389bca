//! One connection under watch: each of its phases has a time, and a bare line feed does not pass.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use futures_util::task::AtomicWaker;
use http_body::{Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

use super::Patience;
use super::framing::{Framing, Phase};

/// A stream that breaks when it stands still for too long.
pub(super) struct Guarded<S> {
    stream: S,
    framing: Framing,
    busy: Busy,
    patience: Patience,
    /// What is waited for from the client, and until when.
    reading: Option<(Waiting, Pin<Box<Sleep>>)>,
    /// Until when the client has to take what is written.
    writing: Option<Pin<Box<Sleep>>>,
    /// When the head that is being read began; for the first one, when the connection did.
    head: Option<Instant>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Waiting {
    Head,
    Body,
    Idle,
}

impl<S> Guarded<S> {
    pub(super) fn new(stream: S, busy: Busy, patience: Patience) -> Self {
        Self {
            stream,
            framing: Framing::default(),
            busy,
            patience,
            reading: None,
            writing: None,
            head: Some(Instant::now()),
        }
    }

    /// Breaks the connection when what is waited for is too late; otherwise sees to it that this is asked again then.
    fn wait(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let now = Instant::now();
        let (waiting, until) = match self.framing.phase() {
            Phase::Body => (Waiting::Body, now + self.patience.standstill),
            Phase::Head => (Waiting::Head, self.head.unwrap_or(now) + self.patience.head),
            Phase::Between => match self.head {
                Some(began) => (Waiting::Head, began + self.patience.head),
                // An answer under way may take its time.
                None if self.busy.is_busy(cx) => {
                    self.reading = None;
                    return Poll::Pending;
                }
                None => (Waiting::Idle, now + self.patience.idle),
            },
        };
        match &mut self.reading {
            Some((was, _)) if *was == waiting => {}
            other => *other = Some((waiting, Box::pin(tokio::time::sleep_until(until)))),
        }
        let late = self.reading.as_mut().is_some_and(|(_, until)| until.as_mut().poll(cx).is_ready());
        if late { Poll::Ready(Err(late_by(waiting))) } else { Poll::Pending }
    }
}

fn late_by(waiting: Waiting) -> io::Error {
    let what = match waiting {
        Waiting::Head => "the head of a request did not end",
        Waiting::Body => "the body of a request stood still",
        Waiting::Idle => "nothing was asked",
    };
    io::Error::new(io::ErrorKind::TimedOut, what)
}

impl<S: AsyncRead + Unpin> AsyncRead for Guarded<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buf.filled().len();
        match Pin::new(&mut this.stream).poll_read(cx, buf) {
            Poll::Ready(Ok(())) => {
                let was = this.framing.phase();
                this.framing.take(&mut buf.filled_mut()[before..]);
                match this.framing.phase() {
                    // The head began just now, also when the one before ended in the same bytes.
                    Phase::Head if was != Phase::Head => this.head = Some(Instant::now()),
                    Phase::Head => {}
                    Phase::Between | Phase::Body => this.head = None,
                }
                this.reading = None;
                Poll::Ready(Ok(()))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => this.wait(cx),
        }
    }
}

impl<S: AsyncWrite + Unpin> Guarded<S> {
    /// The outcome of writing; without progress for too long it is an error.
    fn written<T>(&mut self, cx: &mut Context<'_>, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.writing = None;
            return polled;
        }
        let patience = self.patience.standstill;
        let until = self.writing.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        if until.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "an answer was not taken")));
        }
        Poll::Pending
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Guarded<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.stream).poll_write(cx, bytes);
        this.written(cx, polled)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.stream).poll_flush(cx);
        this.written(cx, polled)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.stream).poll_shutdown(cx);
        this.written(cx, polled)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.stream).poll_write_vectored(cx, parts);
        this.written(cx, polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// Whether a request of the connection is being answered.
#[derive(Clone, Debug, Default)]
pub(super) struct Busy(Arc<Answering>);

#[derive(Debug, Default)]
struct Answering {
    requests: AtomicUsize,
    /// Who waits for the last of them to end.
    waiting: AtomicWaker,
}

impl Busy {
    /// A request came.
    pub(super) fn begin(&self) -> Token {
        self.0.requests.fetch_add(1, Ordering::SeqCst);
        Token(Arc::clone(&self.0))
    }

    /// Whether a request is being answered; then this wakes the asker when the last of them has ended.
    fn is_busy(&self, cx: &Context<'_>) -> bool {
        self.0.waiting.register(cx.waker());
        self.0.requests.load(Ordering::SeqCst) > 0
    }
}

/// One request that is being answered.
pub(super) struct Token(Arc<Answering>);

impl Token {
    /// The response, whose body keeps the connection busy until its end.
    pub(super) fn hold(self, response: Response) -> Response {
        response.map(|body| Body::new(Held { body, _token: self }))
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, Ordering::SeqCst);
        self.0.waiting.wake();
    }
}

/// A body with the token of its request.
struct Held {
    body: Body,
    _token: Token,
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
