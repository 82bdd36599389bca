//! Names as they are given: with letters of any language, in any case, with or without the last dot.

use kit::mailauth::is_name;
use kit::url::{Url, registrable_domain};
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

/// The registrable domain of an argument, and whether something stood before it.
///
/// # Errors
/// 422 `invalid_name`, or `public_suffix` for a name under which others register.
pub(crate) fn registrable(text: &str, pointer: &str) -> Result<(String, bool)> {
    let name = given(text, pointer)?;
    match registrable_domain(&name) {
        Some(domain) => Ok((domain.to_owned(), domain != name)),
        None => {
            let message = "this is a suffix under which others register, such as com or co.uk; name a domain below it";
            Err(Fault::invalid(pointer, "public_suffix", message))
        }
    }
}
