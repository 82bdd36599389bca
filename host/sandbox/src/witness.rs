//! The host side of the boundary: passes each host call to the host and records it, or answers it from a tape.
//!
//! The table below lists every function of `wit/v1`. A function that is missing there does not compile, since the trait
//! of its interface is then incomplete.

use serde::de::DeserializeOwned;
use serde_json::Value;
use wasmtime::component::HasData;

use crate::bindings::{
    accounts, blobs, blobs_write, cache, catalog, clock, connections, dns, guarded_shares_write, jobs, jobs_write,
    links, links_write, log, mail, notices, notices_write, platform, platform_write, quotes, random, recipients,
    recipients_write, records, records_write, refunds_write, schedule, schedule_write, shares, shares_write, tls,
    types, uploads, uploads_write, vault, web,
};
use crate::packed::{AsItIs as _, Packed};
use crate::stage::Stage;
use crate::state::State;

/// The implementation of all host interfaces, over the data of the store.
pub(crate) struct Witness<'a>(&'a mut Stage);

pub(crate) fn watch(stage: &mut Stage) -> Witness<'_> {
    Witness(stage)
}

/// Tells the engine which type implements the interfaces.
pub(crate) struct Watched;

impl HasData for Watched {
    type Data<'a> = Witness<'a>;
}

impl types::Host for Witness<'_> {}

/// `wait` marks functions that may wait for something external, `now` those that never do.
macro_rules! witnessed {
    ($($interface:ident { $($how:ident $name:ident($($part:ident: $type:ty),*) -> $answer:ty;)* })*) => {
        $(impl $interface::Host for Witness<'_> {
            $(witnessed!(@$how $interface $name($($part: $type),*) -> $answer);)*
        })*

        /// An answer of this function as JSON, for its shape; `None` if there is no such function or the bytes are not
        /// its answer.
        pub(crate) fn legible(function: &str, told: &[u8]) -> Option<Value> {
            $($(if function == concat!(stringify!($interface), ".", stringify!($name)) {
                return value::<$answer>(told);
            })*)*
            None
        }
    };
    (@wait $interface:ident $name:ident($($part:ident: $type:ty),*) -> $answer:ty) => {
        async fn $name(&mut self, $($part: $type),*) -> wasmtime::Result<$answer> {
            const FUNCTION: &str = concat!(stringify!($interface), ".", stringify!($name));
            match &mut *self.0 {
                Stage::Live(state) => {
                    if let Some(recorder) = &mut state.recorder {
                        recorder.asks(FUNCTION, &($(Packed(&$part).form(),)*));
                    }
                    let answer = <State as $interface::Host>::$name(state, $($part),*).await;
                    if let (Some(recorder), Ok(answer)) = (&mut state.recorder, &answer) {
                        recorder.told(&Packed(answer).form());
                    }
                    answer
                }
                Stage::Replay(tape) => tape.told(FUNCTION, &($(Packed(&$part).form(),)*)),
            }
        }
    };
    (@now $interface:ident $name:ident($($part:ident: $type:ty),*) -> $answer:ty) => {
        fn $name(&mut self, $($part: $type),*) -> wasmtime::Result<$answer> {
            const FUNCTION: &str = concat!(stringify!($interface), ".", stringify!($name));
            match &mut *self.0 {
                Stage::Live(state) => {
                    if let Some(recorder) = &mut state.recorder {
                        recorder.asks(FUNCTION, &($(Packed(&$part).form(),)*));
                    }
                    let answer = <State as $interface::Host>::$name(state, $($part),*);
                    if let (Some(recorder), Ok(answer)) = (&mut state.recorder, &answer) {
                        recorder.told(&Packed(answer).form());
                    }
                    answer
                }
                Stage::Replay(tape) => tape.told(FUNCTION, &($(Packed(&$part).form(),)*)),
            }
        }
    };
}

