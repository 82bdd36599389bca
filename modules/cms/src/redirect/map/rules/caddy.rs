//! Rules of Caddy: maps of addresses, and redirects by what they say.

use std::fmt::Write as _;

use super::{Plan, Written, quoted};

/// One map by paths, decoded and without a query, and one by addresses as they are sent; see the directives `map` and `redir`.
pub(super) fn write(plan: &Plan, part: Option<u64>) -> Written {
    let suffix = part.map(|part| format!("_{part}")).unwrap_or_default();
    let (mut by_path, mut by_address, mut count) = (String::new(), String::new(), 0);
    for rule in &plan.exact {
        match rule.plain().filter(|_| !rule.narrow && rule.query.is_none()) {
            Some(plain) => _ = writeln!(by_path, "\t`{plain}` `{}`", rule.to),
            None if rule.narrow || rule.query.is_some() => {
                _ = writeln!(by_address, "\t`~^{}$` `{}`", quoted(&rule.address()), rule.to);
            }
            None => _ = writeln!(by_address, "\t`~^{}(?:\\?|$)` `{}`", quoted(&rule.path), rule.to),
        }
        count += 1;
    }
    for pattern in &plan.patterns {
        let source = pattern.source("([^/?]+)", "([^?]+)", str::to_owned);
        _ = writeln!(by_address, "\t`~^{source}(?:\\?|$)` `{}`", pattern.to("${1}"));
        count += 1;
    }
    let mut text = "# In the site block of the old website:\n".to_owned();
    let maps =
        [("{http.request.uri}", "redirect_address", by_address), ("{http.request.uri.path}", "redirect_path", by_path)];
    for (source, name, rules) in maps.into_iter().filter(|it| !it.2.is_empty()) {
        let name = format!("{name}{suffix}");
        _ = write!(text, "map {source} {{{name}}} {{\n{rules}\tdefault \"\"\n}}\n");
        _ = write!(text, "@{name} expression `{{{name}}} != \"\"`\nredir @{name} {{{name}}} 301\n");
    }
    Written { text, count, left_out: 0 }
}
