//! The operation `ai_visibility.agent_readiness.check`.
//!
//! Source: Lighthouse 13.5.0, the category `agentic-browsing`, as far as the source of a page shows it.

mod aria;
mod catalog;
mod risks;
mod rules;
#[cfg(test)]
mod tests;
mod tree;

use kit::dom::{Dom, NodeId};
use kit::url::Url as Address;
use sdk::prelude::*;
use sdk::{Degraded, Failure, Next, json};
use site::live::Seen;

use tree::Tree;

/// Bytes of a file that is looked for.
const MAX_FILE: u32 = 512 * 1024;
/// Elements that are told of one rule, and characters of each.
const ITEMS: usize = 20;
const SNIPPET: usize = 200;
/// Words under which a page with scripts is taken to be made by them.
const WORDS: u32 = 50;

#[args]
pub(crate) struct Check {
    /// The page.
    url: Url,
}

/// An element that fails.
#[value]
pub(crate) struct Item {
    /// The rule, or what is missing.
    #[own]
    rule: String,
    /// The line of the source.
    line: Option<u32>,
    /// The beginning of the element.
    element: Option<String>,
    /// Elements that fail the same rule.
    count: u64,
}

/// How an audit ended.
#[value]
pub(crate) enum Outcome {
    Pass,
    Fail,
    /// There is nothing that it could be about.
    NotApplicable,
    /// It tells and does not judge.
    Informative,
    /// It needs a browser.
    NotMeasured,
}

/// An audit.
#[value]
pub(crate) struct Audit {
    /// As Lighthouse names it.
    #[own]
    id: String,
    outcome: Outcome,
    /// Null where nothing was judged.
    pass: Option<bool>,
    items: Vec<Item>,
    #[own]
    note: Option<String>,
}

/// A risk that the page moves while it loads; no measurement.
#[value]
pub(crate) struct Risk {
    #[own]
    what: String,
    line: u32,
    element: String,
}

/// What programs find.
#[value]
pub(crate) struct Discovery {
    /// Status of `/llms.txt`; 0 without an answer.
    llms_txt: u16,
    /// The catalog that was looked at.
    ai_catalog: String,
    /// Its status; 0 without an answer.
    ai_catalog_status: u16,
    /// The address that `Agentmap` of robots.txt names.
    robots_agentmap: Option<String>,
}

