//! Parser of the case tables beside this file. One case per line: the expected decision, then the input.

use super::Verdict;

/// One line of a table.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The code of the decision. After a colon, the address range with `_` for spaces.
    pub expected: String,
    /// The input.
    pub asked: String,
}

impl Case {
    /// Whether the guard permits the request.
    pub(crate) fn is_permitted(&self) -> bool {
        self.expected == "permitted"
    }
}

/// The cases of the URL tables.
pub(crate) fn urls() -> Vec<Case> {
    let tables =
        [include_str!("ipv4.txt"), include_str!("ipv6.txt"), include_str!("names.txt"), include_str!("urls.txt")];
    tables.into_iter().flat_map(cases).collect()
}

/// The cases of a table, without comments.
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

/// Expands `{text*count}`.
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

/// A decision in the notation of the tables.
pub(crate) fn word(verdict: Verdict) -> String {
    match verdict {
        Verdict::Address(range) => format!("{}:{}", verdict.code(), range.replace(' ', "_")),
        other => other.code().to_owned(),
    }
}
