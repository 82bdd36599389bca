//! The thirteen scopes and sets of them.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

macro_rules! scopes {
    ($($name:ident $text:literal $risk:ident $words:literal,)*) => {
        /// What a grant permits. The list is closed: it is the specification's.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Scope {
            $(#[doc = $words] #[serde(rename = $text)] $name,)*
        }

        impl Scope {
            /// Every scope, in the specification's order.
            pub const ALL: [Scope; 13] = [$(Scope::$name,)*];

            /// As written in a token request.
            pub fn as_str(self) -> &'static str {
                match self { $(Scope::$name => $text,)* }
            }

            /// What it permits, in words, for the consent page.
            pub fn words(self) -> &'static str {
                match self { $(Scope::$name => $words,)* }
            }

            /// How grave it is.
            pub fn risk(self) -> Risk {
                match self { $(Scope::$name => Risk::$risk,)* }
            }
        }

        impl FromStr for Scope {
            type Err = UnknownScope;

            fn from_str(text: &str) -> Result<Self, UnknownScope> {
                match text {
                    $($text => Ok(Scope::$name),)*
                    other => Err(UnknownScope(other.chars().take(64).collect())),
                }
            }
        }
    };
}

scopes! {
    AccountRead "account:read" Read "Read account state and setup",
    WebsitesRead "websites:read" Read "Read owned websites and metrics",
    SeoAudit "seo:audit" Read "Run the dedicated read-only SEO audit",
    AssetsRead "assets:read" Read "Read owned assets, content, campaigns, jobs, reports",
    AssetsWrite "assets:write" Change "Edit or publish supported owned assets",
    SeoAnalyze "seo:analyze" Read "Run analyses and plans without mutations",
    SeoExecute "seo:execute" Spend "Run SEO workflows, queues and native credit-using actions",
    ConnectionsManage "connections:manage" Change "Add, test, update or remove supported connections",
    BillingRead "billing:read" Read "Read plans, credits, invoices",
    BillingManage "billing:manage" Spend "Run supported billing-management operations",
    DomainsManage "domains:manage" Change "Registration, DNS and nameserver workflows",
    OutreachSend "outreach:send" Send "Connect delivery providers; send or schedule outreach",
    DestructiveExecute "destructive:execute" Destroy "Delete, stop or irreversibly roll back supported assets",
}

/// How grave a scope is; the consent page groups by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Risk {
    /// Looks only.
    Read,
    /// Changes things that can be changed back.
    Change,
    /// Uses credits.
    Spend,
    /// Reaches other people.
    Send,
    /// Cannot be undone.
    Destroy,
}

/// A scope that is not one of the thirteen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown scope {0}")]
pub struct UnknownScope(pub String);

/// A set of scopes, written space-separated in the specification's order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ScopeSet(BTreeSet<Scope>);

impl ScopeSet {
    /// What is granted when a client names no scope.
    pub fn default_grant() -> Self {
        [Scope::AccountRead, Scope::WebsitesRead, Scope::AssetsRead, Scope::SeoAnalyze].into_iter().collect()
    }

    /// All thirteen.
    pub fn all() -> Self {
        Scope::ALL.into_iter().collect()
    }

    /// Whether the scope is in it.
    pub fn contains(&self, scope: Scope) -> bool {
        self.0.contains(&scope)
    }

    /// Whether everything in `other` is in it.
    pub fn covers(&self, other: &ScopeSet) -> bool {
        other.0.is_subset(&self.0)
    }

    /// What `self` asks for and `granted` lacks.
    pub fn missing_from(&self, granted: &ScopeSet) -> ScopeSet {
        Self(self.0.difference(&granted.0).copied().collect())
    }

    /// What is in either.
    #[must_use]
    pub fn with(&self, other: &ScopeSet) -> ScopeSet {
        self.iter().chain(other.iter()).collect()
    }

    /// The scopes in order.
    pub fn iter(&self) -> impl Iterator<Item = Scope> + '_ {
        self.0.iter().copied()
    }

    /// No scope at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Scope> for ScopeSet {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().collect())
    }
}

impl FromStr for ScopeSet {
    type Err = UnknownScope;

    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        text.split_ascii_whitespace().map(Scope::from_str).collect()
    }
}

impl fmt::Display for ScopeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, scope) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(scope.as_str())?;
        }
        Ok(())
    }
}
