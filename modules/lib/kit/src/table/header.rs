//! Names of columns: compared without case, accents of form, units in parentheses and separators.

use unicode_normalization::UnicodeNormalization as _;

/// A column that is known: its names in the exports of several tools.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Its own name.
    pub name: &'a str,
    /// Other names of it.
    pub aliases: &'a [&'a str],
}

impl Known<'_> {
    fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

/// How a name is compared: NFKC, lower case, without what is in parentheses, without spaces, `_`, `-` and `.`.
#[must_use]
pub fn folded(name: &str) -> String {
    let mut depth = 0_u32;
    let mut folded = String::with_capacity(name.len());
    for letter in name.nfkc().flat_map(char::to_lowercase) {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '_' | '-' | '.' => {}
            _ if depth > 0 || letter.is_whitespace() || letter == '\u{feff}' => {}
            _ => folded.push(letter),
        }
    }
    folded
}

/// Whether a cell names one of these columns.
pub(super) fn knows(known: &[Known<'_>], cell: &str) -> bool {
    let cell = folded(cell);
    !cell.is_empty() && known.iter().any(|column| column.names().any(|name| folded(name) == cell))
}

/// The known name that a cell is like, if it is at most two typing errors away.
#[must_use]
pub fn nearest(known: &[Known<'_>], cell: &str) -> Option<String> {
    let cell = folded(cell);
    let distances = known.iter().flat_map(|column| {
        let cell = cell.clone();
        column.names().map(move |name| (strsim::osa_distance(&folded(name), &cell), column.name)).collect::<Vec<_>>()
    });
    let (distance, name) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= 2 && cell.chars().count() > 3).then(|| name.to_owned())
}
