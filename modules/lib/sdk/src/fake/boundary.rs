//! The fake host's side of the boundary: each call answered from its state.

use super::providers;
use super::vault;
use super::world::World;
use crate::bindings::wit::connections::{
    Connection, Failure as SendFailure, Request as SendRequest, Response as SendResponse,
};
use crate::bindings::wit::jobs::{Job, State};
use crate::bindings::wit::log::Level;
use crate::bindings::wit::quotes::{Quote, Verdict};
use crate::bindings::wit::records::{Chunk, Page, Query, RecordsError, Row};
use crate::bindings::wit::refunds_write::RefundError;
use crate::bindings::wit::vault::{
    Change, Consent, ConsentError, Details, Kind as AccountKind, Spent, Used, VaultError,
};
use crate::bindings::wit::web::{Failure, Request, Response};
use crate::bindings::wit::{accounts, dns, mail, notices, notices_write, platform, platform_write, schedule, tls};
use crate::boundary::Fault;
use crate::host::Host;

impl Host for World {
    fn get(&self, collection: &str, id: &str) -> Result<Option<Row>, RecordsError> {
        self.read(collection, |table| Ok(table.get(id)))
    }

    fn find(&self, collection: &str, query: &Query) -> Result<Page, RecordsError> {
        self.read(collection, |table| table.find(query))
    }

    fn scan(&self, collection: &str, query: &Query) -> Result<Chunk, RecordsError> {
        let Page { rows, next } = self.find(collection, query)?;
        let packed: String = rows.iter().map(|it| format!("{}\t{}\t{}\n", it.id, it.version, it.body)).collect();
        Ok(Chunk { rows: packed.into_bytes(), count: u32::try_from(rows.len()).unwrap_or(u32::MAX), next })
    }

    fn count(&self, collection: &str, query: &Query) -> Result<u64, RecordsError> {
        self.read(collection, |table| table.count(query))
    }

    fn insert(&self, collection: &str, id: Option<&str>, body: &str) -> Result<Row, RecordsError> {
        let id = id.map_or_else(|| self.state.borrow_mut().make_id(), str::to_owned);
        self.write(collection, |table| table.insert(&id, body))
    }

    fn put_many(&self, collection: &str, rows: &[u8]) -> Result<u32, RecordsError> {
        let text = std::str::from_utf8(rows).map_err(|_| RecordsError::Malformed("rows are not UTF-8".to_owned()))?;
        let mut count = 0;
        for line in text.lines() {
            let (id, body) =
                line.split_once('\t').ok_or_else(|| RecordsError::Malformed("a row is id, tab, body".to_owned()))?;
            let id = if id.is_empty() { self.state.borrow_mut().make_id() } else { id.to_owned() };
            self.write(collection, |table| table.put(&id, body))?;
            count += 1;
        }
        Ok(count)
    }

    fn update(&self, collection: &str, id: &str, version: u64, body: &str) -> Result<Row, RecordsError> {
        self.write(collection, |table| table.update(id, version, body))
    }

    fn remove(&self, collection: &str, id: &str, version: u64) -> Result<(), RecordsError> {
        self.write(collection, |table| table.remove(id, version))
    }

    fn remove_where(&self, collection: &str, index: &str, equals: &[String]) -> Result<u64, RecordsError> {
        self.write(collection, |table| table.remove_where(index, equals))
    }

    fn blob_read(&self, key: &str, offset: u64, length: u32) -> Option<Vec<u8>> {
        let state = self.state.borrow();
        let blob = state.blobs.get(key)?;
        let start = usize::try_from(offset).map_or(blob.len(), |it| it.min(blob.len()));
        let end = start.saturating_add(length as usize).min(blob.len());
        Some(blob[start..end].to_vec())
    }

    fn blob_keys(&self, prefix: &str, after: Option<&str>, limit: u32) -> Vec<String> {
        let state = self.state.borrow();
        let among =
            state.blobs.keys().filter(|key| key.starts_with(prefix) && after.is_none_or(|it| key.as_str() > it));
        among.take(limit.min(1_000) as usize).cloned().collect()
    }

