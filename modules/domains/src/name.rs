//! Names as they are given: with letters of any language, in any case, with or without the last dot.

use kit::mailauth::is_name;
use kit::url::Url;
use sdk::prelude::*;

/// A name as the name system writes it: ASCII in lower case, without the last dot; labels of other letters as `xn--` (UTS 46).
pub(crate) fn ascii(text: &str) -> Option<String> {
    let text = text.trim().strip_suffix('.').unwrap_or(text.trim());
    if text.contains(|c: char| c.is_whitespace() || matches!(c, '/' | ':' | '@' | '?' | '#' | '\\' | '[')) {
        return None;
    }
    let url = Url::parse(&format!("http://{text}/")).ok()?;
    let name = url.domain()?.to_owned();
    is_name(&name).then_some(name)
}

/// The name of an argument.
///
/// # Errors
/// 422 `invalid_name` at the pointer.
pub(crate) fn given(text: &str, pointer: &str) -> Result<String> {
    ascii(text).ok_or_else(|| {
        let message = "this is not a name: two labels or more, each of 1 to 63 letters, digits or hyphens, without a scheme or path";
        Fault::invalid(pointer, "invalid_name", message)
    })
}

/// The registrable domain of an argument, and whether something stood before it: one label below the suffix of a registry.
/// Suffixes of companies, such as `github.io`, are domains that somebody registered (publicsuffix.org, the section of ICANN).
///
/// # Errors
/// 422 `invalid_name`, or `public_suffix` for a name under which others register.
pub(crate) fn registrable(text: &str, pointer: &str) -> Result<(String, bool)> {
    let name = given(text, pointer)?;
    let suffix = suffix(&name);
    match name[..name.len() - suffix.len()].strip_suffix('.') {
        Some(before) => {
            let label = before.rsplit('.').next().unwrap_or(before);
            let domain = format!("{label}.{suffix}");
            let reduced = domain != name;
            Ok((domain, reduced))
        }
        None => {
            let message = "this is a suffix under which others register, such as com or co.uk; name a domain below it";
            Err(Fault::invalid(pointer, "public_suffix", message))
        }
    }
}

/// The suffix of a name that a registry sells names under; the last label where the list knows none.
fn suffix(name: &str) -> &str {
    let mut name = name;
    while let Some(known) = suffixes::suffix(name) {
        match known.text.split_once('.') {
            // What a company gives names away under is a name of its own.
            Some((_, above)) if known.is_private => name = above,
            _ => return known.text,
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::registrable;

    #[test]
    fn what_registries_sell_is_told_from_what_companies_give_away() {
        for (name, domain) in [
            ("www.lamps.co.uk", "lamps.co.uk"),
            ("ada.github.io", "github.io"),
            ("a.b.blogspot.com", "blogspot.com"),
            ("shop.example", "shop.example"),
            ("x.y.unheard-of", "y.unheard-of"),
            ("a.b.c.kawasaki.jp", "b.c.kawasaki.jp"),
            ("www.city.kawasaki.jp", "city.kawasaki.jp"),
        ] {
            assert_eq!(registrable(name, "/domain").expect("a domain").0, domain, "{name}");
        }
        for name in ["co.uk", "c.kawasaki.jp"] {
            assert_eq!(registrable(name, "/domain").expect_err("a suffix").code, "public_suffix", "{name}");
        }
    }
}
