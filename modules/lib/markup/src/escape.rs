//! Signs of a text that Markdown would read as its own.

/// Adds text within a line, with a backslash before each sign that means something anywhere.
pub(crate) fn inline(text: &str, out: &mut String) {
    let mut rest = text.chars().peekable();
    while let Some(sign) = rest.next() {
        let reads = match sign {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '~' | '|' | '#' => true,
            // A reference to a character begins with a letter or a hash.
            '&' => rest.peek().is_some_and(|it| it.is_ascii_alphanumeric() || *it == '#'),
            _ => false,
        };
        if reads {
            out.push('\\');
        }
        out.push(sign);
    }
}

/// A block of inline Markdown in which no line begins a list, a quotation or an underlined heading.
pub(crate) fn lines(inline: &str) -> String {
    let mut out = String::with_capacity(inline.len() + 8);
    for (at, line) in inline.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
        }
        let line = line.trim_matches([' ', '\t']);
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        if line.starts_with(['+', '-', '=', '>']) {
            out.push('\\');
            out.push_str(line);
        } else if digits > 0 && line[digits..].starts_with(['.', ')']) {
            out.push_str(&line[..digits]);
            out.push('\\');
            out.push_str(&line[digits..]);
        } else {
            out.push_str(line);
        }
    }
    out
}

/// An address as the destination of a link.
pub(crate) fn address(address: &str) -> String {
    let mut out = String::with_capacity(address.len());
    let mut rest = address.trim().chars().peekable();
    while let Some(sign) = rest.next() {
        match sign {
            ' ' => out.push_str("%20"),
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '|' => out.push_str("%7C"),
            '\\' => out.push_str("%5C"),
            '&' if rest.peek().is_some_and(|it| it.is_ascii_alphanumeric() || *it == '#') => out.push_str("\\&"),
            it if it.is_control() => {}
            it => out.push(it),
        }
    }
    out
}

/// The longest run of backticks in a text.
pub(crate) fn backticks(text: &str) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for sign in text.bytes() {
        run = if sign == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}
