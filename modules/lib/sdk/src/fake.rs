//! A host in memory, so that a module's tests run natively in milliseconds.
//!
//! It keeps the rules a test could otherwise pass by breaking: only declared collections and indexes, a read
//! that writes is stopped, a refused call leaves nothing behind, versions are checked, arguments and results
//! satisfy their schemas.

mod boundary;
mod calendar;
mod check;
mod consents;
mod course;
mod dialect;
mod edges;
mod held;
mod jobs;
mod named;
mod names;
mod platform;
mod post;
mod providers;
mod recipients;
mod rows;
mod table;
mod vault;
mod web;
mod world;

use std::ops::Deref;

use serde_json::Value;

use crate::value::{Id, Moment};
use crate::{Cx, Fault, Module, Operation};

pub use named::check_named_calls;
pub(crate) use named::serves;
pub use providers::{ProviderAsked, ProviderSaid};
pub(crate) use world::World;

/// A module over a fake host. Made by the `fake()` that `module!` writes; it is a `Cx` too.
pub struct Fake {
    cx: Cx,
    module: Module,
}

/// The whole answer of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Replied {
    /// The result.
    pub data: Value,
    /// The work it reported, in the unit of its cost.
    pub units: u64,
}

impl Deref for Fake {
    type Target = Cx;

    fn deref(&self) -> &Cx {
        &self.cx
    }
}

impl Fake {
    /// An empty host that knows this module's collections and steps. Its clock stands at 2026-09-28, 00:00 UTC.
    pub fn new(module: Module) -> Self {
        let world = World::default();
        world.declare(&module);
        Self { cx: Cx { host: world }, module }
    }

    /// The web answers this address with a page of HTML. Addresses that nobody serves do not resolve.
    #[must_use]
    pub fn serving(self, url: &str, html: &str) -> Self {
        self.serve(url, 200, &[("content-type", "text/html; charset=utf-8")], html.as_bytes());
        self
    }

    /// The web answers this address with a status, headers (names in lower case) and body. A redirect needs its `location`.
    pub fn serve(&self, url: &str, status: u16, headers: &[(&str, &str)], body: &[u8]) {
        self.cx.host.serve(url, status, headers, body);
    }

    /// The web fails at this address.
    pub fn fail(&self, url: &str, failure: crate::Failure) {
        self.cx.host.fail(url, failure);
    }

    /// The name system has these records, in presentation form and validated; none: the name has others. `TXT` takes
    /// the bare text. A name of which nothing is known does not exist.
    pub fn name(&self, name: &str, kind: &str, texts: &[&str]) {
        self.cx.host.know(name, kind, Ok(names::answer(name, kind, texts)));
    }

    /// The name system gives this very answer, or fails.
    pub fn answer(&self, name: &str, kind: &str, answer: Result<crate::DnsAnswer, crate::DnsFailure>) {
        self.cx.host.know(name, kind, answer);
    }

    /// What the servers of a zone, or those that a module names, say to a question.
    pub fn servers(&self, name: &str, kind: &str, said: Result<crate::Authority, crate::DnsFailure>) {
        self.cx.host.know_servers(name, kind, said);
    }

    /// What the public resolvers say to a question, each by its name; one that says nothing fails.
    pub fn resolvers(&self, name: &str, kind: &str, said: &[(&str, Result<crate::DnsAnswer, crate::DnsFailure>)]) {
        let told = |(server, answer): &(&str, Result<crate::DnsAnswer, crate::DnsFailure>)| crate::Told {
            server: (*server).to_owned(),
            address: None,
            answer: answer.clone(),
        };
        self.cx.host.know_resolvers(name, kind, said.iter().map(told).collect());
    }

    /// The DNS lists of bad names and addresses that the operator may ask.
    pub fn blocklists(&self, zones: &[&str]) {
        self.cx.host.know_blocklists(zones);
    }

    /// The secure side of a host shows this. One that nobody put there does not resolve.
    pub fn secure(&self, host: &str, port: u16, report: Result<crate::TlsReport, crate::TlsFailure>) {
        self.cx.host.know_host(host, port, report);
    }

