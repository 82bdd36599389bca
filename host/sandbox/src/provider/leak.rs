//! Redaction of the credential from a provider's response.

use aho_corasick::{AhoCorasick, MatchKind};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use model::token::hex;

const REDACTED: &str = "[redacted]";
/// Bytes of the shortest form that is searched for. Anything shorter occurs in ordinary text too.
const SHORTEST: usize = 6;

/// Every encoding in which a secret could be in a response.
pub(crate) struct Needles {
    search: Option<AhoCorasick>,
    longest: usize,
}

impl Needles {
    /// The encodings of these secrets: plain, escaped for JSON and for HTML, percent-encoded, in base64 at any offset
    /// of a longer text, and in hexadecimal.
    pub(crate) fn of<'a>(secrets: impl Iterator<Item = &'a str>) -> Self {
        let mut forms: Vec<Vec<u8>> = secrets.flat_map(forms).filter(|form| form.len() >= SHORTEST).collect();
        forms.sort_unstable();
        forms.dedup();
        let longest = forms.iter().map(Vec::len).max().unwrap_or(0);
        let search = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&forms);
        Self { search: search.ok().filter(|_| !forms.is_empty()), longest }
    }

    /// Bytes of the longest form. That many extra bytes must be read, so that no secret is cut in half.
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }

    pub(crate) fn redact(&self, bytes: Vec<u8>) -> Vec<u8> {
        match &self.search {
            Some(search) if search.is_match(&bytes) => {
                search.replace_all_bytes(&bytes, &vec![REDACTED; search.patterns_len()])
            }
            _ => bytes,
        }
    }

    pub(crate) fn redact_text(&self, text: String) -> String {
        String::from_utf8(self.redact(text.into_bytes())).unwrap_or_default()
    }
}

fn forms(secret: &str) -> Vec<Vec<u8>> {
    let json = serde_json::to_string(secret).unwrap_or_default();
    let json = json.trim_matches('"').to_owned();
    let bytes = secret.as_bytes();
    let mut forms = vec![
        secret.to_owned(),
        json.replace('/', "\\/"),
        json,
        percent(secret, false, false),
        percent(secret, true, false),
        percent(secret, false, true),
        percent(secret, true, true),
        html(secret, "&#039;"),
        html(secret, "&#39;"),
        html(secret, "&apos;"),
        hex(bytes),
        hex(bytes).to_uppercase(),
    ];
    for before in 0..3 {
        forms.extend([STANDARD_NO_PAD.encode(bytes), URL_SAFE_NO_PAD.encode(bytes)]);
        forms.extend(core(bytes, before));
    }
    forms.into_iter().map(String::into_bytes).collect()
}

/// The characters of a base64 text that do not depend on the bytes before and after, if `before` bytes beyond a whole
/// group precede it.
fn core(bytes: &[u8], before: usize) -> [String; 2] {
    let shifted = [vec![0; before], bytes.to_vec()].concat();
    let first = (before * 8).div_ceil(6);
    let last = shifted.len() * 8 / 6;
    [STANDARD_NO_PAD.encode(&shifted), URL_SAFE_NO_PAD.encode(&shifted)]
        .map(|text| text.get(first..last).unwrap_or_default().to_owned())
}

/// Percent-encodes all but unreserved characters (RFC 3986, 2.1). In a form, a space is a plus.
fn percent(secret: &str, lower: bool, form: bool) -> String {
    secret.bytes().fold(String::new(), |text, byte| match byte {
        b' ' if form => text + "+",
        byte if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => text + &char::from(byte).to_string(),
        byte if lower => text + &format!("%{byte:02x}"),
        byte => text + &format!("%{byte:02X}"),
    })
}

fn html(secret: &str, apostrophe: &str) -> String {
    let text = secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', apostrophe)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "pa/ss\"w<ö&rd 'x'";

    fn redacted(text: &str) -> String {
        Needles::of([SECRET].into_iter()).redact_text(text.to_owned())
    }

    #[test]
    fn every_form_is_found_and_the_text_around_it_stays() {
        for form in forms(SECRET) {
            let form = String::from_utf8(form).unwrap();
            assert_eq!(redacted(&format!("a{form}b")), "a[redacted]b", "{form}");
        }
    }

    #[test]
    fn what_providers_echo_is_found() {
        let wrapped = serde_json::json!({ "you sent": SECRET }).to_string();
        assert_eq!(redacted(&wrapped), r#"{"you sent":"[redacted]"}"#);
        for before in ["", "u:", "us:", "user:"] {
            for after in ["", "1", "12", "123"] {
                let basic = STANDARD_NO_PAD.encode(format!("{before}{SECRET}{after}"));
                assert!(redacted(&basic).contains("[redacted]"), "{before}{after}");
            }
        }
        let query: String = url::form_urlencoded::Serializer::new(String::new()).append_pair("key", SECRET).finish();
        assert_eq!(redacted(&query), "key=[redacted]");
    }

    #[test]
    fn ordinary_text_stays_as_it_is() {
        assert_eq!(redacted("pa/ss and w<ö&rd"), "pa/ss and w<ö&rd");
        assert_eq!(Needles::of(["abc"].into_iter()).redact_text("abcdef".to_owned()), "abcdef");
        assert_eq!(Needles::of(std::iter::empty()).redact(vec![0, 255]), [0, 255]);
    }
}
