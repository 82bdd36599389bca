//! What a refusal is about, where a transport has to act on it: a header, a challenge, an earlier answer. It is kept as
//! it is and written into the envelope at the end, so that nothing reads a limit or a scope back out of JSON.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::scope::ScopeSet;

/// What a refusal is about. A module's own refusals are about nothing: what a guest writes never becomes a header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// Scopes that the grant lacks: for the challenge of RFC 6750, 3.1.
    Scopes {
        /// All that are needed.
        required: ScopeSet,
        /// Those of them that are missing.
        missing: ScopeSet,
    },
    /// A limit of requests: for the `RateLimit` headers.
    Limit {
        /// Its name.
        limit: Cow<'static, str>,
        /// Requests in a window.
        quota: u32,
        /// Seconds that a window lasts.
        window_seconds: u64,
    },
    /// The methods that a route answers: for `Allow` (RFC 9110, 15.5.6).
    Methods(String),
    /// Operations whose ids are like the one that is not there, the nearest first.
    Nearest(Vec<String>),
    /// A module that a host which builds its own still builds: nothing is wrong with the host.
    Building,
}

impl About {
    /// Adds its members to those of an envelope.
    pub fn write(&self, members: &mut Map<String, Value>) {
        let mut put = |name: &str, value: Value| members.insert(name.to_owned(), value);
        match self {
            Self::Scopes { required, missing } => {
                put("required_scopes", json!(required));
                put("missing_scopes", json!(missing));
            }
            Self::Limit { limit, quota, window_seconds } => {
                put("limit", json!(limit));
                put("quota", json!(quota));
                put("window_seconds", json!(window_seconds));
            }
            Self::Methods(allowed) => {
                put("allowed", json!(allowed));
            }
            Self::Nearest(ids) => {
                put("nearest", json!(ids));
            }
            Self::Building => {}
        }
    }
}
