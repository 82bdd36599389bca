//! The attempts, as data: which guest tries what, and what must become of it.

mod loading;

use std::time::Duration;

use catalog::lock::Lock;
use model::limits::Limits;
use sandbox::{Denial, LimitKind, Trap};

/// One attempt.
pub struct Case {
    /// A name that reports keep.
    pub name: &'static str,
    /// What is tried, in a sentence.
    pub tries: &'static str,
    /// How.
    pub attempt: Attempt,
    /// What must become of it.
    pub expected: Expected,
}

/// How something is tried.
#[derive(Clone)]
pub enum Attempt {
    /// An operation of a guest runs, with bounds lowered or lifted so that one of them is met soon.
    Run(&'static str, &'static str, fn(&mut Limits)),
    /// The second operation runs where the first has run, and its end counts.
    After(&'static str, &'static str, &'static str),
    /// The operation runs twice; the fuel must be the same too.
    Twice(&'static str, &'static str),
    /// The operation runs many times at once, for several customers.
    Crowd(&'static str, &'static str),
    /// A component is loaded against a lock.
    Load(fn() -> (Vec<u8>, Lock)),
    /// A signature is checked: the words of its refusal.
    Signature(fn() -> Result<(), String>),
}

/// What must become of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// This bound ends it.
    Limit(LimitKind),
    /// Its time ends it, or the machine that has no processor for it meanwhile.
    OutOfTime,
    /// The host stops it for this.
    Denied(Denial),
    /// It breaks in this way.
    Trap(Trap),
    /// It breaks, in whichever way.
    Broken,
    /// It answers exactly this.
    Answers(&'static str),
    /// It answers this, and the trail names the address that was refused.
    Refused(&'static str),
    /// Each run answers, reaches a limit or is refused as busy, and all of them stay within bounds of memory and CPU.
    Bounded,
    /// It is not loaded or does not count; these words say why.
    NotLoaded(&'static str),
}

use Attempt::{After, Crowd, Load, Run, Signature, Twice};
use Expected::{Answers, Bounded, Broken, Denied, Limit, NotLoaded, OutOfTime, Refused};

const fn same(_limits: &mut Limits) {}

const fn little_fuel(limits: &mut Limits) {
    limits.fuel = 10_000_000;
}

const fn little_time(limits: &mut Limits) {
    limits.fuel = u64::MAX;
    limits.wall = Duration::from_millis(100);
}

const fn few_rows(limits: &mut Limits) {
    limits.rows_written = 10;
}

macro_rules! cases {
    ($($name:literal $tries:literal: $attempt:expr => $expected:expr;)+) => {
        &[$(Case { name: $name, tries: $tries, attempt: $attempt, expected: $expected }),+]
    };
}

/// All attempts, in the order of a report.
pub static CASES: &[Case] = cases! {
    "spin-forever" "computes for ever": Run("spin", "spin", little_fuel) => Limit(LimitKind::Fuel);
    "spin-in-bulk-copy" "fills its memory again and again by one instruction": Run("fill", "fill", little_fuel) => Limit(LimitKind::Fuel);
    "spin-beyond-its-time" "computes with all the fuel there is": Run("spin", "spin", little_time) => OutOfTime;
    "wait-beyond-its-time" "waits in the host": Run("flood", "wait", little_time) => Limit(LimitKind::Wall);
    "spin-at-start" "computes before anybody calls it": Run("start", "never", little_fuel) => Limit(LimitKind::Fuel);
    "grow-memory" "takes memory until somebody says no": Run("allocate", "memory", same) => Limit(LimitKind::Memory);
    "huge-table" "takes table elements until somebody says no": Run("allocate", "table", same) => Limit(LimitKind::Table);
    "recursion" "calls itself for ever": Run("recurse", "recurse", same) => Limit(LimitKind::Stack);
    "log-flood" "writes lines of log without end": Run("flood", "log", same) => Limit(LimitKind::LogLines);
    "hostcall-flood" "asks the host without end": Run("flood", "calls", same) => Limit(LimitKind::HostCalls);
    "random-flood" "asks for random bytes without end": Run("flood", "random", same) => Limit(LimitKind::Random);
    "cache-flood" "fills its cache without end": Run("flood", "cache", same) => Limit(LimitKind::CacheBytes);
    "transfer-flood" "hands megabytes over in one call": Run("flood", "transfer", same) => Limit(LimitKind::Transfer);
    "row-flood" "writes rows without end": Run("changes", "flood", few_rows) => Limit(LimitKind::RowsWritten);
    "giant-return" "answers more than an answer may have": Run("answers", "giant", same) => Limit(LimitKind::Answer);
    "huge-return" "answers more than may be copied": Run("answers", "huge", same) => Limit(LimitKind::Transfer);
    "deep-json-return" "answers a thousand brackets": Run("answers", "deep", same) => Limit(LimitKind::Depth);
    "text-return" "answers what is no JSON": Run("answers", "text", same) => Expected::Trap(Trap::Answer);
    "unclosed-return" "answers half an object": Run("answers", "unclosed", same) => Expected::Trap(Trap::Answer);
    "return-outside-memory" "answers from beyond its memory": Run("answers", "outside", same) => Broken;
    "return-no-utf8" "answers bytes that are no text": Run("answers", "bytes", same) => Broken;
    "panic" "breaks": Run("answers", "panic", same) => Expected::Trap(Trap::Wasm);
    "read-op-writes" "inserts a row in a read": Run("changes", "insert", same) => Denied(Denial::WriteInRead);
    "read-op-writes-blob" "writes a blob in a read": Run("changes", "blob", same) => Denied(Denial::WriteInRead);
    "read-op-starts-work" "starts a job in a read": Run("changes", "enqueue_read", same) => Denied(Denial::WriteInRead);
    "crowd-memory" "64 runs at once, each filling all the memory that it gets": Crowd("greedy", "memory") => Bounded;
    "crowd-rows" "64 runs at once, each putting three million records of two bytes": Crowd("greedy", "rows") => Bounded;
    "crowd-reads" "64 runs at once, each reading large rows again and again": Crowd("greedy", "reads") => Bounded;
    "crowd-quotes" "64 runs at once, each sealing a megabyte of terms again and again": Crowd("greedy", "quotes") => Bounded;
    "crowd-blobs" "64 runs at once, each writing large blobs that cannot be compressed": Crowd("greedy", "blobs") => Bounded;
    "read-op-opens-upload" "opens an upload in a read": Run("edges", "open", same) => Denied(Denial::WriteInRead);
    "read-op-makes-link" "makes a public link in a read": Run("edges", "link", same) => Denied(Denial::WriteInRead);
    "read-op-publishes" "publishes in a read": Run("edges", "publish", same) => Denied(Denial::WriteInRead);
    "immediate-op-starts-work" "starts a job that its contract does not name": Run("changes", "enqueue_immediate", same) => Denied(Denial::Enqueue);
    "write-op-removes" "removes a row in a write": Run("changes", "remove_write", same) => Denied(Denial::Remove);
    "undeclared-collection" "writes into a collection that it never declared": Run("changes", "undeclared", same) => Answers("{}");
    "undeclared-web" "asks the outside without saying so": Run("outside", "undeclared", same) => Denied(Denial::Web);
    "undeclared-dns" "asks the name system without saying so": Run("names", "undeclared", same) => Denied(Denial::Dns);
    "undeclared-tls" "opens a secure connection without saying so": Run("names", "secure_undeclared", same) => Denied(Denial::Tls);
    "fetch-metadata-ip" "asks the machine's metadata address": Run("outside", "metadata", same) => Refused(r#"{"failure":0}"#);
    "tls-to-metadata-ip" "opens a secure connection to it": Run("names", "secure", same) => Refused(r#"{"failure":0}"#);
    "name-of-the-inside" "asks the name system about the inside": Run("names", "inside", same) => Refused(r#"{"failure":1}"#);
    "request-flood" "asks the outside without end": Run("outside", "flood", same) => Limit(LimitKind::Requests);
    "question-flood" "asks the name system without end": Run("names", "flood", same) => Limit(LimitKind::Requests);
    "previous-tenant-bytes" "looks for what another customer's run has left": After("tenants", "plant", "look") => Answers(r#"{"found":false}"#);
    "inert-wasi" "asks another toolchain's system interface for the machine": Run("inert", "look", same) => Answers(r#"{"learnt":false}"#);
    "fuel-equality" "runs again, to be charged another amount": Twice("answers", "fine") => Answers("{}");
    "sockets" "imports sockets": Load(loading::sockets) => NotLoaded("which no lock can grant");
    "ungranted-import" "imports what its lock does not grant": Load(loading::ungranted) => NotLoaded("which is not granted");
    "unused-grant" "is granted what it does not import": Load(loading::unused) => NotLoaded("is granted and not imported");
    "tampered-component" "is not the bytes that were locked": Load(loading::tampered) => NotLoaded("locked sha256:");
    "changed-contract-same-version" "turns a read into a removal": Load(loading::changed) => NotLoaded("kind: locked read, built destructive");
    "undeclared-export" "exports what it has no contract for": Load(loading::undeclared) => NotLoaded("without a contract");
    "contract-without-export" "promises what it does not export": Load(loading::boasting) => NotLoaded("which the component lacks");
    "unlocked-operation" "offers what nobody has reviewed": Load(loading::unlocked) => NotLoaded("was built and is not locked");
    "raised-limit" "takes a bound that nobody gave a reason for": Load(loading::raised) => NotLoaded("without a reason");
    "unsigned" "comes without a signature": Signature(loading::unsigned) => NotLoaded("there is no signature");
    "signed-by-other-identity" "is signed by somebody unknown": Signature(loading::stranger) => NotLoaded("which no [[signer]]");
    "signed-beyond-its-right" "is signed by who may not": Signature(loading::beyond) => NotLoaded("does not have modules");
    "flipped-bit" "is one bit from what was signed": Signature(loading::flipped) => NotLoaded("was changed after");
};
