//! Words of a master file, line by line: comments taken out, parentheses joined, quotes and escapes read (RFC 1035, 5.1).

/// A word.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Word {
    /// Without its quotes, escapes read.
    pub(super) text: String,
    /// As it is written, quotes and all.
    pub(super) raw: String,
    pub(super) quoted: bool,
}

/// What stands on one line, or within parentheses that it opens.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) line: usize,
    /// Whether it begins with a space: the owner is that of the line before.
    pub(super) blank: bool,
    pub(super) words: Vec<Word>,
}

/// All entries that have words.
///
/// # Errors
/// The line and what is not closed there.
pub(super) fn entries(text: &str) -> Result<Vec<Entry>, (usize, &'static str)> {
    let (mut out, mut entry, mut word): (Vec<Entry>, Entry, Option<Word>) = (Vec::new(), Entry::default(), None);
    let (mut line, mut depth, mut opened, mut fresh) = (1, 0_usize, 0, true);
    let mut letters = text.chars().peekable();
    entry.line = line;
    while let Some(c) = letters.next() {
        if fresh {
            entry.blank = matches!(c, ' ' | '\t');
            fresh = false;
        }
        match c {
            '\n' => {
                entry.words.extend(word.take());
                line += 1;
                if depth == 0 {
                    if !entry.words.is_empty() {
                        out.push(std::mem::take(&mut entry));
                    }
                    (entry.line, fresh) = (line, true);
                }
            }
            c if c.is_whitespace() => entry.words.extend(word.take()),
            ';' => {
                entry.words.extend(word.take());
                while letters.peek().is_some_and(|c| *c != '\n') {
                    letters.next();
                }
            }
            '(' => {
                entry.words.extend(word.take());
                (depth, opened) = (depth + 1, line);
            }
            ')' => {
                entry.words.extend(word.take());
                depth = depth.checked_sub(1).ok_or((line, "a parenthesis closes that nothing opened"))?;
            }
            '"' => {
                let word = word.get_or_insert_default();
                word.quoted = true;
                word.raw.push('"');
                let began = line;
                loop {
                    match letters.next() {
                        None => return Err((began, "a quote is not closed")),
                        Some('"') => break,
                        Some('\\') => escape(&mut letters, word).ok_or((line, "an escape leads nowhere"))?,
                        Some(c) => {
                            line += usize::from(c == '\n');
                            word.text.push(c);
                            word.raw.push(c);
                        }
                    }
                }
                word.raw.push('"');
            }
            '\\' => escape(&mut letters, word.get_or_insert_default()).ok_or((line, "an escape leads nowhere"))?,
            c => {
                let word = word.get_or_insert_default();
                word.text.push(c);
                word.raw.push(c);
            }
        }
    }
    entry.words.extend(word);
    if depth > 0 {
        return Err((opened, "a parenthesis is not closed"));
    }
    if !entry.words.is_empty() {
        out.push(entry);
    }
    Ok(out)
}

/// A character by its number, or one that stands for itself.
fn escape(letters: &mut std::iter::Peekable<std::str::Chars<'_>>, word: &mut Word) -> Option<()> {
    let first = letters.next()?;
    word.raw.push('\\');
    word.raw.push(first);
    if !first.is_ascii_digit() {
        word.text.push(first);
        return Some(());
    }
    let (second, third) = (letters.next()?, letters.next()?);
    word.raw.push(second);
    word.raw.push(third);
    let number: u8 = [first, second, third].iter().collect::<String>().parse().ok()?;
    word.text.push(char::from(number));
    Some(())
}
