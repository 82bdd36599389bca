//! Rules of nginx: maps of addresses, and the lines of a server that answer by them.

use std::fmt::Write as _;

use super::{Plan, Written, quoted};

/// Letters of a source that nginx takes without being told to make room.
const SHORT: usize = 40;

/// One map by paths, decoded and without a query; one by addresses as they are sent, for sources with a query, for what differs
/// in letters alone, and for patterns. Paths are compared in any case by nginx (`ngx_http_map_module`).
pub(super) fn write(plan: &Plan, part: Option<u64>) -> Written {
    let suffix = part.map(|part| format!("_{part}")).unwrap_or_default();
    let (mut by_path, mut by_address) = (String::new(), String::new());
    let (mut longest, mut count) = (0, 0);
    for rule in &plan.exact {
        let plain = rule.plain().filter(|_| !rule.narrow && rule.query.is_none());
        let (map, source) = match plain {
            Some(plain) => (&mut by_path, plain),
            None if rule.narrow || rule.query.is_some() => (&mut by_address, format!("~^{}$", quoted(&rule.address()))),
            None => (&mut by_address, format!("~^{}(?:\\?|$)", quoted(&rule.path))),
        };
        longest = longest.max(source.len());
        count += 1;
        _ = writeln!(map, "    \"{source}\" \"{}\";", rule.to);
    }
    for pattern in &plan.patterns {
        let source = pattern.source("(?<stays>[^/?]+)", "(?<stays>[^?]+)", str::to_owned);
        count += 1;
        _ = writeln!(by_address, "    \"~^{source}(?:\\?|$)\" \"{}\";", pattern.to("$stays"));
    }
    let mut text = "# In the block http, outside of any server:\n".to_owned();
    if longest > SHORT {
        let room = (longest + 64).next_power_of_two();
        _ = writeln!(text, "map_hash_bucket_size {room};");
    }
    if plan.exact.len() > 1_000 {
        _ = writeln!(text, "map_hash_max_size {};", (2 * plan.exact.len()).next_power_of_two());
    }
    let maps = [("$uri", "redirect_path", by_path), ("$request_uri", "redirect_address", by_address)];
    let mut server = "\n# In the server of the old website:\n".to_owned();
    for (source, name, rules) in maps.into_iter().rev().filter(|it| !it.2.is_empty()) {
        _ = write!(text, "map {source} ${name}{suffix} {{\n    default \"\";\n{rules}}}\n");
        _ = writeln!(server, "if (${name}{suffix}) {{ return 301 ${name}{suffix}; }}");
    }
    text.push_str(&server);
    Written { text, count, left_out: 0 }
}
