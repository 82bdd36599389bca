//! What `charset` promises, as tests.

use super::decode;
use crate::page::CharsetSource;

fn read(bytes: &[u8], header: Option<&str>) -> (String, String, CharsetSource) {
    let (text, charset) = decode(bytes, header);
    (text.into_owned(), charset.name, charset.source)
}

#[test]
fn a_byte_order_mark_beats_the_header_and_the_header_beats_the_page() {
    assert_eq!(
        read(b"\xEF\xBB\xBFx", Some("text/html; charset=iso-8859-1")),
        ("x".into(), "utf-8".into(), CharsetSource::Bom)
    );
    assert_eq!(
        read(b"<meta charset=utf-8>\xE9", Some("text/html; charset=\"ISO-8859-1\"")),
        ("<meta charset=utf-8>é".into(), "windows-1252".into(), CharsetSource::Header)
    );
}

#[test]
fn a_page_declares_its_encoding_in_either_form() {
    for page in [
        "<meta charset='shift_jis'>",
        "<META HTTP-EQUIV=Content-Type CONTENT=\"text/html; charset=Shift_JIS\">",
        "<!-- <meta charset=koi8-r> --><meta name=x><meta charset = shift_jis />",
    ] {
        let bytes = [page.as_bytes(), b"\x93\xFA\x96{"].concat();
        let (text, name, source) = read(&bytes, None);
        assert_eq!((name.as_str(), source), ("shift_jis", CharsetSource::Meta), "{page}");
        assert!(text.ends_with("日本"), "{text}");
    }
}

#[test]
fn a_page_that_claims_utf_16_in_ascii_is_read_as_utf_8() {
    assert_eq!(read("<meta charset=utf-16>é".as_bytes(), None).1, "utf-8");
}

#[test]
fn undeclared_bytes_are_utf_8_when_they_can_be() {
    assert_eq!(read("é".as_bytes(), None), ("é".into(), "utf-8".into(), CharsetSource::Bytes));
    assert_eq!(read(b"\xE9t\xE9", None), ("été".into(), "windows-1252".into(), CharsetSource::Fallback));
    assert_eq!(read(&"né".as_bytes()[..2], None).2, CharsetSource::Bytes);
}

#[test]
fn an_unknown_label_is_reported_and_passed_over() {
    let (_, charset) = decode(b"x", Some("text/html; charset=klingon"));
    assert_eq!((charset.name.as_str(), charset.declared.as_deref()), ("utf-8", Some("klingon")));
}

#[test]
fn replaced_bytes_are_reported() {
    assert!(decode(b"a\xFFb", Some("text/html; charset=utf-8")).1.damaged);
    assert!(!decode(b"ab", Some("text/html; charset=utf-8")).1.damaged);
}
