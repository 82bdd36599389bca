//! Takes obvious credentials out of free text and leaves the rest as it was.
//!
//! Obvious are: words with a known secret prefix, JSON Web Tokens, what follows `Bearer`, the value of a name
//! such as `password` or `api_key`, the user part of an address, private key blocks, and long random words.

/// What stands in place of a credential.
pub const REDACTED: &str = "[redacted]";

/// Starts of secrets, as their issuers document them for secret scanners; each with the least length of a word.
const PREFIXES: [(&str, usize); 24] = [
    ("esp_at_", 12),
    ("esp_rt_", 12),
    ("esp_ac_", 12),
    ("esp_se_", 12),
    ("esp_ft_", 12),
    ("sk-", 20),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("rk_live_", 16),
    ("pk_live_", 16),
    ("whsec_", 16),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghs_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("xoxb-", 16),
    ("xoxp-", 16),
    ("AKIA", 20),
    ("ASIA", 20),
    ("AIza", 30),
    ("ya29.", 20),
    ("hf_", 20),
    ("SG.", 30),
];

/// Ends of names whose value is a credential.
const NAMES: [&str; 17] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "token",
    "api_key",
    "apikey",
    "api-key",
    "access_key",
    "private_key",
    "secret_key",
    "client_secret",
    "credential",
    "credentials",
    "authorization",
];

/// Words of a person that are followed by the value.
const SAYS: [&str; 3] = ["is", "was", "be"];

/// A word this long that mixes cases and digits is a key, not language.
const RANDOM_FROM: usize = 32;

/// The text without its credentials.
pub fn redact(text: &str) -> String {
    let text = without_key_blocks(text);
    let mut out = String::with_capacity(text.len());
    let mut awaits = Awaits::Nothing;
    for piece in pieces(&text) {
        if piece.starts_with(char::is_whitespace) {
            out.push_str(piece);
            continue;
        }
        let (redacted, next) = word(piece, awaits);
        out.push_str(&redacted);
        awaits = next;
    }
    out
}

/// What the words so far lead one to expect of the next.
#[derive(Clone, Copy, PartialEq)]
enum Awaits {
    Nothing,
    /// After a name of a credential, without a colon.
    Verb,
    /// The value itself.
    Value,
    /// The value, when it looks like one.
    LikelyValue,
}

/// Runs of white space and of everything else, in turn.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let space = first.is_whitespace();
        let end = rest.find(|c: char| c.is_whitespace() != space).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

fn word(piece: &str, awaits: Awaits) -> (String, Awaits) {
    let bare = piece.trim_matches(['"', '\'', '`', ',', ';', '(', ')', '<', '>', '{', '}', '[', ']']);
    if bare.is_empty() || bare == "redacted" {
        return (piece.to_owned(), awaits);
    }
    let lower = bare.to_lowercase();
    if lower == "bearer" || lower == "basic" {
        return (piece.to_owned(), if awaits == Awaits::Nothing { Awaits::LikelyValue } else { Awaits::Value });
    }
    let hidden = || piece.replacen(bare, REDACTED, 1);
    match awaits {
        Awaits::Value if bare != "=" && bare != ":" => return (hidden(), Awaits::Nothing),
        Awaits::LikelyValue if looks_secret(bare.trim_end_matches(['.', '!', '?'])) => {
            let bare = bare.trim_end_matches(['.', '!', '?']);
            return (piece.replacen(bare, REDACTED, 1), Awaits::Nothing);
        }
        Awaits::Verb if SAYS.contains(&lower.as_str()) => return (piece.to_owned(), Awaits::LikelyValue),
        Awaits::Verb if bare == "=" || bare == ":" => return (piece.to_owned(), Awaits::Value),
        _ => {}
    }
    if let Some((before, after)) = user_part(piece) {
        return (format!("{before}{REDACTED}{after}"), Awaits::Nothing);
    }
    if let Some(result) = assignment(piece) {
        return result;
    }
    if names_a_credential(&lower) {
        return (piece.to_owned(), Awaits::Verb);
    }
    if is_secret(bare.trim_end_matches(['.', '!', '?'])) {
        (hidden(), Awaits::Nothing)
    } else {
        (piece.to_owned(), Awaits::Nothing)
    }
}

