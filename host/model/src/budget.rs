//! Caps on what may be spent in a UTC day or month: of all, of one module, of one website, through one grant.

use serde::{Deserialize, Serialize};

use crate::id::GrantId;

/// What a cap is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BudgetScope {
    /// Everything a customer spends.
    Workspace,
    /// What one module's operations cost.
    Module,
    /// What is spent on one website, as far as calls name it.
    Site,
    /// What is spent through one grant: a connected client, or a token made by hand.
    Client,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Whole points.
    Points,
    /// Thousandths of a credit.
    Credits,
}

/// How long a cap counts before it begins anew, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// A day.
    Daily,
    /// A calendar month.
    Monthly,
}

/// A customer's own limit on spending. With neither cap it limits nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// What it is about.
    pub scope: BudgetScope,
    /// Which module, website or grant; empty for the workspace.
    pub target: String,
    /// What it counts.
    pub unit: Unit,
    /// At most this much in a UTC day.
    pub daily: Option<u64>,
    /// At most this much in a UTC month.
    pub monthly: Option<u64>,
}

/// What a charge is for, as far as budgets ask.
#[derive(Clone, Copy, Debug, Default)]
pub struct Purpose<'a> {
    /// The operation; its first segment is the module.
    pub operation: &'a str,
    /// Through which grant.
    pub grant: Option<&'a GrantId>,
    /// The website that the call names.
    pub site: Option<&'a str>,
}

impl Budget {
    /// Whether a charge for this purpose counts.
    pub fn covers(&self, purpose: Purpose<'_>) -> bool {
        match self.scope {
            BudgetScope::Workspace => true,
            BudgetScope::Module => purpose.operation.split('.').next() == Some(self.target.as_str()),
            BudgetScope::Site => purpose.site == Some(self.target.as_str()),
            BudgetScope::Client => purpose.grant.is_some_and(|grant| grant.as_str() == self.target),
        }
    }
}

macro_rules! words {
    ($type:ty { $($variant:ident => $word:literal),+ }) => {
        impl $type {
            /// Its name, as it is stored and shown.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The one of this name.
            pub fn named(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

words!(BudgetScope { Workspace => "workspace", Module => "module", Site => "site", Client => "client" });
words!(Unit { Points => "points", Credits => "credits" });
words!(Period { Daily => "daily", Monthly => "monthly" });
