//! What a module declares of one operation. The host enforces it; nothing here is believed.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cost::{Cost, NativePrice};
use crate::outside::Line;
use crate::scope::ScopeSet;

/// What an operation may do. Enforced at every host function, whatever the name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Changes nothing; may fill its cache.
    Read,
    /// Changes records.
    Write,
    /// Starts work.
    Job,
    /// Removes.
    Destructive,
}

impl Kind {
    /// As written in the catalog.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Read => "read",
            Kind::Write => "write",
            Kind::Job => "job",
            Kind::Destructive => "destructive",
        }
    }

    /// Whether a call needs an idempotency key.
    pub fn mutates(self) -> bool {
        match self {
            Kind::Read => false,
            Kind::Write | Kind::Job | Kind::Destructive => true,
        }
    }
}

/// When the answer holds the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// At once.
    Immediate,
    /// Later: the answer says queued, a read tells the rest.
    Queued,
}

impl Mode {
    /// As written in the catalog.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Immediate => "immediate",
            Mode::Queued => "queued",
        }
    }
}

/// One operation or route, as its module declares it; the shape is written in `wit/contracts.md`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    /// `module.noun.verb`, at most 128 characters.
    pub id: String,
    /// The function's name in its interface, kebab-case.
    pub export: String,
    /// What it may do.
    pub kind: Kind,
    /// When the answer holds the result.
    pub mode: Mode,
    /// All are needed.
    pub scopes: ScopeSet,
    /// One sentence.
    pub summary: String,
    /// More, for who wants it.
    #[serde(default)]
    pub description: String,
    /// Points.
    pub cost: Cost,
    /// Credits, beside the points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native_price: Option<NativePrice>,
    /// What else changes, in words.
    #[serde(default)]
    pub side_effects: Vec<String>,
    /// JSON Schema 2020-12 of the arguments, root type object.
    pub arguments: Value,
    /// JSON Schema 2020-12 of the result, root type object.
    pub result: Value,
    /// Arguments that work.
    #[serde(default)]
    pub examples: Vec<Value>,
    /// The read to poll after a queued call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_operation: Option<String>,
    /// The step a queued operation starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// Host interfaces and connections it needs.
    #[serde(default)]
    pub needs: Vec<String>,
    /// How people ask for this.
    #[serde(default)]
    pub phrasings: Vec<String>,
    /// JSON pointers of arguments that the host seals.
    #[serde(default)]
    pub secrets: Vec<String>,
    /// What it may ask of customers' providers; nothing else is sent for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<Line>,
}

impl Contract {
    /// The module it belongs to: the first segment of its id.
    pub fn module(&self) -> &str {
        self.id.split('.').next().unwrap_or(&self.id)
    }

    /// Whether it is a look at work that goes on: a plain read whose result has a `state`. Such a look is free while the
    /// work runs, once a second.
    pub fn follows_work(&self) -> bool {
        self.kind == Kind::Read && self.cost.per.is_none() && self.result.pointer("/properties/state").is_some()
    }
}
