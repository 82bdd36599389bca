//! The operation `audit.rule.configure` and what it leaves behind: the rules of one website as its owner wants them.

use std::collections::BTreeMap;

use sdk::prelude::*;

use crate::engine::Choice;
use crate::limits::Limits;
use crate::rule::{Rule, Severity};
use crate::rules;
use site::Site;

/// How far a threshold can be moved: this many times the usual number.
const FAR: u32 = 100;

/// What one website wants of one rule.
#[value]
#[derive(Default)]
pub struct Wanted {
    /// Another severity.
    pub severity: Option<Severity>,
    /// Another number at which it speaks.
    pub threshold: Option<u32>,
    /// It is not asked.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub disabled: bool,
}

/// The rules of one website, under the website's own id.
#[record(collection = "rule_settings")]
#[derive(Default)]
pub struct Settings {
    /// By rule; rules that are as usual are not among them.
    pub rules: BTreeMap<String, Wanted>,
}

impl Settings {
    /// Those of a website.
    pub(crate) fn of(cx: &Cx, site: &Id<Site>) -> Self {
        cx.records::<Self>().find(&site.cast()).map(Stored::into_inner).unwrap_or_default()
    }

    /// The rules to ask, of those that fit.
    pub(crate) fn choice(&self, fits: impl Fn(&Rule) -> bool) -> Choice {
        Choice::of(|rule| {
            let wanted = self.rules.get(rule.id);
            let severity = wanted.and_then(|it| it.severity).unwrap_or(rule.severity);
            (fits(&rule) && !wanted.is_some_and(|it| it.disabled)).then_some(Rule { severity, ..rule })
        })
    }

    /// The thresholds in force.
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        for (id, wanted) in &self.rules {
            if let (Some(threshold), Some(number)) = (rules::find(id).and_then(|it| it.threshold), wanted.threshold) {
                (threshold.set)(&mut limits, number);
            }
        }
        limits
    }
}

/// One change. What is left out becomes as usual.
#[args]
pub(crate) struct Change {
    /// The rule, by id.
    rule: Text<1, 64>,
    /// Another severity.
    severity: Option<Severity>,
    /// Another number at which it speaks, in the unit that `audit.rule.list` gives.
    threshold: Option<Count<1, 1_000_000_000>>,
    /// Whether it is asked at all.
    #[default(true)]
    enabled: bool,
}

#[args]
pub(crate) struct Configure {
    /// The website.
    site_id: Id<Site>,
    /// Changes, one for each rule.
    settings: List<Change, 1, 100>,
}

/// One rule as it is now.
#[value]
pub(crate) struct InForce {
    /// The rule.
    rule: String,
    /// Whether it is asked.
    enabled: bool,
    /// What it costs.
    severity: Severity,
    /// The number at which it speaks, with its unit.
    threshold: Option<String>,
    /// Whether it is as it would be without any setting.
    usual: bool,
}

/// All settings of the website.
#[value]
pub(crate) struct Configured {
    /// Rules that are not as usual, and those that were named.
    settings: Vec<InForce>,
}

/// Changes thresholds and severities for a website (title pixels, thin-content words, depth, image bytes) or disables a
/// rule.
///
/// Audits, page checks and reports made from now on follow them; audits that have ended stay as they are. A member that
/// is left out goes back to the usual; rules that are not named stay as they are.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["changes which audit rules apply to the website"],
    phrasings = ["raise the title length limit of the audit", "turn off an audit rule for my site", "treat missing descriptions as critical", "change the thin content threshold"],
    examples = [
        { "site_id": "4503599627370496", "settings": [{ "rule": "title.too_long", "threshold": 600 }] },
        { "site_id": "4503599627370496", "settings": [{ "rule": "url.underscore", "enabled": false }, { "rule": "description.missing", "severity": "error" }] }
    ]
)]
pub(crate) fn configure(cx: &Cx, args: Configure) -> Result<Configured> {
    let site = site::get(cx, &args.site_id)?;
    let mut settings = Settings::of(cx, &site.id);
    let mut named = Vec::new();
    for (position, change) in args.settings.iter().enumerate() {
        let at = |member: &str| format!("/settings/{position}/{member}");
        let Some(rule) = rules::find(&change.rule) else {
            let message = format!("there is no rule {}; audit.rule.list names them all", change.rule);
            return Err(Fault::invalid(at("rule"), "unknown_rule", message));
        };
        if named.contains(&rule.id) {
            return Err(Fault::invalid(at("rule"), "rule_twice", "each rule is named once"));
        }
        named.push(rule.id);
        let wanted = wanted(rule, change).map_err(|fault| fault.at(at("threshold")))?;
        // What is as usual follows the usual when that changes.
        if wanted == Wanted::default() {
            settings.rules.remove(rule.id);
        } else {
            settings.rules.insert(rule.id.to_owned(), wanted);
        }
    }
    let id: Id<Settings> = site.id.cast();
    match cx.records::<Settings>().find(&id) {
        Some(_) => cx.records().update(&id, |it: &mut Settings| it.clone_from(&settings))?,
        None => cx.records().insert_as(id, settings.clone())?,
    };
    let limits = settings.limits();
    let shown = rules::all().filter(|rule| named.contains(&rule.id) || settings.rules.contains_key(rule.id));
    Ok(Configured { settings: shown.map(|rule| in_force(rule, &settings, &limits)).collect() })
}

fn wanted(rule: &Rule, change: &Change) -> Result<Wanted> {
    let mut threshold = None;
    if let Some(number) = &change.threshold {
        let Some(usual) = rule.threshold.map(|it| (it.value)(&Limits::default())) else {
            return Err(Fault::invalid("", "no_threshold", format!("{} has no number that could be moved", rule.id)));
        };
        let number = u32::try_from(u64::from(*number)).unwrap_or(u32::MAX);
        let most = usual.saturating_mul(FAR);
        if number > most {
            return Err(Fault::invalid("", "threshold_too_far", format!("at most {most}, {FAR} times the usual")));
        }
        threshold = Some(number).filter(|it| *it != usual);
    }
    let severity = change.severity.filter(|it| *it != rule.severity);
    Ok(Wanted { severity, threshold, disabled: !change.enabled })
}

fn in_force(rule: &Rule, settings: &Settings, limits: &Limits) -> InForce {
    let wanted = settings.rules.get(rule.id);
    InForce {
        rule: rule.id.to_owned(),
        enabled: !wanted.is_some_and(|it| it.disabled),
        severity: wanted.and_then(|it| it.severity).unwrap_or(rule.severity),
        threshold: rule.threshold.map(|it| it.words(limits)),
        usual: wanted.is_none(),
    }
}