    /// The addresses that were asked for, in order.
    pub fn requested(&self) -> Vec<String> {
        self.cx.host.requested()
    }

    /// The customer has handed a file over; it is gzip where its bytes say so.
    pub fn hand_over(&self, media_type: &str, bytes: &[u8]) -> Id<crate::Upload> {
        Id::new(self.cx.host.hand_over(media_type, bytes))
    }

    /// Somebody follows a link, from a device; where it leads, if anywhere.
    pub fn follow(&self, code: &str, visitor: &str, device: crate::Device) -> Option<String> {
        self.cx.host.follow(code, visitor, device)
    }

    /// Somebody looks at a share and enters a passcode, if any; the blob, if that shows it.
    pub fn look_at(&self, share: &Id<crate::Share>, passcode: Option<&str>) -> Option<Vec<u8>> {
        self.cx.host.look_at(share.as_str(), passcode)
    }

    /// The customer has a connection of this kind.
    #[must_use]
    pub fn connected(self, reference: &str, kind: &str) -> Self {
        self.cx.host.connect(reference, kind);
        self
    }

    /// Providers answer a method at a path with a status and JSON; what nobody answers is 404.
    pub fn provider_answers(&self, method: &str, path: &str, status: u16, body: &Value) {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        self.cx.host.provide(method, path, Ok((status, headers, body.to_string().into_bytes())));
    }

    /// Answers the requests to providers by a function of method, path and body; `None` leaves a request to the answers
    /// that were set for it.
    pub fn provider_serves(&self, server: impl Fn(&str, &str, &[u8]) -> Option<(u16, Vec<u8>)> + 'static) {
        let plain = |(status, body)| Ok((status, Vec::new(), body));
        self.provider_plays(move |asked| server(asked.method, asked.path, asked.body).map(plain));
    }

