//! The numbers of a column: which mark is the decimal one is decided by all cells together.

/// A decimal mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecimalMark {
    /// `1.5`.
    Point,
    /// `1,5`.
    Comma,
}

/// A number of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// Its value; a percentage as a share, `12 %` is 0.12.
    pub value: f64,
    /// Whether the cell gives a bound: `<10`, `>100`, `100+`.
    pub is_bound: bool,
}

/// A cell without its sign, percent sign, bound and spaces.
struct Bare {
    digits: String,
    negative: bool,
    percent: bool,
    is_bound: bool,
}

/// The numbers of cells; `Err` for a cell that is no number, `None` for one that has none.
pub(super) fn read(cells: &[&str], decimal: Option<DecimalMark>, delimiter: char) -> Vec<Result<Option<Number>, ()>> {
    let bare: Vec<Result<Option<Bare>, ()>> = cells.iter().map(|cell| bare(cell)).collect();
    let digits: Vec<&str> = bare.iter().filter_map(|it| Some(it.as_ref().ok()?.as_ref()?.digits.as_str())).collect();
    let mark = mark(&digits, decimal, delimiter);
    bare.into_iter().map(|cell| cell?.map(|it| number(&it, mark)).transpose()).collect()
}

fn bare(cell: &str) -> Result<Option<Bare>, ()> {
    let cell = cell.trim();
    if cell.is_empty()
        || matches!(cell.to_ascii_lowercase().as_str(), "-" | "–" | "—" | "n/a" | "na" | "null" | "none" | "nan")
    {
        return Ok(None);
    }
    let mut bare = Bare { digits: String::new(), negative: false, percent: false, is_bound: false };
    for (at, letter) in cell.chars().enumerate() {
        match letter {
            '0'..='9' | ',' | '.' => bare.digits.push(letter),
            '-' | '−' if at == 0 => bare.negative = true,
            '+' if at == 0 => {}
            '<' | '>' | '≤' | '≥' if at == 0 => bare.is_bound = true,
            '+' => bare.is_bound = true,
            '%' => bare.percent = true,
            '\'' | '’' | '\u{a0}' | '\u{202f}' | ' ' | '$' | '€' | '£' => {}
            _ => return Err(()),
        }
    }
    if bare.digits.bytes().any(|it| it.is_ascii_digit()) { Ok(Some(bare)) } else { Err(()) }
}

/// Whether a mark stands before groups of three digits only.
fn is_grouped(digits: &str, mark: char) -> bool {
    let mut parts = digits.split(mark);
    let first = parts.next().unwrap_or_default();
    (1..=3).contains(&first.len())
        && first != "0"
        && parts.all(|part| part.len() == 3 && part.bytes().all(|it| it.is_ascii_digit()))
}

fn mark(cells: &[&str], given: Option<DecimalMark>, delimiter: char) -> DecimalMark {
    use DecimalMark::{Comma, Point};
    let both = cells.iter().find(|it| it.contains(',') && it.contains('.'));
    if let Some(cell) = both {
        return if cell.rfind(',') > cell.rfind('.') { Comma } else { Point };
    }
    let with = |mark: char| cells.iter().filter(move |it| it.contains(mark));
    let grouped = |mark: char| with(mark).all(|it| is_grouped(it, mark));
    let several = |mark: char| with(mark).any(|it| it.matches(mark).count() > 1);
    let (commas, points) = (with(',').count(), with('.').count());
    // A mark that is not always before three digits, and never twice in a cell, is the decimal one.
    if commas > 0 && !grouped(',') {
        return Comma;
    }
    if points > 0 && !grouped('.') {
        return Point;
    }
    if commas > 0 && several(',') {
        return Point;
    }
    if points > 0 && several('.') {
        return Comma;
    }
    match given {
        Some(mark) => mark,
        // Everything fits both readings: a file cut at semicolons comes from where the comma is decimal.
        None if delimiter == ';' => Comma,
        None => Point,
    }
}

fn number(bare: &Bare, mark: DecimalMark) -> Result<Number, ()> {
    let (decimal, group) = match mark {
        DecimalMark::Point => ('.', ','),
        DecimalMark::Comma => (',', '.'),
    };
    let (whole, fraction) = bare.digits.rsplit_once(decimal).unwrap_or((&bare.digits, ""));
    if whole.contains(decimal) || fraction.contains(group) || (whole.contains(group) && !is_grouped(whole, group)) {
        return Err(());
    }
    let text = format!("{}.{}", whole.replace(group, ""), if fraction.is_empty() { "0" } else { fraction });
    let mut value: f64 = text.parse().map_err(|_| ())?;
    if bare.percent {
        value /= 100.0;
    }
    Ok(Number { value: if bare.negative { -value } else { value }, is_bound: bare.is_bound })
}
