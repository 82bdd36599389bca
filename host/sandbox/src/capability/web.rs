//! `web`: public pages, through the guard of `egress`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt as _;

use crate::bindings::web;
use catalog::reach::Rules;
use store::edges::pages::Shelf;

use crate::egress::{Cached, Decision, Failure, Fetch, Fetched, Freshness, Guard, Manners, Obey, Timing, Verdict};
use crate::state::State;
use crate::stop::Denial;

/// Concurrent requests of one call.
const TOGETHER: usize = 8;

type Answered = Result<web::Response, web::Failure>;

impl web::Host for State {
    async fn fetch(&mut self, request: web::Request) -> wasmtime::Result<Answered> {
        let mut answers = self.ask(vec![request]).await?;
        Ok(answers.pop().unwrap_or(Err(web::Failure::Refused)))
    }

    async fn fetch_many(&mut self, requests: Vec<web::Request>) -> wasmtime::Result<Vec<Answered>> {
        self.ask(requests).await
    }
}

impl State {
    async fn ask(&mut self, requests: Vec<web::Request>) -> wasmtime::Result<Vec<Answered>> {
        self.enter_outside("web", Denial::Web, requests.len() as u64)?;
        // All bodies together must fit into the guest's memory, so the host buffers no more than that.
        let share = self.limits.memory / requests.len().max(1);
        // Decisions are recorded as they are made, so that a slow request beside them does not lose them from the audit
        // trail.
        let decided = Mutex::new(Vec::new());
        let within = self.rights.granted.as_ref().and_then(|granted| granted.web.clone()).map(Arc::new);
        let obey = match within.as_ref().map(|reach| reach.robots).unwrap_or_default() {
            Rules::Obey => Obey::Rules,
            Rules::Named => Obey::Nothing,
        };
        let shelf = Shelf { customer: self.customer.clone(), module: self.module.name.to_string() };
        let manners = self.manners().obeying(obey).keeping(shelf);
        let asked = requests.into_iter().map(|request| Fetch { within: within.clone(), ..fetch(request, share) });
        let exchanges = asked.map(|fetch| one(Arc::clone(&self.guard), fetch, &manners, &decided));
        let together = futures_util::stream::iter(exchanges).buffered(TOGETHER).collect::<Vec<_>>();
        let answers = self.span.outside(together).await;
        for mut decision in decided.into_inner().unwrap_or_else(PoisonError::into_inner) {
            if let Verdict::Reach(member) = decision.verdict {
                decision.line = Some(format!("{}: {member}", self.rights.line(&self.module, "web")));
            }
            self.decisions.push(decision);
        }
        match answers {
            Ok(answers) => Ok(answers.into_iter().map(|answer| answer.map(response).map_err(failure)).collect()),
            Err(stop) => Err(self.end(stop)),
        }
    }
}

async fn one(
    guard: Arc<Guard>,
    fetch: Fetch,
    manners: &Manners,
    decided: &Mutex<Vec<Decision>>,
) -> Result<Fetched, Failure> {
    let mut trail = Vec::new();
    let answer = guard.visit(fetch, manners, &mut trail).await;
    decided.lock().unwrap_or_else(PoisonError::into_inner).extend(trail);
    answer
}

fn fetch(request: web::Request, share: usize) -> Fetch {
    Fetch {
        head: matches!(request.method, web::Method::Head),
        url: request.url,
        headers: request.headers,
        follow: request.follow,
        max_bytes: (request.max_bytes as usize).min(share),
        timeout: Duration::from_millis(u64::from(request.timeout_ms)),
        freshness: match request.freshness {
            web::Freshness::Fresh => Freshness::Fresh,
            web::Freshness::Any => Freshness::Any,
        },
        within: None,
    }
}

fn response(fetched: Fetched) -> web::Response {
    web::Response {
        url: fetched.url,
        status: fetched.status,
        headers: fetched.headers,
        hops: fetched
            .hops
            .into_iter()
            .map(|hop| web::Hop { url: hop.url, status: hop.status, location: hop.location })
            .collect(),
        body: fetched.body,
        truncated: fetched.truncated,
        timing: timing(fetched.timing),
        cached: match fetched.cached {
            Cached::None => web::Cached::None,
            Cached::Fresh => web::Cached::Fresh,
            Cached::Revalidated => web::Cached::Revalidated,
        },
        age: u32::try_from(fetched.age.as_secs()).unwrap_or(u32::MAX),
    }
}

fn timing(timing: Timing) -> web::Timing {
    let milliseconds = |span: Duration| u32::try_from(span.as_millis()).unwrap_or(u32::MAX);
    web::Timing {
        dns_ms: milliseconds(timing.dns),
        connect_ms: milliseconds(timing.connect),
        first_byte_ms: milliseconds(timing.first_byte),
        total_ms: milliseconds(timing.total),
    }
}

fn failure(failure: Failure) -> web::Failure {
    match failure {
        Failure::Refused => web::Failure::Refused,
        Failure::Unresolved => web::Failure::Unresolved,
        Failure::Unreachable => web::Failure::Unreachable,
        Failure::Timeout => web::Failure::Timeout,
        Failure::Redirects => web::Failure::Redirects,
        Failure::Tls => web::Failure::Tls,
        Failure::Malformed => web::Failure::Malformed,
        // Rounded up: a caller that retries after a truncated wait would come too early.
        Failure::Paced(wait) => {
            web::Failure::Paced(u32::try_from(wait.as_millis().div_ceil(1_000)).unwrap_or(u32::MAX))
        }
        Failure::Disallowed => web::Failure::Disallowed,
    }
}
