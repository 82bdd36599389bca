//! A call on its way in and its outcome on the way out, the same for both transports.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::id::{IntentRef, RequestId};
use crate::usage::Usage;

/// A request to run one operation.
#[derive(Clone, Debug)]
pub struct Call {
    /// The request as the client sees it.
    pub request: RequestId,
    /// Which operation.
    pub operation: String,
    /// The arguments as sent.
    pub arguments: Map<String, Value>,
    /// The idempotency key as sent.
    pub key: Option<String>,
    /// The search that led here.
    pub intent: Option<IntentRef>,
    /// The digest of the contract that the caller has read; the call is refused when it is another one by now.
    pub contract: Option<String>,
}

/// A completed call.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The request that ran; for a replay, the first one.
    pub request: RequestId,
    /// The result: a JSON object as the guest wrote it.
    pub data: Arc<str>,
    /// `meta.untrusted`: which members hold text that this service did not write, as JSON text; by [`crate::untrusted`].
    pub untrusted: Option<Arc<str>>,
    /// What it cost.
    pub usage: Usage,
    /// `meta.api_version`: the revision's date when it ran.
    pub api_version: Arc<str>,
    /// Whether this is the answer of an earlier call under the same key.
    pub replayed: bool,
}
