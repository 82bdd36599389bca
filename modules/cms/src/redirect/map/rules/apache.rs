//! Rules of Apache: `RedirectMatch` by paths, `RewriteRule` where the query decides or the target must stay as it is.

use std::fmt::Write as _;

use kit::url::decoded;

use super::{Plan, Rule, Written, quoted};

/// Apache compares paths after decoding them, in these letters and no others; a query that a visitor brings is kept, unless the
/// rule names one. `RedirectMatch` encodes the path of its target again, so one that has encodings is left to `RewriteRule`
/// with `NE` (`mod_alias`, `mod_rewrite`).
pub(super) fn write(plan: &Plan) -> Written {
    let mut out = Written {
        text: "# In the virtual host of the old website, or in its .htaccess:\n".to_owned(),
        ..Written::default()
    };
    let rewritten = |rule: &&Rule| rule.query.is_some() || rule.narrow || rule.to.contains('%');
    let (by_rewrite, by_match): (Vec<&Rule>, Vec<&Rule>) = plan.exact.iter().partition(rewritten);
    if !by_rewrite.is_empty() {
        out.text.push_str("RewriteEngine On\n");
    }
    for rule in by_rewrite {
        let Some(path) = source(rule) else {
            out.left_out += 1;
            continue;
        };
        let is_narrow = rule.query.is_some() || rule.narrow;
        if is_narrow {
            let query = quoted(rule.query.as_deref().unwrap_or_default());
            _ = writeln!(out.text, "RewriteCond \"%{{QUERY_STRING}}\" \"^{query}$\"");
        }
        let flags = if is_narrow { "R=301,L,NE,QSD" } else { "R=301,L,NE" };
        let (path, to) = (path.trim_start_matches('/'), rule.to.replace('%', "\\%"));
        _ = writeln!(out.text, "RewriteRule \"^/?{path}$\" \"{to}\" [{flags}]");
        out.count += 1;
    }
    for rule in by_match {
        let Some(path) = source(rule) else {
            out.left_out += 1;
            continue;
        };
        _ = writeln!(out.text, "RedirectMatch 301 \"^{path}$\" \"{}\"", rule.to.replace('&', "\\&"));
        out.count += 1;
    }
    for pattern in &plan.patterns {
        let source = pattern.source("([^/]+)", "(.+)", decoded);
        _ = writeln!(out.text, "RedirectMatch 301 \"^{source}$\" \"{}\"", decoded(&pattern.to("$1")));
        out.count += 1;
    }
    out
}

/// The pattern of a path as Apache sees it; none of one that is no text.
fn source(rule: &Rule) -> Option<String> {
    let plain = decoded(&rule.path);
    if plain.contains('\u{fffd}') {
        return None;
    }
    let mut out = String::with_capacity(plain.len());
    for c in quoted(&plain).replace("\\\\", "\\x5c").chars() {
        // A line of its configuration ends, or its text, at what these stand for.
        if c.is_control() || c == '"' {
            _ = write!(out, "\\x{:02x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    Some(out)
}