    fn blob_remove(&self, key: &str) -> Result<(), String> {
        self.changing("a blob").blobs.remove(key);
        Ok(())
    }

    fn blob_write(&self, key: &str, bytes: &[u8]) -> Result<(), String> {
        let mut state = self.changing("a blob");
        if bytes.len() > 8 << 20 {
            return Err("a blob has at most 8 MiB".to_owned());
        }
        state.blobs.insert(key.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn cache_get(&self, key: &str) -> Option<Vec<u8>> {
        let state = self.state.borrow();
        state.cache.get(key).filter(|(_, until)| *until > state.now).map(|(value, _)| value.clone())
    }

    fn cache_put(&self, key: &str, value: &[u8], seconds: u32) {
        assert!(
            value.len() <= 1 << 20 && seconds <= 7 * 86_400,
            "a cached value has at most 1 MiB and lives at most 7 days"
        );
        let mut state = self.state.borrow_mut();
        let until = state.now + u64::from(seconds) * 1_000;
        state.cache.insert(key.to_owned(), (value.to_vec(), until));
    }

    fn job(&self, reference: &str) -> Option<Job> {
        self.state.borrow().jobs.iter().find(|it| it.job.reference == reference).map(|it| it.job.clone())
    }

    fn enqueue(&self, step: &str, payload: &str) -> Result<String, String> {
        let mut state = self.state.borrow_mut();
        assert!(matches!(state.running, Some((_, true))), "only an operation with `queued(…)` may start a job");
        if !state.steps.contains(&step) {
            return Err(format!("module! lists no step {step}"));
        }
        Ok(state.start(step, payload))
    }

    fn refund(&self, job: &str, units: u64) -> Result<u64, RefundError> {
        let mut state = self.changing("a refund");
        let found = state.jobs.iter().find(|it| it.job.reference == job).ok_or(RefundError::Missing)?;
        if matches!(found.job.state, State::Queued | State::Running) {
            return Err(RefundError::NotEnded);
        }
        if state.refunds.iter().any(|(known, _)| known == job) {
            return Err(RefundError::Refunded);
        }
        state.refunds.push((job.to_owned(), units));
        Ok(units * state.price)
    }

    fn fetch(&self, request: &Request) -> Result<Response, Failure> {
        self.web.borrow_mut().fetch(request)
    }

    fn fetch_many(&self, requests: &[Request]) -> Vec<Result<Response, Failure>> {
        requests.iter().map(|it| self.fetch(it)).collect()
    }

    fn lookup(&self, question: &dns::Question) -> Result<dns::Answer, dns::Failure> {
        self.names.borrow().lookup(question)
    }

    fn lookup_many(&self, questions: &[dns::Question]) -> Vec<Result<dns::Answer, dns::Failure>> {
        questions.iter().map(|it| self.lookup(it)).collect()
    }

    fn authoritative(
        &self,
        question: &dns::Question,
        _servers: &[String],
        _most: u8,
    ) -> Result<dns::Authority, dns::Failure> {
        self.names.borrow().authoritative(question)
    }

    fn resolvers(&self, question: &dns::Question) -> Result<Vec<dns::Told>, dns::Failure> {
        Ok(self.names.borrow().resolvers(question))
    }

    fn blocklists(&self) -> Vec<String> {
        self.names.borrow().blocklists.clone()
    }

    fn inspect(&self, question: &tls::Question) -> Result<tls::Report, tls::Failure> {
        self.names.borrow().inspect(question)
    }

    fn connections(&self, kind: Option<&str>) -> Vec<Connection> {
        let mut all = self.providers.borrow().list(kind);
        all.extend(self.state.borrow().accounts.list(kind));
        all
    }

    fn send(&self, request: &SendRequest) -> Result<SendResponse, SendFailure> {
        let in_vault = self.state.borrow().accounts.get(&request.connection).map(|it| it.kind);
        let is_in_vault = in_vault.is_some();
        let kind = in_vault.or_else(|| self.providers.borrow().kind(&request.connection).map(str::to_owned));
        if let (Some(lines), Some(kind)) = (self.outside.get(), kind) {
            let (method, service) = (providers::word(request.method), request.service.as_deref());
            let permitted = lines.iter().any(|line| providers::permits(line, &kind, service, method, &request.path));
            assert!(permitted, "no line of `outside` permits {kind} {method} {}", request.path);
        }
        if is_in_vault {
            return self.state.borrow_mut().accounts.send(request);
        }
        self.providers.borrow_mut().send(request)
    }

    fn send_many(&self, requests: &[SendRequest]) -> Vec<Result<SendResponse, SendFailure>> {
        requests.iter().map(|it| self.send(it)).collect()
    }

    fn account(&self, reference: &str) -> Option<accounts::About> {
        self.providers.borrow().about(reference)
    }

    fn note_spent(&self, reference: &str, micros: u64, _currency: &str) -> bool {
        self.providers.borrow_mut().note_spent(reference, micros)
    }

    fn mail(&self, message: &mail::Message) -> Result<mail::Sent, mail::Failure> {
        self.state.borrow_mut().stop_a_read("mail");
        let in_vault = self.state.borrow().accounts.get(&message.connection).map(|it| it.kind);
        let kind = in_vault.or_else(|| self.providers.borrow().kind(&message.connection).map(str::to_owned));
        let Some(kind) = kind.filter(|kind| vault::takes_mail(kind)) else { return Err(mail::Failure::NotConnected) };
        if let Some(lines) = self.outside.get() {
            let path = if message.class == mail::Class::List { "/list" } else { "/transactional" };
            let permitted = lines.iter().any(|line| providers::permits(line, &kind, None, "SEND", path));
            assert!(permitted, "no line of `outside` permits {kind} SEND {path}");
        }
        self.post.borrow_mut().send(message)
    }

    fn vault_kinds(&self) -> Vec<AccountKind> {
        vault::kinds()
    }

    fn vault_all(&self) -> Vec<Details> {
        self.state.borrow().accounts.all()
    }

    fn vault_get(&self, reference: &str) -> Option<Details> {
        self.state.borrow().accounts.get(reference)
    }

    fn vault_put(&self, kind: &str, name: &str, endpoint: Option<&str>, handle: &str) -> Result<String, VaultError> {
        let state = &mut *self.state.borrow_mut();
        state.stop_a_read("the vault");
        let id = format!("con_{}", state.make_id());
        state.accounts.put(&id, state.now, kind, name, endpoint, handle)
    }

    fn vault_replace(&self, reference: &str, endpoint: Option<&str>, handle: &str) -> Result<(), VaultError> {
        let mut state = self.changing("the vault");
        state.accounts.replace(reference, endpoint, handle)
    }

    fn vault_withdraw(&self, reference: &str) -> Result<(), VaultError> {
        let mut state = self.changing("the vault");
        state.accounts.withdraw(reference)
    }

    fn vault_update(&self, reference: &str, change: &Change) -> Result<Details, VaultError> {
        let state = &mut *self.state.borrow_mut();
        state.stop_a_read("the vault");
        state.accounts.update(reference, change, state.now)
    }

    fn vault_remove(&self, reference: &str) -> Result<(), VaultError> {
        let mut state = self.changing("the vault");
        state.accounts.remove(reference)
    }

    fn vault_probe(&self, reference: &str) -> Result<SendResponse, SendFailure> {
        self.state.borrow_mut().accounts.probe(reference)
    }

    fn vault_ask_consent(&self, kind: &str, name: &str, scopes: &[String]) -> Result<Consent, ConsentError> {
        let state = &mut *self.state.borrow_mut();
        state.stop_a_read("the vault");
        let id = format!("flw_{}", state.make_id());
        state.accounts.ask_consent(&id, state.now, kind, name, scopes)
    }

    fn vault_get_consent(&self, reference: &str) -> Option<Consent> {
        let state = self.state.borrow();
        state.accounts.get_consent(reference, state.now)
    }

    fn vault_lacking(&self, reference: &str) -> Vec<String> {
        self.state.borrow().accounts.lacking(reference)
    }

    fn vault_revoke(&self, reference: &str) -> bool {
        self.state.borrow().accounts.revoke(reference)
    }

    fn vault_spending(&self, reference: &str, from: i64, to: i64) -> Vec<Spent> {
        self.state.borrow().accounts.spending(reference, from, to)
    }

    fn vault_usage(&self, reference: &str, from: i64, to: i64) -> Vec<Used> {
        self.state.borrow().accounts.usage(reference, from, to)
    }

    fn ask(&self, question: &platform::Question) -> Result<String, Fault> {
        self.service.borrow_mut().ask(question)
    }

    fn act(&self, action: &platform_write::Action) -> Result<String, Fault> {
        self.state.borrow().stop_a_read("the service");
        self.service.borrow_mut().act(action)
    }

    fn schedule(&self, name: &str) -> Option<schedule::Entry> {
        self.state.borrow().schedules.get(name).cloned()
    }

    fn schedule_put(
        &self,
        name: &str,
        cadence: schedule::Cadence,
        calls: &[schedule::Planned],
        watch: Option<&schedule::Watch>,
    ) -> Result<schedule::Entry, String> {
        let mut state = self.changing("schedules");
        Ok(state.put_schedule(name, cadence, calls, watch))
    }

    fn once(&self, name: &str) -> Option<schedule::OnceEntry> {
        self.state.borrow().once.get(name).cloned()
    }

    fn once_put(&self, name: &str, at: u64, calls: &[schedule::Planned]) -> Result<schedule::OnceEntry, String> {
        self.changing("schedules").put_once(name, at, calls)
    }

    fn schedule_remove(&self, name: &str) -> bool {
        self.changing("schedules").remove_schedule(name)
    }

    fn work(&self, name: &str) -> Option<schedule::WorkEntry> {
        self.state.borrow().work.get(name).cloned()
    }

    fn work_put(&self, work: &schedule::Work) -> Result<schedule::WorkEntry, String> {
        let mut state = self.changing("schedules");
        state.put_work(work)
    }

    fn notice_state(&self, about: &str) -> notices::Delivery {
        self.state.borrow().told(about)
    }

    fn notice_tell(&self, notice: &notices_write::Notice) -> Result<(), String> {
        let mut state = self.changing("notices");
        state.tell(notice)
    }

    fn seal(&self, terms: &str) -> Quote {
        let day = self.state.borrow().now / 86_400_000;
        Quote { hash: seal(terms, day), expires: (day + 2) * 86_400_000 }
    }

    fn check(&self, terms: &str, hash: &str) -> Verdict {
        let day = self.state.borrow().now / 86_400_000;
        if hash == seal(terms, day) || hash == seal(terms, day - 1) {
            Verdict::Valid
        } else if (2..40).any(|age| hash == seal(terms, day - age)) {
            Verdict::Expired
        } else {
            Verdict::Changed
        }
    }

    fn now(&self) -> u64 {
        self.state.borrow().now
    }

    fn elapsed(&self) -> u64 {
        // Of the call that runs; between calls, of all of them.
        let state = self.state.borrow();
        if state.running.is_some() { state.waited - state.began } else { state.waited }
    }

    fn wait(&self, milliseconds: u32) {
        assert!(milliseconds <= 30_000, "a wait is at most 30,000 milliseconds");
        self.state.borrow_mut().waited += u64::from(milliseconds);
    }

    /// Xorshift, the same in every run.
    fn random(&self, count: u32) -> Vec<u8> {
        let mut state = self.state.borrow_mut();
        let mut draw = || {
            state.chance ^= state.chance << 13;
            state.chance ^= state.chance >> 7;
            state.chance ^= state.chance << 17;
            state.chance.to_be_bytes()[0]
        };
        (0..count).map(|_| draw()).collect()
    }

    fn log(&self, level: Level, message: &str) {
        self.state.borrow_mut().trace.push(format!("{level:?}: {message}"));
    }
}

/// Not a secret's work: the fake seals by writing the terms down, sorted as JSON.
fn seal(terms: &str, day: u64) -> String {
    let sorted =
        serde_json::from_str::<serde_json::Value>(terms).map_or_else(|_| terms.to_owned(), |it| it.to_string());
    let sum = format!("{day}:{sorted}")
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, it| (sum ^ u64::from(it)).wrapping_mul(0x0100_0000_01b3));
    format!("fake-{sum:016x}")
}
