//! The real host, over the boundary.

use super::{
    Chunk, Connection, Failure, Host, Job, Level, Page, Query, Quote, RecordsError, Request, Response, Row,
    SendFailure, SendRequest, SendResponse, Verdict,
};
use crate::bindings::wit::{
    accounts, blobs, blobs_write, cache, clock, connections, dns, jobs, jobs_write, log, mail, notices, notices_write,
    platform, platform_write, quotes, random, records, records_write, refunds_write, schedule, schedule_write, tls,
    vault, web,
};
use crate::boundary::Fault;

mod edges;

/// The host that has bound this instance to one call.
pub(crate) struct Guest;

impl Host for Guest {
    fn get(&self, collection: &str, id: &str) -> Result<Option<Row>, RecordsError> {
        records::get(collection, id)
    }

    fn find(&self, collection: &str, query: &Query) -> Result<Page, RecordsError> {
        records::find(collection, query)
    }

    fn scan(&self, collection: &str, query: &Query) -> Result<Chunk, RecordsError> {
        records::scan(collection, query)
    }

    fn count(&self, collection: &str, query: &Query) -> Result<u64, RecordsError> {
        records::count(collection, query)
    }

    fn insert(&self, collection: &str, id: Option<&str>, body: &str) -> Result<Row, RecordsError> {
        records_write::insert(collection, id, body)
    }

    fn put_many(&self, collection: &str, rows: &[u8]) -> Result<u32, RecordsError> {
        records_write::put_many(collection, rows)
    }

    fn update(&self, collection: &str, id: &str, version: u64, body: &str) -> Result<Row, RecordsError> {
        records_write::update(collection, id, version, body)
    }

    fn remove(&self, collection: &str, id: &str, version: u64) -> Result<(), RecordsError> {
        records_write::remove(collection, id, version)
    }

    fn remove_where(&self, collection: &str, index: &str, equals: &[String]) -> Result<u64, RecordsError> {
        records_write::remove_where(collection, index, equals)
    }

    fn blob_read(&self, key: &str, offset: u64, length: u32) -> Option<Vec<u8>> {
        blobs::read(key, offset, length)
    }

    fn blob_keys(&self, prefix: &str, after: Option<&str>, limit: u32) -> Vec<String> {
        blobs::keys(prefix, after, limit)
    }

    fn blob_write(&self, key: &str, bytes: &[u8]) -> Result<(), String> {
        blobs_write::write(key, bytes)
    }

    fn blob_remove(&self, key: &str) -> Result<(), String> {
        blobs_write::remove(key)
    }

    fn cache_get(&self, key: &str) -> Option<Vec<u8>> {
        cache::get(key)
    }

    fn cache_put(&self, key: &str, value: &[u8], seconds: u32) {
        cache::put(key, value, seconds);
    }

    fn job(&self, reference: &str) -> Option<Job> {
        jobs::get(reference)
    }

    fn enqueue(&self, step: &str, payload: &str) -> Result<String, String> {
        jobs_write::enqueue(step, payload)
    }

    fn refund(&self, job: &str, units: u64) -> Result<u64, refunds_write::RefundError> {
        refunds_write::refund(job, units)
    }

    fn fetch(&self, request: &Request) -> Result<Response, Failure> {
        web::fetch(request)
    }

    fn fetch_many(&self, requests: &[Request]) -> Vec<Result<Response, Failure>> {
        web::fetch_many(requests)
    }

    fn lookup(&self, question: &dns::Question) -> Result<dns::Answer, dns::Failure> {
        dns::lookup(question)
    }

    fn lookup_many(&self, questions: &[dns::Question]) -> Vec<Result<dns::Answer, dns::Failure>> {
        dns::lookup_many(questions)
    }

    fn authoritative(
        &self,
        question: &dns::Question,
        servers: &[String],
        most: u8,
    ) -> Result<dns::Authority, dns::Failure> {
        dns::authoritative(question, servers, most)
    }

    fn resolvers(&self, question: &dns::Question) -> Result<Vec<dns::Told>, dns::Failure> {
        dns::resolvers(question)
    }

    fn blocklists(&self) -> Vec<String> {
        dns::blocklists()
    }

    fn inspect(&self, question: &tls::Question) -> Result<tls::Report, tls::Failure> {
        tls::inspect(question)
    }

    fn connections(&self, kind: Option<&str>) -> Vec<Connection> {
        connections::list(kind)
    }

    fn send(&self, request: &SendRequest) -> Result<SendResponse, SendFailure> {
        connections::send(request)
    }

    fn send_many(&self, requests: &[SendRequest]) -> Vec<Result<SendResponse, SendFailure>> {
        connections::send_many(requests)
    }

