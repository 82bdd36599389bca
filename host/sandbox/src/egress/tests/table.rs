//! Reads the tables beside this file: one case a line, first what the guard decides, then what it is asked.

use super::Verdict;

/// One line of a table.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The code of the decision; after a colon the range of addresses, with `_` for spaces.
    pub expected: String,
    /// What the guard is asked.
    pub asked: String,
}

impl Case {
    /// Whether the guard goes out for it.
    pub(crate) fn is_permitted(&self) -> bool {
        self.expected == "permitted"
    }
}

/// The tables of URLs.
pub(crate) fn urls() -> Vec<Case> {
    let tables =
        [include_str!("ipv4.txt"), include_str!("ipv6.txt"), include_str!("names.txt"), include_str!("urls.txt")];
    tables.into_iter().flat_map(cases).collect()
}

/// The lines of a table that are no comments.
pub(crate) fn cases(table: &str) -> Vec<Case> {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (expected, asked) = line.split_once(' ').unwrap_or_else(|| panic!("{line} has one column"));
            let quoted = asked.starts_with('"');
            let asked = if quoted { serde_json::from_str(asked).expect("a JSON string") } else { repeated(asked) };
            Case { expected: expected.to_owned(), asked }
        })
        .collect()
}

/// Writes out `{text*count}`.
fn repeated(text: &str) -> String {
    let mut pieces = text.split('{');
    let mut whole = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (inner, rest) = piece.split_once('}').expect("a closing brace");
        let (unit, count) = inner.rsplit_once('*').expect("a count");
        whole.push_str(&unit.repeat(count.parse().expect("a count")));
        whole.push_str(rest);
    }
    whole
}

/// A decision as the tables write it.
pub(crate) fn word(verdict: Verdict) -> String {
    match verdict {
        Verdict::Address(range) => format!("{}:{}", verdict.code(), range.replace(' ', "_")),
        other => other.code().to_owned(),
    }
}