/// What was found.
#[value]
pub(crate) struct Checked {
    page: Seen,
    /// The share of judged audits that pass; null where the page is made by scripts.
    score: Option<f64>,
    passed: u64,
    judged: u64,
    /// Those that fail first.
    audits: Vec<Audit>,
    layout_shift_risks: Vec<Risk>,
    discovery: Discovery,
    /// Always false: the source is read and no script runs.
    scripts_run: bool,
    /// Whether the source is too empty to judge.
    needs_rendering: bool,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Checks whether AI agents can use a page: the served-HTML part of Lighthouse's agentic-browsing category (accessible names, roles and labels, form annotations for WebMCP, layout-shift risks), llms.txt and ai-catalog.json discovery.
///
/// The rules are those of Lighthouse 13.5.0, over the source. Layout shift and tools that scripts register need a browser: they are
/// not measured and not part of the score.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 8),
    needs = ["web"],
    phrasings = ["can AI agents use my page", "agentic browsing audit", "is my site ready for AI agents", "check ai-catalog.json and llms.txt"],
    examples = [{ "url": "https://shop.example/" }, { "url": "https://shop.example/products/lamp" }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let live = site::live::page(cx, &args.url, "/url")?;
    let base = live.base.clone();
    let tree = Tree::of(&live.dom);
    let scripts = live.dom.elements("script").count();
    let needs_rendering = live.facts.body_word_count < WORDS && scripts > 0;
    let mut degraded = Vec::new();
    let (_, robots) = file(cx, &base, "/robots.txt", &mut degraded);
    let (llms_status, llms) = file(cx, &base, "/llms.txt", &mut degraded);
    let signals = catalog::Signals::of(&robots, &live, &base);
    let (catalog_status, catalog) = file_at(cx, signals.url.as_str(), &mut degraded);
    let mut audits = vec![
        accessibility(&tree, needs_rendering),
        forms(&live.dom, &tree),
        unmeasured("webmcp-registered-tools", "tools that scripts register show in a browser alone"),
        unmeasured("webmcp-schema-validity", "schemas of tools show in a browser alone"),
        unmeasured("cumulative-layout-shift", "shifts show in a browser alone; see layout_shift_risks"),
        llms_txt(llms_status, &llms),
        ard(&signals, catalog_status, &catalog),
    ];
    let judged: Vec<bool> = audits.iter().filter_map(|it| it.pass).collect();
    let (passed, count) = (judged.iter().filter(|it| **it).count(), judged.len());
    if needs_rendering {
        degraded.push(Degraded::new(
            "score",
            "the source has hardly any words: scripts make the page, and what they make is not seen",
        ));
    }
    #[expect(clippy::cast_precision_loss, reason = "seven audits")]
    let score = (!needs_rendering && count > 0).then(|| kit::statistics::round(passed as f64 / count as f64, 2));
    audits.sort_by_key(|it| match it.outcome {
        Outcome::Fail => 0,
        Outcome::Informative => 1,
        Outcome::Pass => 2,
        Outcome::NotApplicable => 3,
        Outcome::NotMeasured => 4,
    });
    let next = next(&live.facts.final_url, &audits, needs_rendering);
    Ok(Checked {
        page: live.seen(),
        score,
        passed: passed as u64,
        judged: count as u64,
        layout_shift_risks: risks::of(&live.dom, &tree, &live.html),
        discovery: Discovery {
            llms_txt: llms_status,
            ai_catalog: signals.url.clone(),
            ai_catalog_status: catalog_status,
            robots_agentmap: signals.agentmap.clone(),
        },
        audits,
        scripts_run: false,
        needs_rendering,
        next,
        degraded,
    })
}

/// A file of the page's host: its status and body; 0 without an answer.
fn file(cx: &Cx, base: &Address, path: &str, degraded: &mut Vec<Degraded>) -> (u16, Vec<u8>) {
    file_at(cx, &format!("{}{path}", kit::url::origin(base)), degraded)
}

fn file_at(cx: &Cx, address: &str, degraded: &mut Vec<Degraded>) -> (u16, Vec<u8>) {
    let Ok(url) = address.parse::<Url>() else { return (0, Vec::new()) };
    match cx.web().fetch(&Request::get(&url).follow(3).max_bytes(MAX_FILE).timeout(6_000)) {
        Ok(answer) => (answer.status, answer.body),
        Err(failure) => {
            let why = match failure {
                Failure::Disallowed => format!("{address} was not read: robots.txt forbids it to our own robot"),
                other => format!("{address} did not answer: {}", other.name()),
            };
            degraded.push(Degraded::new("discovery", why));
            (0, Vec::new())
        }
    }
}

fn accessibility(tree: &Tree<'_>, needs_rendering: bool) -> Audit {
    let failures = rules::failures(tree);
    let items = failures.iter().take(ITEMS).map(|it| Item {
        rule: it.rule.to_owned(),
        line: it.nodes.first().map(|id| tree.dom.node(*id).line),
        element: it.nodes.first().map(|id| snippet(tree.dom, *id)),
        count: it.nodes.len() as u64,
    });
    let items = items.collect();
    let judged = !needs_rendering;
    let passes = failures.is_empty();
    Audit {
        id: "agent-accessibility-tree".to_owned(),
        outcome: match (judged, passes) {
            (false, _) => Outcome::NotMeasured,
            (true, true) => Outcome::Pass,
            (true, false) => Outcome::Fail,
        },
        pass: judged.then_some(passes),
        items,
        note: Some("33 rules over the source; what style sheets hide and scripts add is not seen".to_owned()),
    }
}

/// Forms that say what they do.
fn forms(dom: &Dom, tree: &Tree<'_>) -> Audit {
    let forms: Vec<NodeId> = dom.elements("form").collect();
    let open: Vec<NodeId> = forms
        .iter()
        .copied()
        .filter(|id| {
            tree.attr(*id, "toolname").is_none_or(str::is_empty)
                && tree.attr(*id, "tooldescription").is_none_or(str::is_empty)
        })
        .collect();
    let items = open.iter().take(ITEMS).map(|id| Item {
        rule: "no toolname and no tooldescription".to_owned(),
        line: Some(dom.node(*id).line),
        element: Some(snippet(dom, *id)),
        count: 1,
    });
    let items = items.collect();
    let (outcome, pass) = match (forms.is_empty(), open.is_empty()) {
        (true, _) => (Outcome::NotApplicable, None),
        (false, true) => (Outcome::Pass, Some(true)),
        (false, false) => (Outcome::Informative, None),
    };
    Audit { id: "webmcp-form-coverage".to_owned(), outcome, pass, items, note: None }
}

fn unmeasured(id: &str, note: &str) -> Audit {
    Audit {
        id: id.to_owned(),
        outcome: Outcome::NotMeasured,
        pass: None,
        items: Vec::new(),
        note: Some(note.to_owned()),
    }
}

/// A title, a link and fifty characters.
fn llms_txt(status: u16, body: &[u8]) -> Audit {
    let item = |rule: &str| Item { rule: rule.to_owned(), line: None, element: None, count: 1 };
    let (outcome, items) = match status {
        400..=499 => (Outcome::NotApplicable, Vec::new()),
        0 => (Outcome::Fail, vec![item("the file did not answer")]),
        500.. => (Outcome::Fail, vec![item("the file answers with a fault of the server")]),
        _ => {
            let text = String::from_utf8_lossy(body);
            let titled = text.lines().any(|line| {
                let line = line.trim_start();
                line.strip_prefix('#').is_some_and(|it| it.starts_with([' ', '\t']) && !it.trim().is_empty())
            });
            let linked = text.lines().any(|line| {
                line.split_once("](").is_some_and(|(before, after)| {
                    before.rfind('[').is_some_and(|at| at + 1 < before.len())
                        && after.find(')').is_some_and(|at| at > 0)
                })
            });
            let mut items = Vec::new();
            items.extend((!titled).then(|| item("no title of the form `# Title`")));
            items.extend((!linked).then(|| item("no link")));
            items.extend((text.encode_utf16().count() < 50).then(|| item("fewer than 50 characters")));
            (if items.is_empty() { Outcome::Pass } else { Outcome::Fail }, items)
        }
    };
    let pass = match outcome {
        Outcome::Pass => Some(true),
        Outcome::Fail => Some(false),
        _ => None,
    };
    Audit { id: "llms-txt".to_owned(), outcome, pass, items, note: None }
}

fn ard(signals: &catalog::Signals, status: u16, body: &[u8]) -> Audit {
    let id = "ard-schema".to_owned();
    if !signals.is_explicit && status != 200 {
        return Audit { id, outcome: Outcome::NotApplicable, pass: None, items: Vec::new(), note: None };
    }
    let item = |rule: String| Item { rule, line: None, element: None, count: 1 };
    if status != 200 || body.is_empty() {
        let items = vec![item("the catalog that is named cannot be loaded".to_owned())];
        return Audit { id, outcome: Outcome::Fail, pass: Some(false), items, note: None };
    }
    let (errors, warnings) = catalog::validate(&String::from_utf8_lossy(body));
    let passes = errors.is_empty();
    let note = (!warnings.is_empty()).then(|| format!("{} recommendations are not kept", warnings.len()));
    let items = errors.into_iter().chain(warnings).take(ITEMS).map(item).collect();
    Audit { id, outcome: if passes { Outcome::Pass } else { Outcome::Fail }, pass: Some(passes), items, note }
}

/// The beginning of an element as it could be written.
fn snippet(dom: &Dom, id: NodeId) -> String {
    let mut out = format!("<{}", dom.name(id));
    for it in dom.attributes(id).iter().take(8) {
        out.push_str(&format!(" {}=\"{}\"", it.name.local, kit::text::clip(&it.value, 60)));
    }
    out.push('>');
    kit::text::clip(&out, SNIPPET).to_owned()
}

fn next(url: &str, audits: &[Audit], needs_rendering: bool) -> Vec<Next> {
    if needs_rendering {
        return vec![Next::new(
            "onpage.render_risk.check",
            json!({ "url": url }),
            "shows how much of the page depends on scripts",
        )];
    }
    let fails = |id: &str| audits.iter().any(|it| it.id == id && it.outcome == Outcome::Fail);
    let mut out = Vec::new();
    if fails("llms-txt") {
        out.push(Next::new(
            "ai_visibility.llms_txt.validate",
            json!({ "origin": url }),
            "tells line by line what is wrong with llms.txt",
        ));
    }
    if fails("agent-accessibility-tree") {
        out.push(Next::new(
            "onpage.markup.validate",
            json!({ "url": url }),
            "shows faults of the markup with their lines",
        ));
    }
    out
}