/// `name=value`, `name:value` and a name that ends with a colon, anywhere in the piece, query strings included.
fn assignment(piece: &str) -> Option<(String, Awaits)> {
    let mut out = String::with_capacity(piece.len());
    let (mut rest, mut found) = (piece, false);
    while let Some(at) = rest.find(['=', ':']) {
        let (name, after) = rest.split_at(at);
        let name_end = name.trim_end_matches(['"', '\'', '`']).to_lowercase();
        let (sign, value) = after.split_at(1);
        out.push_str(name);
        out.push_str(sign);
        rest = value;
        if !names_a_credential(&name_end) || value.starts_with("//") {
            continue;
        }
        let open = value.len() - value.trim_start_matches(['"', '\'', '`']).len();
        let body = &value[open..];
        let end = body.find(['&', '"', '\'', '`', ',', ';', '}', ')']).unwrap_or(body.len());
        if body[..end].is_empty() {
            out.push_str(value);
            return Some((out, Awaits::Value));
        }
        if matches!(body[..end].to_lowercase().as_str(), "bearer" | "basic") {
            out.push_str(value);
            return Some((out, Awaits::Value));
        }
        out.push_str(&value[..open]);
        out.push_str(REDACTED);
        rest = &body[end..];
        found = true;
    }
    out.push_str(rest);
    found.then_some((out, Awaits::Nothing))
}

fn names_a_credential(name: &str) -> bool {
    NAMES.iter().any(|known| {
        name.strip_suffix(known).is_some_and(|before| {
            before.is_empty() || before.ends_with(['_', '-', '.', '?', '&', '{', '"', '\'', ',', '('])
        })
    })
}

/// `scheme://user:secret@host`: what stands before and after the user part.
fn user_part(piece: &str) -> Option<(&str, &str)> {
    let start = piece.find("://")? + 3;
    let authority = piece[start..].find(['/', '?', '#']).map_or(piece.len(), |end| start + end);
    let at = piece[start..authority].rfind('@')? + start;
    Some((&piece[..start], &piece[at..]))
}

fn is_secret(word: &str) -> bool {
    let prefixed = PREFIXES.iter().any(|(prefix, least)| word.starts_with(prefix) && word.len() >= *least);
    prefixed || is_web_token(word) || is_random(word)
}

/// RFC 7519 in its compact form: two or three dots' worth of base64url, the header beginning with `{"`.
fn is_web_token(word: &str) -> bool {
    word.starts_with("eyJ") && word.len() > 20 && word.matches('.').count() >= 2
}

fn is_random(word: &str) -> bool {
    let keylike = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '/' | '=');
    let slashes = word.matches('/').count();
    word.len() >= RANDOM_FROM
        && word.chars().all(keylike)
        && slashes <= 2
        && !word.starts_with('/')
        && word.chars().any(|c| c.is_ascii_uppercase())
        && word.chars().any(|c| c.is_ascii_lowercase())
        && word.chars().filter(char::is_ascii_digit).count() >= 2
        && word.matches(['-', '_']).count() <= 4
}

/// What may be a password when somebody says "the password is …": no plain word is.
fn looks_secret(word: &str) -> bool {
    is_secret(word)
        || (word.chars().count() >= 6 && word.chars().any(|c| c.is_ascii_digit() || "!@#$%^&*+=~".contains(c)))
}

/// Removes PEM blocks of private keys, the unfinished ones too.
fn without_key_blocks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("-----BEGIN ") {
        let (before, block) = rest.split_at(start);
        let header_end = block[11..].find("-----").map(|at| at + 16);
        let private = header_end.is_some_and(|end| block[..end].contains("PRIVATE KEY"));
        let end = header_end
            .and_then(|header| block[header..].find("-----END ").map(|at| header + at + 9))
            .and_then(|tail| block[tail..].find("-----").map(|at| tail + at + 5))
            .unwrap_or(block.len());
        out.push_str(before);
        out.push_str(if private { REDACTED } else { &block[..end] });
        rest = &block[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests;
