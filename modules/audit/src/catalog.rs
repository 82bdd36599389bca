//! The operation `audit.rule.list`, the catalog of rules.

use sdk::prelude::*;

use crate::limits::Limits;
use crate::rule::{Area, Rule, Severity};
use crate::rules;

#[args(paged)]
pub(crate) struct ListRules {
    /// Only this area.
    area: Option<Area>,
    /// Only rules with this text in id, title or explanation.
    query: Option<Text<1, 80>>,
}

/// What a rule looks at.
#[value]
pub(crate) enum Level {
    /// One page; `audit.page.check` asks it too.
    Page,
    /// All pages of a crawl together.
    Site,
}

/// One rule.
#[value]
pub(crate) struct Listed {
    /// Its id.
    rule: String,
    /// Where it belongs.
    area: Area,
    /// What it costs.
    severity: Severity,
    /// What it looks at.
    level: Level,
    /// The fault in a few words.
    title: String,
    /// Why it matters.
    explanation: String,
    /// What to do.
    advice: String,
    /// The number at which it speaks, with its unit, such as `580 px`.
    threshold: Option<String>,
    /// The guideline or standard behind it.
    reference: String,
    /// The operation that fixes it, or shows where to; null while the catalog does not serve it.
    fix_operation: Option<String>,
}

/// Rules, in the order of reports.
#[page]
pub(crate) struct Rules {
    /// The rules.
    rules: Vec<Listed>,
}

/// Lists the rule catalog with id, area, default severity, threshold, reference and the operation that fixes it.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    phrasings = ["which checks does the audit make", "list all audit rules", "what is the title length limit"],
    examples = [{ "area": "metadata" }]
)]
pub(crate) fn list(_: &Cx, args: ListRules) -> Result<Rules> {
    let query = args.query.as_ref().map(|query| query.to_lowercase());
    let fits = |rule: &&Rule| {
        let text = || format!("{} {} {}", rule.id, rule.title, rule.explanation).to_lowercase();
        args.area.is_none_or(|area| area == rule.area)
            && query.as_ref().is_none_or(|query| text().contains(query.as_str()))
    };
    let page = args.window(rules::all().filter(fits).collect())?;
    Ok(Rules { rules: page.items.into_iter().map(listed).collect(), next_cursor: page.next })
}

fn listed(rule: &Rule) -> Listed {
    Listed {
        rule: rule.id.to_owned(),
        area: rule.area,
        severity: rule.severity,
        level: if rule.is_of_page() { Level::Page } else { Level::Site },
        title: rule.title.to_owned(),
        explanation: rule.explanation.to_owned(),
        advice: rule.advice.to_owned(),
        threshold: rule.threshold.map(|it| it.words(&Limits::default())),
        reference: rule.reference.to_owned(),
        fix_operation: rule.served_operation(),
    }
}
