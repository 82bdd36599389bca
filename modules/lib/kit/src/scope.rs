//! Which addresses a crawl follows: patterns of the customer, and guards against endless sites.

use crate::robots::matches;
use crate::url::{LONGEST, path_and_query};

/// Why an address is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// It matches an `exclude` pattern.
    Excluded,
    /// It matches none of the `include` patterns.
    NotIncluded,
    /// It looks like one of an endless family.
    Trap,
}

/// Deeper paths are taken for loops of relative links.
const DEEPEST: usize = 24;
/// The same folder more often than this is a loop (`/a/b/a/b/a/b`).
const MOST_REPEATS: usize = 3;
/// More parameters than this are combinations of filters.
const MOST_PARAMETERS: usize = 10;

/// The customer's patterns.
///
/// `*` stands for any run of characters and `$` for the end. A pattern that begins with `/` is compared with path and
/// query from their beginning, one with `://` with the whole address from its beginning, any other anywhere in the address.
#[derive(Debug, Clone, Default)]
pub struct Patterns<'a> {
    /// When there are any, one must match.
    pub include: &'a [String],
    /// None may match.
    pub exclude: &'a [String],
}

impl Patterns<'_> {
    /// Why a normalised address is not followed; none when it is.
    #[must_use]
    pub fn left(&self, url: &str) -> Option<Left> {
        if is_trap(url) {
            return Some(Left::Trap);
        }
        if self.exclude.iter().any(|pattern| fits(pattern, url)) {
            return Some(Left::Excluded);
        }
        let included = self.include.is_empty() || self.include.iter().any(|pattern| fits(pattern, url));
        (!included).then_some(Left::NotIncluded)
    }
}

/// Whether an address fits one pattern, as [`Patterns`] says.
#[must_use]
pub fn fits(pattern: &str, url: &str) -> bool {
    if pattern.starts_with('/') {
        matches(pattern, path_and_query(url))
    } else if pattern.contains("://") {
        matches(pattern, url)
    } else {
        matches(&format!("*{pattern}"), url)
    }
}

/// Whether an address alone shows that it belongs to an endless family.
#[must_use]
pub fn is_trap(url: &str) -> bool {
    if url.len() > LONGEST {
        return true;
    }
    let rest = path_and_query(url);
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    if query.split('&').filter(|pair| !pair.is_empty()).count() > MOST_PARAMETERS {
        return true;
    }
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    if segments.len() > DEEPEST {
        return true;
    }
    segments.len() > MOST_REPEATS
        && segments.iter().any(|segment| segments.iter().filter(|other| *other == segment).count() > MOST_REPEATS)
}

#[cfg(test)]
mod tests;
