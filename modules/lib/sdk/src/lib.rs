//! What a module author writes against: contracts, values, records, and the host's interfaces as one `Cx`.
//!
//! A guest is compiled twice from the same source. For `wasm32-unknown-unknown` the interfaces of
//! `wit/v1` answer; natively a fake in memory does, so a module's tests are plain `cargo test`.
//! No dynamic dispatch stands between a module and its host: what a module does not call is
//! not linked, and what is not linked is not among the component's imports.

// The attributes write paths from `::sdk`, in its own tests too.
#[cfg(test)]
extern crate self as sdk;

mod accounts;
#[cfg(any(target_arch = "wasm32", test))]
mod arena;
mod bindings;
mod blobs;
mod cache;
mod confirmation;
mod connections;
mod contract;
mod cost;
mod cx;
mod dialect;
mod dns;
pub mod entry;
#[cfg(not(target_arch = "wasm32"))]
mod fake;
mod fault;
mod forms;
mod host;
mod jobs;
mod links;
mod llm;
mod mail;
mod module;
mod notices;
mod offer;
mod paging;
mod platform;
mod pointer;
pub mod prelude;
mod query;
mod queued;
mod quotes;
mod recipients;
mod records;
mod reply;
mod schedule;
mod schema;
mod shares;
mod step;
mod stored;
mod tls;
mod uploads;
pub mod value;
mod vault;
mod web;

pub use accounts::{About, Accounts};
pub use bindings::boundary;
pub use blobs::Blobs;
pub use cache::Cache;
pub use confirmation::Confirmation;
pub use connections::{Connection, ConnectionState, Connections, Need, Send, SendFailure, Sent};
pub use contract::{Kind, Operation};
pub use cost::{Cost, Most};
pub use cx::{Cx, Trace};
pub use dialect::{Basis, Degraded, Fix, Interval, Money, Next, Progress, Severity, Whole, credits, served};
pub use dns::{Authority, Dns, DnsAnswer, DnsFailure, Entry, Outcome, Question, Told, Trust};
#[cfg(not(target_arch = "wasm32"))]
pub use fake::{Fake, ProviderAsked, ProviderSaid, Replied, check_named_calls};
pub use fault::{Fault, Result};
pub use forms::{Before, Upgraded};
pub use jobs::{Job, JobState, Jobs};
pub use links::{Device, Hit, HitsPage, Link, LinkDay, LinkState, Links, Redirect};
pub use llm::{Answered, Cited, Conversation, Finish, Llm, Prices, Prompt, TalkFailure, Turn};
pub use mail::{InvalidMail, Letter, Mail, MailFailure, MailReply, MailSent, RefusedRecipient};
pub use module::{Collection, Export, Module, Raw};
pub use notices::{Notice, NoticeState, Notices, Urgency};
pub use paging::{Paged, invalid_cursor, position};
pub use platform::{
    ActivityFilter, Estimate, Grouping, InvoiceFilter, JobFilter, LedgerFilter, Paging, PlanChange, Platform,
    PlatformAction, PlatformBudget, PlatformOrder, PlatformQuestion, RawData, Span, Spending, StoredRows,
};
pub use query::{Cursor, Page, Query};
pub use queued::{IsQueued, Queued, Tracked};
pub use quotes::{Quotes, Seal, Verdict};
pub use recipients::{Invitation, Recipient, RecipientState, Recipients, RecipientsPage};
pub use records::{Index, Readable, Record, Records};
pub use reply::{Answer, Reply};
pub use schedule::{Cadence, Every, Planned, Scheduled, ScheduledOnce, ScheduledWork, Schedules, Watch, Work};
pub use schemars;
pub use sdk_macros::{args, foreign, module, operation, page, record, step, value};
pub use serde;
pub use serde_json::{self, json};
pub use shares::{Guarded, GuardedMedia, Media, Published, Share, Shares};
pub use step::{JobStep, Step};
pub use stored::Stored;
pub use tls::{Acceptance, Certificate, Distrust, Tls, TlsFailure, TlsReport, TlsVersion};
pub use uploads::{OpenedUpload, Upload, UploadRequest, UploadState, Uploads};
pub use value::{Credentials, Secret};
pub use vault::{
    ConnectionChange, ConnectionDetails, ConnectionField, ConnectionKind, ConnectionSpending, ConnectionUse, Consent,
    ConsentError, ConsentState, EndpointPlace, Vault, VaultError,
};
pub use web::{Cached, Failure, Request, Response, Web};
pub use wit_bindgen;
