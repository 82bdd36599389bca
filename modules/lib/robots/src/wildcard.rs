//! Patterns with `*` for any run of characters and `$` at the end for the end of the path.

/// Whether a pattern matches the beginning of a path. Takes time in the product of both lengths at most.
#[must_use]
pub fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, anchored) = pattern.strip_suffix('$').map_or((pattern, false), |bare| (bare, true));
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return !anchored || rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    if anchored { rest.ends_with(last) } else { rest.contains(last) }
}