witnessed! {
    records {
        wait get(collection: String, id: String) -> Result<Option<records::Row>, records::RecordsError>;
        wait find(collection: String, query: records::Query) -> Result<records::Page, records::RecordsError>;
        wait scan(collection: String, query: records::Query) -> Result<records::Chunk, records::RecordsError>;
        wait count(collection: String, query: records::Query) -> Result<u64, records::RecordsError>;
    }
    records_write {
        wait insert(collection: String, id: Option<String>, body: String)
            -> Result<records::Row, records::RecordsError>;
        wait put_many(collection: String, rows: Vec<u8>) -> Result<u32, records::RecordsError>;
        wait update(collection: String, id: String, version: u64, body: String)
            -> Result<records::Row, records::RecordsError>;
        wait remove(collection: String, id: String, version: u64) -> Result<(), records::RecordsError>;
        wait remove_where(collection: String, index: String, equals: Vec<String>) -> Result<u64, records::RecordsError>;
    }
    blobs {
        wait read(key: String, offset: u64, length: u32) -> Option<Vec<u8>>;
        wait keys(prefix: String, after: Option<String>, limit: u32) -> Vec<String>;
    }
    blobs_write {
        wait write(key: String, bytes: Vec<u8>) -> Result<(), String>;
        wait remove(key: String) -> Result<(), String>;
    }
    cache {
        wait get(key: String) -> Option<Vec<u8>>;
        wait put(key: String, value: Vec<u8>, seconds: u32) -> ();
    }
    accounts {
        wait describe(reference: String) -> Option<accounts::About>;
        wait note_spent(reference: String, micros: u64, currency: String) -> bool;
    }
    catalog { now serves(operation: String) -> bool; }
    jobs { wait get(reference: String) -> Option<jobs::Job>; }
    jobs_write { wait enqueue(step: String, payload: String) -> Result<String, String>; }
    refunds_write { wait refund(job: String, units: u64) -> Result<u64, refunds_write::RefundError>; }
    links {
        wait get(code: String) -> Option<links::Link>;
        wait days(code: String, first: u32, last: u32) -> Vec<links::Day>;
        wait hits(code: String, after: Option<String>, limit: u32) -> links::HitsPage;
    }
    links_write {
        wait create(redirect: links_write::Redirect) -> Result<links::Link, links_write::LinkError>;
        wait set_state(code: String, state: links::State) -> Result<(), links_write::LinkError>;
    }
    shares { wait get(reference: String) -> Option<shares::Share>; }
    shares_write {
        wait publish(publication: shares_write::Publication)
            -> Result<shares_write::Published, shares_write::ShareError>;
        wait publish_with_grant(publication: shares_write::Publication)
            -> Result<shares_write::Published, shares_write::ShareError>;
        wait revoke(reference: String) -> Result<shares::Share, shares_write::ShareError>;
    }
    guarded_shares_write {
        wait publish(publication: guarded_shares_write::Publication)
            -> Result<guarded_shares_write::Published, guarded_shares_write::ShareError>;
    }
    uploads {
        wait info(reference: String) -> Option<uploads::Upload>;
        wait read(reference: String, offset: u64, length: u32) -> Option<Vec<u8>>;
    }
    uploads_write {
        wait open(request: uploads_write::Request) -> Result<uploads_write::Opened, uploads_write::OpenError>;
    }
    platform { wait ask(question: platform::Question) -> Result<String, types::Fault>; }
    platform_write { wait act(action: platform_write::Action) -> Result<String, types::Fault>; }
    notices { wait get(about: String) -> notices::Delivery; }
    notices_write { wait tell(notice: notices_write::Notice) -> Result<(), String>; }
    schedule {
        wait get(name: String) -> Option<schedule::Entry>;
        wait get_once(name: String) -> Option<schedule::OnceEntry>;
        wait get_work(name: String) -> Option<schedule::WorkEntry>;
    }
    schedule_write {
        wait put(
            name: String,
            cadence: schedule::Cadence,
            calls: Vec<schedule::Planned>,
            watch: Option<schedule::Watch>
        ) -> Result<schedule::Entry, String>;
        wait put_once(name: String, at: u64, calls: Vec<schedule::Planned>) -> Result<schedule::OnceEntry, String>;
        wait put_work(work: schedule::Work) -> Result<schedule::WorkEntry, String>;
        wait remove(name: String) -> bool;
    }
    web {
        wait fetch(request: web::Request) -> Result<web::Response, web::Failure>;
        wait fetch_many(requests: Vec<web::Request>) -> Vec<Result<web::Response, web::Failure>>;
    }
    dns {
        wait lookup(question: dns::Question) -> Result<dns::Answer, dns::Failure>;
        wait lookup_many(questions: Vec<dns::Question>) -> Vec<Result<dns::Answer, dns::Failure>>;
        wait authoritative(question: dns::Question, servers: Vec<String>, most: u8)
            -> Result<dns::Authority, dns::Failure>;
        wait resolvers(question: dns::Question) -> Result<Vec<dns::Told>, dns::Failure>;
        wait blocklists() -> Vec<String>;
    }
    tls { wait inspect(question: tls::Question) -> Result<tls::Report, tls::Failure>; }
    connections {
        wait list(kind: Option<String>) -> Vec<connections::Connection>;
        wait send(request: connections::Request) -> Result<connections::Response, connections::Failure>;
        wait send_many(requests: Vec<connections::Request>) -> Vec<Result<connections::Response, connections::Failure>>;
    }
    mail { wait send(message: mail::Message) -> Result<mail::Sent, mail::Failure>; }
    recipients {
        wait state(address: String) -> recipients::Standing;
        wait list(after: Option<String>, limit: u32) -> recipients::RecipientsPage;
    }
    recipients_write {
        wait invite(connection: String, address: String, words: String)
            -> Result<recipients_write::Invitation, mail::Failure>;
    }
    vault {
        wait kinds() -> Vec<vault::Kind>;
        wait all() -> Vec<vault::Details>;
        wait get(reference: String) -> Option<vault::Details>;
        wait put(kind: String, name: String, endpoint: Option<String>, credentials: String)
            -> Result<String, vault::VaultError>;
        wait replace(reference: String, endpoint: Option<String>, credentials: String) -> Result<(), vault::VaultError>;
        wait withdraw(reference: String) -> Result<(), vault::VaultError>;
        wait update(reference: String, change: vault::Change) -> Result<vault::Details, vault::VaultError>;
        wait remove(reference: String) -> Result<(), vault::VaultError>;
        wait probe(reference: String) -> Result<connections::Response, connections::Failure>;
        wait ask_consent(kind: String, name: String, scopes: Vec<String>)
            -> Result<vault::Consent, vault::ConsentError>;
        wait get_consent(reference: String) -> Option<vault::Consent>;
        wait lacking(reference: String) -> Vec<String>;
        wait revoke(reference: String) -> bool;
        wait usage(reference: String, first_day: i64, last_day: i64) -> Vec<vault::Used>;
        wait spending(reference: String, first_day: i64, last_day: i64) -> Vec<vault::Spent>;
    }
    quotes {
        now seal(terms: String) -> quotes::Quote;
        now check(terms: String, hash: String) -> quotes::Verdict;
    }
    clock {
        now now() -> u64;
        now elapsed() -> u64;
        wait wait(milliseconds: u32) -> ();
    }
    random { now bytes(count: u32) -> Vec<u8>; }
    log { now write(level: log::Level, message: String) -> (); }
}

fn value<T: DeserializeOwned + serde::Serialize>(told: &[u8]) -> Option<Value> {
    serde_json::to_value(postcard::from_bytes::<T>(told).ok()?).ok()
}
