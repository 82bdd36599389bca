//! The part of an address that rules are about, in the one spelling in which they are compared.

/// Path and query, as robots.txt rules and patterns see them.
#[must_use]
pub fn path_and_query(url: &str) -> &str {
    let after_scheme = url.find("://").map_or(0, |at| at + 3);
    let rest = &url[after_scheme..];
    let path = rest.find(['/', '?', '#']).map_or("", |at| &rest[at..]);
    path.split('#').next().unwrap_or_default()
}

/// Copies with percent-encodings in normal form: unreserved characters decoded, digits in upper case.
pub fn recode(text: &str, out: &mut String) {
    let bytes = text.as_bytes();
    let mut copied = 0;
    let mut at = 0;
    while at + 2 < bytes.len() {
        if bytes[at] != b'%' {
            at += 1;
            continue;
        }
        let (Some(high), Some(low)) = (hex_digit(bytes[at + 1]), hex_digit(bytes[at + 2])) else {
            at += 1;
            continue;
        };
        out.push_str(&text[copied..at]);
        let byte = high * 16 + low;
        if is_unreserved(byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push(char::from(bytes[at + 1].to_ascii_uppercase()));
            out.push(char::from(bytes[at + 2].to_ascii_uppercase()));
        }
        at += 3;
        copied = at;
    }
    out.push_str(&text[copied..]);
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// RFC 3986 section 2.3.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}