    /// Answers the requests to providers by a function of all that is asked.
    pub fn provider_plays(
        &self,
        server: impl Fn(&ProviderAsked<'_>) -> Option<Result<ProviderSaid, crate::SendFailure>> + 'static,
    ) {
        self.cx.host.serve_provider(Box::new(server));
    }

    /// Serves addresses by a function, where no page was put there.
    pub fn web_plays(&self, server: impl Fn(&str) -> Option<ProviderSaid> + 'static) {
        self.cx.host.serve_web(Box::new(server));
    }

    /// Providers fail at a method and path.
    pub fn provider_fails(&self, method: &str, path: &str, failure: crate::SendFailure) {
        self.cx.host.provide(method, path, Err(failure));
    }

    /// What the customer set for a connection with `connections.update`: `{"defaults": {…}, "daily_cost_cap": 5}`.
    pub fn set_account(&self, reference: &str, settings: &Value) {
        self.cx.host.set_account(reference, settings.to_string());
    }

    /// What modules noted as spent through a connection, in millionths.
    pub fn spent_at(&self, reference: &str) -> u64 {
        self.cx.host.spent_at(reference)
    }

    /// What providers were asked, in order: `GET /models`.
    pub fn sent(&self) -> Vec<String> {
        self.cx.host.sent()
    }

    /// Providers of a kind answer connections in the vault at `GET /path` so, headers' names in lower case.
    pub fn provide(&self, kind: &str, line: &str, status: u16, headers: &[(&str, &str)], body: &str) {
        self.cx.host.speak(kind, line, None, Ok((status, headers, body)));
    }

    /// The same, only to a credential that has this text in it.
    pub fn provide_to(&self, credential: &str, kind: &str, line: &str, status: u16, body: &str) {
        self.cx.host.speak(kind, line, Some(credential), Ok((status, &[], body)));
    }

    /// Providers of a kind fail at `GET /path`.
    pub fn provide_failure(&self, kind: &str, line: &str, failure: crate::SendFailure) {
        self.cx.host.speak(kind, line, None, Err(failure));
    }

    /// A connection in the vault was asked so often.
    pub fn used(&self, reference: &str, used: crate::ConnectionUse) {
        self.cx.host.used(reference, used);
    }

    /// So much was spent through a connection in the vault on a day.
    pub fn spend(&self, reference: &str, spent: crate::ConnectionSpending) {
        self.cx.host.spend(reference, spent);
    }

    /// The credential of a connection in the vault.
    pub fn credentials(&self, reference: &str) -> Option<Value> {
        self.cx.host.credentials(reference)
    }

    /// The round of a schedule of work comes due: the clock stands at its moment, and a job begins. False: there is no
    /// such schedule, or it has stopped.
    pub fn come_due(&self, name: &str) -> bool {
        self.cx.host.state.borrow_mut().come_due(name)
    }

    /// The calls at a moment that the module has planned under a name.
    pub fn once(&self, name: &str) -> Option<crate::ScheduledOnce> {
        self.cx.host.state.borrow().once.get(name).cloned()
    }

    /// What the customer was told, in order: what it is about, and its title.
    pub fn told(&self) -> Vec<(String, String)> {
        let state = self.cx.host.state.borrow();
        state.notices.iter().map(|it| (it.notice.about.clone(), it.notice.title.clone())).collect()
    }

    /// No channel has taken a notice, for this reason; none: one has.
    pub fn notice_becomes(&self, about: &str, failed: Option<&str>) {
        use crate::bindings::wit::notices::Delivery;
        let mut state = self.cx.host.state.borrow_mut();
        let told = state.notices.iter_mut().find(|it| it.notice.about == about);
        told.expect("it was told").state = failed.map_or(Delivery::Told, |why| Delivery::Failed(why.to_owned()));
    }

    /// The messages that were taken over, in order.
    pub fn mailed(&self) -> Vec<crate::Letter> {
        self.cx.host.post.borrow().taken()
    }

    /// Every message comes to this; none: they are taken over again.
    pub fn mail_fails(&self, failure: Option<crate::MailFailure>) {
        self.cx.host.post.borrow_mut().fail(failure);
    }

    /// The server refuses a recipient.
    pub fn mail_refuses(&self, address: &str, code: u16) {
        self.cx.host.post.borrow_mut().refuse(address, code);
    }

    /// A recipient has left the list.
    pub fn unsubscribed(&self, address: &str) {
        self.cx.host.post.borrow_mut().leave(address);
    }

    /// Somebody whom the module asked says yes to the customer's mail.
    pub fn confirms(&self, address: &str) {
        self.cx.host.answer_invitation(address, true);
    }

    /// Somebody says no: they decline what they were asked, or leave what they had confirmed.
    pub fn declines(&self, address: &str) {
        self.cx.host.answer_invitation(address, false);
    }

    /// Somebody has said yes to the customer's mail before.
    #[must_use]
    pub fn confirmed(self, address: &str) -> Self {
        self.cx.host.confirmed(address);
        self
    }

    /// What the service answers to a question or an action of this name, as in the WIT: `plan-change`. Several for one
    /// name come one after the other, and the last one stays.
    pub fn platform(&self, name: &str, answer: Result<Value, Fault>) {
        self.cx.host.service.borrow_mut().answer(name, answer);
    }

    /// What the service was asked, in order.
    pub fn asked_platform(&self) -> Vec<crate::PlatformQuestion> {
        self.cx.host.service.borrow().asked()
    }

    /// What the service was told to do, in order.
    pub fn done_by_platform(&self) -> Vec<crate::PlatformAction> {
        self.cx.host.service.borrow().done()
    }

    /// This service has no OAuth client at any provider.
    pub fn without_clients(&self) {
        self.cx.host.without_clients();
    }

    /// The customer gives a consent, with these scopes; returns the reference of the connection that comes of it.
    pub fn consent_given(&self, reference: &str, granted: &[&str]) -> String {
        self.cx.host.consent_given(reference, granted)
    }

    /// A consent comes to nothing.
    pub fn consent_ends(&self, reference: &str, state: crate::ConsentState, error: &str) {
        self.cx.host.consent_ends(reference, state, error);
    }

    /// The clock stands at this moment.
    pub fn set_now(&self, now: Moment) {
        self.cx.host.set_now(now);
    }

    /// The lines of the operator's trace.
    pub fn trace(&self) -> Vec<String> {
        self.cx.host.trace()
    }

    /// Calls an operation by its id, as the real host would: schema, handler, schema; all or nothing.
    pub fn call(&self, id: &str, arguments: Value) -> Result<Value, Fault> {
        self.reply(id, arguments).map(|it| it.data)
    }

    /// As `call`, with the units of work.
    pub fn reply(&self, id: &str, arguments: Value) -> Result<Replied, Fault> {
        let export = self
            .module
            .operations
            .iter()
            .find(|it| it.id == id)
            .unwrap_or_else(|| panic!("module! lists no operation {id}"));
        self.run(id, &export.it, &arguments)
    }

    /// Runs an operation's own code and nothing else, from text to text: what a benchmark compares with. Nothing is checked.
    pub fn natively(&self, id: &str, arguments: &str) -> Result<crate::boundary::Answer, Fault> {
        let export = self.module.operations.iter().find(|it| it.id == id);
        let operation = &export.unwrap_or_else(|| panic!("module! lists no operation {id}")).it;
        (operation.run)(&self.cx, arguments)
    }

    /// Calls a route by its id.
    pub fn route(&self, id: &str, arguments: Value) -> Result<Value, Fault> {
        let export =
            self.module.routes.iter().find(|it| it.id == id).unwrap_or_else(|| panic!("module! lists no route {id}"));
        self.run(id, &export.it, &arguments).map(|it| it.data)
    }

    fn run(&self, id: &str, operation: &Operation, arguments: &Value) -> Result<Replied, Fault> {
        if let Some((pointer, message)) = check::first_error(&operation.arguments, arguments) {
            return Err(Fault::invalid(pointer, "invalid_arguments", message));
        }
        let before = self.cx.host.begin(operation.kind, operation.step.is_some());
        self.cx.host.outside.set(Some(operation.outside));
        let arguments = self.cx.host.without_secrets(operation, arguments);
        let outcome = (operation.run)(&self.cx, &arguments.to_string());
        self.cx.host.end();
        let answer = match outcome {
            Ok(answer) => answer,
            Err(fault) => {
                self.cx.host.restore(before);
                check::fault(id, &fault);
                let detail = fault.detail.as_deref().and_then(|it| serde_json::from_str::<Value>(it).ok());
                named::check(Some(&self.module), id, &detail.unwrap_or_default());
                return Err(fault);
            }
        };
        let data: Value =
            serde_json::from_str(&answer.data).unwrap_or_else(|error| panic!("{id} answered no JSON: {error}"));
        if let Some((pointer, message)) = check::first_error(&operation.result, &data) {
            panic!("{id} answered against its own result schema at {pointer:?}: {message}\n{data:#}");
        }
        named::check(Some(&self.module), id, &data);
        Ok(Replied { data, units: answer.units })
    }

    /// Calls an operation that must be refused, and gives back the refusal's code.
    pub fn refusal(&self, id: &str, arguments: Value) -> Fault {
        match self.call(id, arguments) {
            Ok(data) => panic!("{id} was expected to refuse, and answered {data:#}"),
            Err(fault) => fault,
        }
    }

    /// The host itself starts a job of a step, as it does to tell of an ended one.
    pub fn started_by_host(&self, step: &str, payload: &Value) -> Id<crate::Job> {
        Id::new(self.cx.host.state.borrow_mut().start(step, &payload.to_string()))
    }

    /// What a unit of work costs when it is refunded, in thousandths of a credit; 1,000 unless said otherwise.
    #[must_use]
    pub fn priced(self, credits_milli: u64) -> Self {
        self.cx.host.state.borrow_mut().price = credits_milli;
        self
    }

    /// Jobs that were refunded, each with its units.
    pub fn refunded(&self) -> Vec<(String, u64)> {
        self.cx.host.state.borrow().refunds.clone()
    }

    /// Runs every queued job step by step to its end; how many steps.
    pub fn work(&self) -> u32 {
        jobs::work(&self.cx, &self.module)
    }

    /// Runs one step of the first job that is not at its end; whether there was one.
    pub fn work_one_step(&self) -> bool {
        jobs::work_one_step(&self.cx, &self.module)
    }
}

#[cfg(test)]
mod tests;
