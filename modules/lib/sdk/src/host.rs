//! The host as the sdk calls it: the boundary on the guest target, a fake natively.

use crate::bindings::wit::connections::{
    Connection, Failure as SendFailure, Request as SendRequest, Response as SendResponse,
};
use crate::bindings::wit::dns;
use crate::bindings::wit::jobs::Job;
use crate::bindings::wit::log::Level;
use crate::bindings::wit::mail;
use crate::bindings::wit::quotes::{Quote, Verdict};
use crate::bindings::wit::records::{Chunk, Page, Query, RecordsError, Row};
use crate::bindings::wit::refunds_write::RefundError;
use crate::bindings::wit::tls;
use crate::bindings::wit::vault;
use crate::bindings::wit::web::{Failure, Request, Response};
use crate::bindings::wit::{accounts, notices, notices_write, platform, platform_write, schedule};
use crate::boundary::Fault;

mod edges;
#[cfg(target_arch = "wasm32")]
mod guest;

pub(crate) use edges::Edges;

/// The one that this build talks to.
#[cfg(target_arch = "wasm32")]
pub(crate) use guest::Guest as Here;

/// The one that this build talks to.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use crate::fake::World as Here;

/// Every function of `wit/v1`. Called on a concrete type only, so that a module links what it calls.
pub(crate) trait Host {
    fn get(&self, collection: &str, id: &str) -> Result<Option<Row>, RecordsError>;
    fn find(&self, collection: &str, query: &Query) -> Result<Page, RecordsError>;
    fn scan(&self, collection: &str, query: &Query) -> Result<Chunk, RecordsError>;
    fn count(&self, collection: &str, query: &Query) -> Result<u64, RecordsError>;
    fn insert(&self, collection: &str, id: Option<&str>, body: &str) -> Result<Row, RecordsError>;
    fn put_many(&self, collection: &str, rows: &[u8]) -> Result<u32, RecordsError>;
    fn update(&self, collection: &str, id: &str, version: u64, body: &str) -> Result<Row, RecordsError>;
    fn remove(&self, collection: &str, id: &str, version: u64) -> Result<(), RecordsError>;
    fn remove_where(&self, collection: &str, index: &str, equals: &[String]) -> Result<u64, RecordsError>;
    fn blob_read(&self, key: &str, offset: u64, length: u32) -> Option<Vec<u8>>;
    fn blob_keys(&self, prefix: &str, after: Option<&str>, limit: u32) -> Vec<String>;
    fn blob_write(&self, key: &str, bytes: &[u8]) -> Result<(), String>;
    fn blob_remove(&self, key: &str) -> Result<(), String>;
    fn cache_get(&self, key: &str) -> Option<Vec<u8>>;
    fn cache_put(&self, key: &str, value: &[u8], seconds: u32);
    fn job(&self, reference: &str) -> Option<Job>;
    fn enqueue(&self, step: &str, payload: &str) -> Result<String, String>;
    fn refund(&self, job: &str, units: u64) -> Result<u64, RefundError>;
    fn fetch(&self, request: &Request) -> Result<Response, Failure>;
    fn fetch_many(&self, requests: &[Request]) -> Vec<Result<Response, Failure>>;
    fn lookup(&self, question: &dns::Question) -> Result<dns::Answer, dns::Failure>;
    fn lookup_many(&self, questions: &[dns::Question]) -> Vec<Result<dns::Answer, dns::Failure>>;
    fn authoritative(
        &self,
        question: &dns::Question,
        servers: &[String],
        most: u8,
    ) -> Result<dns::Authority, dns::Failure>;
    fn resolvers(&self, question: &dns::Question) -> Result<Vec<dns::Told>, dns::Failure>;
    fn blocklists(&self) -> Vec<String>;
    fn inspect(&self, question: &tls::Question) -> Result<tls::Report, tls::Failure>;
    fn connections(&self, kind: Option<&str>) -> Vec<Connection>;
    fn send(&self, request: &SendRequest) -> Result<SendResponse, SendFailure>;
    fn send_many(&self, requests: &[SendRequest]) -> Vec<Result<SendResponse, SendFailure>>;
    fn account(&self, reference: &str) -> Option<accounts::About>;
    fn note_spent(&self, reference: &str, micros: u64, currency: &str) -> bool;
    fn mail(&self, message: &mail::Message) -> Result<mail::Sent, mail::Failure>;
    fn vault_kinds(&self) -> Vec<vault::Kind>;
    fn vault_all(&self) -> Vec<vault::Details>;
    fn vault_get(&self, reference: &str) -> Option<vault::Details>;
    fn vault_put(
        &self,
        kind: &str,
        name: &str,
        endpoint: Option<&str>,
        handle: &str,
    ) -> Result<String, vault::VaultError>;
    fn vault_replace(&self, reference: &str, endpoint: Option<&str>, handle: &str) -> Result<(), vault::VaultError>;
    fn vault_withdraw(&self, reference: &str) -> Result<(), vault::VaultError>;
    fn vault_update(&self, reference: &str, change: &vault::Change) -> Result<vault::Details, vault::VaultError>;
    fn vault_remove(&self, reference: &str) -> Result<(), vault::VaultError>;
    fn vault_probe(&self, reference: &str) -> Result<SendResponse, SendFailure>;
    fn vault_ask_consent(
        &self,
        kind: &str,
        name: &str,
        scopes: &[String],
    ) -> Result<vault::Consent, vault::ConsentError>;
    fn vault_get_consent(&self, reference: &str) -> Option<vault::Consent>;
    fn vault_lacking(&self, reference: &str) -> Vec<String>;
    fn vault_revoke(&self, reference: &str) -> bool;
    fn vault_usage(&self, reference: &str, from: i64, to: i64) -> Vec<vault::Used>;
    fn vault_spending(&self, reference: &str, from: i64, to: i64) -> Vec<vault::Spent>;
    fn ask(&self, question: &platform::Question) -> Result<String, Fault>;
    fn act(&self, action: &platform_write::Action) -> Result<String, Fault>;
    fn schedule(&self, name: &str) -> Option<schedule::Entry>;
    fn schedule_put(
        &self,
        name: &str,
        cadence: schedule::Cadence,
        calls: &[schedule::Planned],
        watch: Option<&schedule::Watch>,
    ) -> Result<schedule::Entry, String>;
    fn once(&self, name: &str) -> Option<schedule::OnceEntry>;
    fn once_put(&self, name: &str, at: u64, calls: &[schedule::Planned]) -> Result<schedule::OnceEntry, String>;
    fn schedule_remove(&self, name: &str) -> bool;
    fn work(&self, name: &str) -> Option<schedule::WorkEntry>;
    fn work_put(&self, work: &schedule::Work) -> Result<schedule::WorkEntry, String>;
    fn notice_state(&self, about: &str) -> notices::Delivery;
    fn notice_tell(&self, notice: &notices_write::Notice) -> Result<(), String>;
    fn seal(&self, terms: &str) -> Quote;
    fn check(&self, terms: &str, hash: &str) -> Verdict;
    fn now(&self) -> u64;
    fn elapsed(&self) -> u64;
    fn wait(&self, milliseconds: u32);
    fn random(&self, count: u32) -> Vec<u8>;
    fn log(&self, level: Level, message: &str);
}