    fn account(&self, reference: &str) -> Option<accounts::About> {
        accounts::describe(reference)
    }

    fn note_spent(&self, reference: &str, micros: u64, currency: &str) -> bool {
        accounts::note_spent(reference, micros, currency)
    }

    fn mail(&self, message: &mail::Message) -> Result<mail::Sent, mail::Failure> {
        mail::send(message)
    }

    fn vault_kinds(&self) -> Vec<vault::Kind> {
        vault::kinds()
    }

    fn vault_all(&self) -> Vec<vault::Details> {
        vault::all()
    }

    fn vault_get(&self, reference: &str) -> Option<vault::Details> {
        vault::get(reference)
    }

    fn vault_put(
        &self,
        kind: &str,
        name: &str,
        endpoint: Option<&str>,
        handle: &str,
    ) -> Result<String, vault::VaultError> {
        vault::put(kind, name, endpoint, handle)
    }

    fn vault_replace(&self, reference: &str, endpoint: Option<&str>, handle: &str) -> Result<(), vault::VaultError> {
        vault::replace(reference, endpoint, handle)
    }

    fn vault_withdraw(&self, reference: &str) -> Result<(), vault::VaultError> {
        vault::withdraw(reference)
    }

    fn vault_update(&self, reference: &str, change: &vault::Change) -> Result<vault::Details, vault::VaultError> {
        vault::update(reference, change)
    }

    fn vault_remove(&self, reference: &str) -> Result<(), vault::VaultError> {
        vault::remove(reference)
    }

    fn vault_probe(&self, reference: &str) -> Result<SendResponse, SendFailure> {
        vault::probe(reference)
    }

    fn vault_ask_consent(
        &self,
        kind: &str,
        name: &str,
        scopes: &[String],
    ) -> Result<vault::Consent, vault::ConsentError> {
        vault::ask_consent(kind, name, scopes)
    }

    fn vault_get_consent(&self, reference: &str) -> Option<vault::Consent> {
        vault::get_consent(reference)
    }

    fn vault_lacking(&self, reference: &str) -> Vec<String> {
        vault::lacking(reference)
    }

    fn vault_revoke(&self, reference: &str) -> bool {
        vault::revoke(reference)
    }

    fn vault_spending(&self, reference: &str, from: i64, to: i64) -> Vec<vault::Spent> {
        vault::spending(reference, from, to)
    }

    fn vault_usage(&self, reference: &str, from: i64, to: i64) -> Vec<vault::Used> {
        vault::usage(reference, from, to)
    }

    fn ask(&self, question: &platform::Question) -> Result<String, Fault> {
        platform::ask(question)
    }

    fn act(&self, action: &platform_write::Action) -> Result<String, Fault> {
        platform_write::act(action)
    }

    fn schedule(&self, name: &str) -> Option<schedule::Entry> {
        schedule::get(name)
    }

    fn schedule_put(
        &self,
        name: &str,
        cadence: schedule::Cadence,
        calls: &[schedule::Planned],
        watch: Option<&schedule::Watch>,
    ) -> Result<schedule::Entry, String> {
        schedule_write::put(name, cadence, calls, watch)
    }

    fn once(&self, name: &str) -> Option<schedule::OnceEntry> {
        schedule::get_once(name)
    }

    fn once_put(&self, name: &str, at: u64, calls: &[schedule::Planned]) -> Result<schedule::OnceEntry, String> {
        schedule_write::put_once(name, at, calls)
    }

    fn schedule_remove(&self, name: &str) -> bool {
        schedule_write::remove(name)
    }

    fn work(&self, name: &str) -> Option<schedule::WorkEntry> {
        schedule::get_work(name)
    }

    fn work_put(&self, work: &schedule::Work) -> Result<schedule::WorkEntry, String> {
        schedule_write::put_work(work)
    }

    fn notice_state(&self, about: &str) -> notices::Delivery {
        notices::get(about)
    }

    fn notice_tell(&self, notice: &notices_write::Notice) -> Result<(), String> {
        notices_write::tell(notice)
    }

    fn seal(&self, terms: &str) -> Quote {
        quotes::seal(terms)
    }

    fn check(&self, terms: &str, hash: &str) -> Verdict {
        quotes::check(terms, hash)
    }

    fn now(&self) -> u64 {
        clock::now()
    }

    fn elapsed(&self) -> u64 {
        clock::elapsed()
    }

    fn wait(&self, milliseconds: u32) {
        clock::wait(milliseconds);
    }

    fn random(&self, count: u32) -> Vec<u8> {
        random::bytes(count)
    }

    fn log(&self, level: Level, message: &str) {
        log::write(level, message);
    }
}
