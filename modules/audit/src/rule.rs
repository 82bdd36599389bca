//! What a rule is: data about a fault, and the pure function that finds it.
//!
//! # Adding a rule
//!
//! 1. Write the function in the file of its area under `rules/`: a page rule sees one page, a link rule the links of a
//!    page, a target rule those links with what they lead to, a set rule the whole site.
//! 2. Declare it in that file's `rules!` (`rule/declare.rs`); a threshold that a customer may want to move is a field of [`Limits`].
//! 3. Add its case under `rules/tests/`: a page that breaks it and its nearest twin that does not. A rule without a case
//!    fails the tests.
//! 4. `UPDATE_EXPECT=1 cargo test -p audit document` writes it into `RULES.md`.

mod area;
mod declare;

use std::fmt;

pub use area::Area;
pub(crate) use declare::{rules, threshold};
use kit::page::{Link, PageFacts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evidence::Evidence;
use crate::index::{Entry, Finding, SiteIndex};
use crate::limits::Limits;

pub use sdk::Severity;

/// How much work a fix is, for one site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// One setting or one template.
    Low,
    /// A change on each page, which an operation can make in bulk.
    Medium,
    /// Writing or development work.
    High,
}

/// Which pages a rule is asked about; they are also the whole of which a share is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Every address that was asked for.
    Address,
    /// HTML that answered 200.
    Page,
    /// HTML that answered 200 and may be indexed.
    Indexable,
}

/// What a rule knows of the site around the page.
#[derive(Debug, Clone)]
pub struct SiteContext {
    /// Scheme, host and port of the site, such as `https://shop.example`.
    pub origin: String,
    /// The thresholds in force.
    pub limits: Limits,
}

/// The function of a rule.
#[derive(Clone, Copy)]
pub enum Check {
    /// Looks at the links of one page, wherever they lead; stored pages keep them apart.
    Links(fn(&[Link]) -> Option<Evidence>),
    /// Looks at one page.
    Page(fn(&PageFacts, &SiteContext) -> Option<Evidence>),
    /// Looks at the links of one page together with the addresses of the crawl that they lead to.
    Targets(fn(&Entry, &[Target<'_>]) -> Option<Evidence>),
    /// Looks at all pages of a crawl together.
    Site(fn(&SiteIndex, &SiteContext) -> Vec<Finding>),
}

/// A link whose target the crawl knows.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The link.
    pub link: &'a Link,
    /// The address that it leads to.
    pub entry: &'a Entry,
}

/// The number at which a rule speaks.
#[derive(Clone, Copy)]
pub struct Threshold {
    /// What is counted: `px`, `words`, `ms`.
    pub unit: &'static str,
    /// Reads the number in force.
    pub value: fn(&Limits) -> u32,
    /// Puts another number in force.
    pub set: fn(&mut Limits, u32),
}

impl Threshold {
    /// The number in force with its unit, such as `580 px`.
    #[must_use]
    pub fn words(&self, limits: &Limits) -> String {
        format!("{} {}", (self.value)(limits), self.unit)
    }
}

/// One rule: everything about it but the pages.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Stable, `topic.fault`.
    pub id: &'static str,
    /// Where it belongs in a report.
    pub area: Area,
    /// What it costs.
    pub severity: Severity,
    /// Which pages it is asked about.
    pub scope: Scope,
    /// The number at which it speaks, if it has one.
    pub threshold: Option<Threshold>,
    /// The fault in a few words.
    pub title: &'static str,
    /// Why it matters.
    pub explanation: &'static str,
    /// What to do.
    pub advice: &'static str,
    /// The guideline or standard behind it.
    pub reference: &'static str,
    /// The operation that fixes it, or shows where to; null while the catalog does not serve it.
    pub operation: &'static str,
    /// How much work the fix is.
    pub effort: Effort,
    /// How sure a finding means a real fault, in percent.
    pub confidence: u8,
    /// The function.
    pub check: Check,
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl Rule {
    /// Its operation, where the catalog serves it.
    #[must_use]
    pub fn served_operation(&self) -> Option<String> {
        sdk::served(self.operation).then(|| self.operation.to_owned())
    }

    /// Whether it can be asked about one page alone.
    #[must_use]
    pub fn is_of_page(&self) -> bool {
        matches!(self.check, Check::Page(_) | Check::Links(_))
    }

    /// Whether the rule is asked about this page.
    #[must_use]
    pub fn covers(&self, reach: Reach) -> bool {
        match self.scope {
            Scope::Address => true,
            Scope::Page => reach.page,
            Scope::Indexable => reach.page && reach.indexable,
        }
    }
}

/// How far a page got: what decides which rules are asked about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// It is HTML that answered 200.
    pub page: bool,
    /// Nothing on it forbids indexing and its canonical is itself.
    pub indexable: bool,
}
