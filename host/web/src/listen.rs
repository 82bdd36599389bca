//! The listener: takes connections within bounds, and ends those that stand still.
//!
//! A connection costs a descriptor and memory before anybody is known to stand behind it. So how many there are is
//! bounded, in all and per address, and each phase of one has its own patience: a head that does not end, a body or an
//! answer that does not move, a connection that asks nothing.

mod framing;
mod guard;
mod hosts;
mod places;

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use serde::Deserialize;
use service::Service;
use tokio::net::TcpListener;
use tower::ServiceExt as _;

use self::guard::{Busy, Guarded};
use self::places::{Place, Places};

/// How long a connection may stand still in each of its phases.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For a request's head, from its first byte (or the connection's start) to its end.
    pub head: Duration,
    /// For the next byte of a body, while it is wanted, and for the client to take the next of an answer.
    pub standstill: Duration,
    /// Between an answer and the next request.
    pub idle: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { head: Duration::from_secs(10), standstill: Duration::from_secs(30), idle: Duration::from_secs(75) }
    }
}

/// Bounds of the listener.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bounds {
    /// Connections in all. Beyond it new ones wait unaccepted.
    pub connections: usize,
    /// Connections of one address, counted for an IPv6 address by its /64; more are closed at once. The addresses of
    /// trusted proxies have no such bound.
    pub per_address: usize,
    /// How long a connection may stand still. Not a setting.
    #[serde(skip)]
    pub patience: Patience,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { connections: 4_096, per_address: 256, patience: Patience::default() }
    }
}

/// Pause after the system refused a connection, most often for want of descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves until `stop` is ready; what was begun is answered first.
pub async fn serve(
    service: Service,
    router: Router,
    listener: TcpListener,
    bounds: Bounds,
    stop: impl Future<Output = ()>,
) {
    let places = Arc::new(Places::new(bounds, service.core.config().trusted_proxies.clone()));
    let graceful = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        let room = tokio::select! {
            () = &mut stop => break,
            room = places.room() => room,
        };
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) if is_of_the_client(&error) => continue,
            Err(error) => {
                tracing::error!(error = %error, "a connection could not be accepted");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let Some(place) = places.place(room, peer.ip()) else {
            tracing::debug!("an address has as many connections as one may have");
            continue;
        };
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(error = %error, "a small answer may wait for the next");
        }
        let busy = Busy::default();
        let guarded = TokioIo::new(Guarded::new(stream, busy.clone(), bounds.patience));
        let answers = Answers { service: service.clone(), router: router.clone(), peer, busy };
        // The guard has the timers: hyper's for a head also ends a connection that is idle.
        let connection = http1::Builder::new().header_read_timeout(None).serve_connection(guarded, answers);
        let serving = graceful.watch(connection);
        tokio::spawn(async move {
            let _place: Place = place;
            if let Err(error) = serving.await {
                tracing::debug!(error = %error, "a connection ended early");
            }
        });
    }
    drop(listener);
    graceful.shutdown().await;
}

/// What answers the requests of one connection.
struct Answers {
    service: Service,
    router: Router,
    peer: SocketAddr,
    busy: Busy,
}

impl hyper::service::Service<hyper::Request<Incoming>> for Answers {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn call(&self, request: hyper::Request<Incoming>) -> Self::Future {
        let (router, service, token) = (self.router.clone(), self.service.clone(), self.busy.begin());
        let mut request: Request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(self.peer));
        Box::pin(async move {
            let response = match hosts::fault(&request) {
                Some(what) => hosts::refuse(&service, what),
                None => router.oneshot(request).await?,
            };
            Ok(token.hold(response))
        })
    }
}

fn is_of_the_client(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

#[cfg(test)]
mod tests;
