//! The encoding of a page as a fact about it; how it is found is in the crate `charset`.

use std::borrow::Cow;

use charset::Source;

use crate::page::{Charset, CharsetSource};

/// Reads bytes as text. `content_type` is the value of the header.
#[must_use]
pub fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> (Cow<'a, str>, Charset) {
    let (text, read) = charset::decode(bytes, content_type);
    let source = match read.source {
        Source::Bom => CharsetSource::Bom,
        Source::Header => CharsetSource::Header,
        Source::Page => CharsetSource::Meta,
        Source::Bytes => CharsetSource::Bytes,
        Source::Guess => CharsetSource::Fallback,
    };
    (text, Charset { name: read.name, source, declared: read.declared, damaged: read.damaged })
}
