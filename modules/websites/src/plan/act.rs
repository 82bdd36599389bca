//! Kept here: the operation that carries a step out, with arguments that it takes as they are.

use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value};

use super::sources::Said;
use crate::audits::Audited;
use crate::stored::Website;
use crate::task::stored::Task;

/// Rules for which `audit.fix.suggest` has a fixer, so that it says what to write, and where.
const FIXED: &[&str] = &[
    "title.missing",
    "title.multiple",
    "title.too_long",
    "title.too_short",
    "title.placeholder",
    "title.h1_mismatch",
    "title.duplicate",
    "description.missing",
    "description.multiple",
    "description.too_long",
    "description.too_short",
    "description.duplicate",
    "heading.h1_missing",
    "heading.h1_empty",
    "canonical.missing",
    "canonical.relative",
    "canonical.invalid",
    "canonical.fragment",
    "canonical.insecure",
    "canonical.target_redirects",
    "canonical.target_error",
    "canonical.target_not_indexable",
    "canonical.chain",
    "image.alt_missing",
    "image.alt_file_name",
    "image.linked_without_alt",
    "links.to_redirect",
    "links.broken_internal",
    "redirect.chain",
    "redirect.to_error",
    "response.client_error",
    "content.lang_missing",
    "mobile.viewport_missing",
];

/// An operation with its arguments.
pub(super) type Act = (String, Map<String, Value>);

/// An operation and a JSON object.
pub(super) fn act(operation: &str, arguments: Value) -> Act {
    let arguments = if let Value::Object(members) = arguments { members } else { Map::new() };
    (operation.to_owned(), arguments)
}

/// What acts on a rule's findings. An operation that needs what only a person knows, such as the item of a CMS, is not
/// named; `audit.issue.get` then says what to do and where it is done.
pub(super) fn on_rule(said: &Said, site: &Stored<Website>, audit: &Stored<Audited>) -> Act {
    if FIXED.contains(&said.rule.as_str()) {
        return act("audit.fix.suggest", json!({ "audit_ref": audit.id, "rule": said.rule }));
    }
    let url = said.urls.first();
    let arguments = match (said.operation_id.as_str(), url) {
        ("crawl.trap.detect" | "links.anchor.report" | "links.leak.report" | "indexing.hreflang.validate", _) => {
            json!({ "run_ref": audit.run_ref })
        }
        ("content.prune.plan" | "authors.byline.audit", _) => json!({ "site_id": site.id }),
        ("links.suggestion.for_page", Some(url)) => json!({ "site_id": site.id, "url": url }),
        ("monitoring.psi.run", Some(_)) => {
            json!({ "urls": said.urls.iter().take(5).collect::<Vec<_>>(), "site_id": site.id })
        }
        ("domains.tls.check", _) => json!({ "host": site.domain }),
        (operation, Some(url)) if ON_A_PAGE.contains(&operation) => json!({ "url": url }),
        _ => return act("audit.issue.get", json!({ "audit_ref": audit.id, "rule": said.rule })),
    };
    act(&said.operation_id, arguments)
}

/// Operations that need an address and nothing else.
const ON_A_PAGE: &[&str] = &[
    "onpage.markup.validate",
    "onpage.social.preview",
    "onpage.image.check",
    "onpage.title.suggest",
    "onpage.description.suggest",
    "onpage.heading.outline",
    "onpage.link.check",
    "onpage.language.detect",
    "onpage.render_risk.check",
    "onpage.alt_text.suggest",
    "monitoring.page_weight.check",
    "monitoring.headers.check",
    "monitoring.ttfb.sample",
    "schema.type.suggest",
    "schema.page.validate",
    "schema.eligibility.check",
];

/// What acts on a work item whose fix did not hold.
pub(super) fn on_task(task: &Stored<Task>) -> Act {
    match &task.source {
        Some(source) if FIXED.contains(&source.rule.as_str()) && !source.audit_ref.is_empty() => {
            act("audit.fix.suggest", json!({ "audit_ref": source.audit_ref, "rule": source.rule }))
        }
        _ => act("websites.task.update", json!({ "task_ref": task.id, "state": "doing" })),
    }
}
