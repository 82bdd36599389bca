//! The first steps one by one, in their order: when a step is done, and what to call for it.

use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value};

use super::Missing;
use super::state::{State, works};

/// Stands for a website that is not there yet.
const SOME_SITE: &str = "4503599627370496";
/// Stands for a crawl that is not there yet.
const SOME_RUN: &str = "0000000000000001";
/// Thousandths of a credit that activation takes.
const ACTIVATION: i64 = 100_000;

/// A first step.
#[value]
pub(crate) enum Name {
    /// The account is activated.
    Activation,
    /// A website was added.
    Website,
    /// Its ownership is proven.
    Verification,
    /// Search Console is connected.
    SearchConsole,
    /// Its figures were imported.
    FirstSync,
    /// A crawl has ended.
    FirstCrawl,
    /// An audit has ended.
    FirstAudit,
    /// A mail server is connected.
    MailSender,
}

/// What to do for a step that is not done.
pub(super) struct Todo {
    reason: String,
    operation: &'static str,
    arguments: Value,
    fill_in: &'static [&'static str],
}

impl Todo {
    /// As it is shown.
    pub(super) fn missing(self, step: Name) -> Missing {
        let example_args = match self.arguments {
            Value::Object(arguments) => arguments,
            _ => Map::new(),
        };
        Missing {
            step,
            reason: self.reason,
            operation_id: self.operation.to_owned(),
            example_args,
            fill_in: self.fill_in.iter().map(|it| (*it).to_owned()).collect(),
        }
    }
}

type Look = fn(&State) -> Option<Todo>;

/// Each step with what is to be done for it; nothing when it is done.
pub(super) const STEPS: [(Name, Look); 8] = [
    (Name::Activation, activation),
    (Name::Website, website),
    (Name::Verification, verification),
    (Name::SearchConsole, search_console),
    (Name::FirstSync, first_sync),
    (Name::FirstCrawl, first_crawl),
    (Name::FirstAudit, first_audit),
    (Name::MailSender, mail_sender),
];

fn activation(state: &State) -> Option<Todo> {
    if state.activated {
        return None;
    }
    let reason = if state.credits_milli < ACTIVATION {
        "the account is not activated: that takes 100 credits once, and there are fewer; it happens by itself with the first application that is connected after they have come"
    } else {
        "the account is not activated: that takes 100 of its credits once, with the first application that is connected; more can be ordered"
    };
    todo(reason, "account.credit.order.create", json!({ "credits": 100 }), &[])
}

fn website(state: &State) -> Option<Todo> {
    if state.site.is_some() {
        return None;
    }
    let reason = "there is no website yet, and everything else is about one";
    todo(reason, "websites.create", json!({ "domain": "shop.example" }), &["/domain"])
}

fn verification(state: &State) -> Option<Todo> {
    if state.verified {
        return None;
    }
    let name = state.domain.as_deref().unwrap_or("the website");
    let reason = format!(
        "nobody has proven that {name} is the customer's; this gives a token to place, and websites.verify.check looks for it"
    );
    let (site, fill_in) = site(state);
    todo(reason, "websites.verify.start", json!({ "site_id": site, "method": "dns_txt" }), fill_in)
}

fn search_console(state: &State) -> Option<Todo> {
    let reason = match state.search_console.as_deref() {
        Some(state) if works(state) => return None,
        Some(_) => "Search Console is connected and its last request failed; the same consent again renews it",
        None => "Search Console is not connected, so nothing is known of clicks and queries",
    };
    todo(reason, "connections.oauth.start", json!({ "kind": "google_search_console" }), &[])
}

fn first_sync(state: &State) -> Option<Todo> {
    if state.synced {
        return None;
    }
    let reason = if state.search_console.as_deref().is_some_and(works) {
        "no search figures were imported, so neither clicks nor queries of the website are known"
    } else {
        "no search figures were imported; that takes a connection to Search Console, which is the step before"
    };
    let (site, fill_in) = site(state);
    todo(reason, "search_console.sync.run", json!({ "site_id": site }), fill_in)
}

fn first_crawl(state: &State) -> Option<Todo> {
    if state.crawled.is_some() {
        return None;
    }
    let reason = if state.crawling {
        "a crawl is on its way and has not ended; crawl.run.list says how far it is, and there is no need for another"
    } else {
        "no crawl has ended, so no page is known"
    };
    let (site, fill_in) = site(state);
    todo(reason, "crawl.run.start", json!({ "site_id": site }), fill_in)
}

fn first_audit(state: &State) -> Option<Todo> {
    if state.audited {
        return None;
    }
    let reason = if state.auditing {
        "an audit is on its way and has not ended; audit.run.list says how far it is, and there is no need for another"
    } else {
        "no crawl was audited, so no fault is known"
    };
    let (run, fill_in): (&str, &[&str]) = match &state.crawled {
        Some(run) => (run.as_str(), &[]),
        None => (SOME_RUN, &["/run_ref"]),
    };
    todo(reason, "audit.run.start", json!({ "run_ref": run }), fill_in)
}

fn mail_sender(state: &State) -> Option<Todo> {
    let (reason, name) = match state.mail.as_deref() {
        Some(state) if works(state) => return None,
        Some(_) => ("a mail server is connected and its last request failed; connections.test says why", "Mail again"),
        None => ("no mail server is connected, so neither outreach nor reports can be sent", "Mail"),
    };
    let arguments = json!({
        "kind": "smtp",
        "name": name,
        "endpoint": "smtps://mail.shop.example:465",
        "credentials": { "username": "news@shop.example", "password": "an-app-password" }
    });
    todo(reason, "connections.add", arguments, &["/endpoint", "/credentials/username", "/credentials/password"])
}

/// The website of the next step, and where to put one that is still to come.
fn site(state: &State) -> (&str, &'static [&'static str]) {
    match &state.site {
        Some(site) => (site.as_str(), &[]),
        None => (SOME_SITE, &["/site_id"]),
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the other end of every step's look")]
fn todo(
    reason: impl Into<String>,
    operation: &'static str,
    arguments: Value,
    fill_in: &'static [&'static str],
) -> Option<Todo> {
    Some(Todo { reason: reason.into(), operation, arguments, fill_in })
}
