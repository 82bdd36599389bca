//! Lists of redirects: the file of Netlify, the bulk CSV of Cloudflare, and a table for people.

use std::fmt::Write as _;

use kit::url::naming::folded;

use super::super::Row;
use super::{Plan, Rule, Written};

/// A line each, and splats where a pattern is one. Where the old path may still be a file, the rule is forced. Sources with a
/// query have no rule of fixed values there.
pub(super) fn netlify(plan: &Plan) -> Written {
    let force = if plan.same_host { "!" } else { "" };
    let mut out = Written::default();
    for rule in &plan.exact {
        // Netlify takes both spellings for one before it reads its rules: the rule would lead in a circle.
        let respelt = plan.same_host && folded(&rule.path) == folded(&rule.to);
        if rule.query.is_some() || respelt {
            out.left_out += 1;
            continue;
        }
        let path = rule.path.replace('*', "%2A").replace("/:", "/%3A");
        _ = writeln!(out.text, "{path} {} 301{force}", rule.to);
        out.count += 1;
    }
    for (before, pattern) in plan.patterns.iter().filter_map(|it| Some((it.splat()?, it))) {
        _ = writeln!(out.text, "{before}* {} 301{force}", pattern.to(":splat"));
        out.count += 1;
    }
    out
}

/// Source without a scheme, target, status. A source there has no query.
pub(super) fn cloudflare(plan: &Plan) -> Written {
    let mut out = Written::default();
    for Rule { host, path, query, to, .. } in &plan.exact {
        if query.is_some() {
            out.left_out += 1;
            continue;
        }
        _ = writeln!(out.text, "{},{},301", field(&format!("{host}{path}")), field(to));
        out.count += 1;
    }
    out
}

/// All rows of a map, with what is known of each.
pub(crate) fn csv(rows: &[Row], header: bool) -> Written {
    let mut out = Written { count: rows.len(), ..Written::default() };
    if header {
        out.text.push_str("from,to,state,confidence,by,fallback\n");
    }
    for row in rows {
        let by = row.by.as_ref().map(|it| sdk::json!(it).as_str().unwrap_or_default().to_owned()).unwrap_or_default();
        let state = sdk::json!(row.verdict).as_str().unwrap_or_default().to_owned();
        let texts = [row.from.as_str(), row.to.as_deref().unwrap_or_default(), &state];
        let cells = texts.map(field).join(",");
        let fallback = field(row.fallback.as_deref().unwrap_or_default());
        _ = writeln!(out.text, "{cells},{},{by},{fallback}", row.confidence);
    }
    out
}

/// A cell of a CSV (RFC 4180).
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
