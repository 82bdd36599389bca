//! Tests of `charset`.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, KOI8_R, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};

use super::{Source, decode};

fn read(bytes: &[u8], header: Option<&str>) -> (String, String, Source) {
    let (text, charset) = decode(bytes, header);
    (text.into_owned(), charset.name, charset.source)
}

#[test]
fn a_byte_order_mark_beats_the_header_and_the_header_beats_the_page() {
    assert_eq!(
        read(b"\xEF\xBB\xBFx", Some("text/html; charset=iso-8859-1")),
        ("x".into(), "utf-8".into(), Source::Bom)
    );
    assert_eq!(
        read(b"<meta charset=utf-8>\xE9", Some("text/html; charset=\"ISO-8859-1\"")),
        ("<meta charset=utf-8>é".into(), "windows-1252".into(), Source::Header)
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
        assert_eq!((name.as_str(), source), ("shift_jis", Source::Page), "{page}");
        assert!(text.ends_with("日本"), "{text}");
    }
}

#[test]
fn a_page_that_claims_utf_16_in_ascii_is_read_as_utf_8() {
    assert_eq!(read("<meta charset=utf-16>é".as_bytes(), None).1, "utf-8");
}

#[test]
fn undeclared_bytes_are_utf_8_when_they_can_be() {
    assert_eq!(read("é".as_bytes(), None), ("é".into(), "utf-8".into(), Source::Bytes));
    assert_eq!(read(b"\xE9t\xE9", None), ("été".into(), "windows-1252".into(), Source::Guess));
    assert_eq!(read(&"né".as_bytes()[..2], None).2, Source::Bytes);
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

#[test]
fn content_counts_only_where_http_equiv_says_what_it_is_about() {
    for page in [
        "<meta name=description content=\"all about charset=shift_jis\">",
        "<meta content=\"text/html; charset=shift_jis\">",
        "<meta http-equiv=refresh content=\"0; url=/?charset=shift_jis\">",
        "<p title=\"<meta charset=shift_jis>\">",
        "<!-- <meta charset=shift_jis> -->",
        "<? <meta charset=shift_jis",
        "<metadata charset=shift_jis>",
    ] {
        assert_eq!(read(page.as_bytes(), None).2, Source::Bytes, "{page}");
    }
}

#[test]
fn a_declaration_is_found_as_the_standard_finds_it() {
    for (page, name) in [
        ("<meta content='text/html; charset=koi8-r' http-equiv='Content-Type'>", "koi8-r"),
        ("<meta http-equiv=content-type content=\"charset charset = 'koi8-r'\">", "koi8-r"),
        ("<meta charset=koi8-r http-equiv=content-type content='text/html; charset=gbk'>", "koi8-r"),
        ("<meta charset=nonsense><meta charset=koi8-r>", "koi8-r"),
        ("<meta/charset=koi8-r>", "koi8-r"),
        ("<!--><meta charset=koi8-r>", "koi8-r"),
        ("<html lang=ru><head><title>x</title><META CHARSET=\"KOI8-R\" >", "koi8-r"),
        ("<meta charset=x-user-defined>", "windows-1252"),
        ("<?xml version=\"1.0\" encoding=\"koi8-r\"?><html>", "koi8-r"),
    ] {
        let (_, found, source) = read(page.as_bytes(), None);
        assert_eq!((found.as_str(), source), (name, Source::Page), "{page}");
    }
}

#[test]
fn a_declaration_beyond_the_first_1024_bytes_is_none() {
    let page = |before: usize| format!("{}<meta charset=koi8-r>", " ".repeat(before)).into_bytes();
    assert_eq!(read(&page(1_000), None).1, "koi8-r");
    assert_eq!(read(&page(1_024), None).1, "utf-8");
}

#[test]
fn utf_16_is_known_by_its_mark_and_by_an_xml_declaration() {
    let wide = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
    let little: Vec<u8> = wide("\u{feff}<p>日本 é").into_iter().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = wide("\u{feff}<p>日本 é").into_iter().flat_map(u16::to_be_bytes).collect();
    for (bytes, name) in [(little, "utf-16le"), (big, "utf-16be")] {
        assert_eq!(read(&bytes, Some("text/html; charset=utf-8")), ("<p>日本 é".into(), name.into(), Source::Bom));
    }
    let bare: Vec<u8> = wide("<?xml version='1.0'?><p>日本").into_iter().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(&bare, None), ("<?xml version='1.0'?><p>日本".into(), "utf-16le".into(), Source::Page));
}

const RUSSIAN: &str = "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему.";
const JAPANESE: &str = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。";
const CHINESE: &str = "话说天下大势,分久必合,合久必分。周末七国分争,并入于秦。";
const TAIWANESE: &str = "話說天下大勢,分久必合,合久必分。周末七國分爭,併入於秦。";
const KOREAN: &str = "나라의 말이 중국과 달라 문자와 서로 통하지 아니하므로 어리석은 백성이 말하고자 하는 바가 있어도.";
const GERMAN: &str = "Die Straße über den Fluß ist schön, aber für Fußgänger gefährlich; „größer“ wäre besser.";

const REAL: [(&str, &Encoding); 8] = [
    (GERMAN, WINDOWS_1252),
    (RUSSIAN, WINDOWS_1251),
    (RUSSIAN, KOI8_R),
    (JAPANESE, SHIFT_JIS),
    (JAPANESE, EUC_JP),
    (CHINESE, GBK),
    (TAIWANESE, BIG5),
    (KOREAN, EUC_KR),
];

#[test]
fn pages_in_the_encodings_of_the_world_are_read_as_they_were_written() {
    for (text, encoding) in REAL {
        let (bytes, _, lost) = encoding.encode(text);
        assert!(!lost, "{} can write it", encoding.name());
        let header = format!("text/html; charset={}", encoding.name());
        assert_eq!(read(&bytes, Some(&header)).0, text, "{header}");
        let page = [format!("<meta charset={}>", encoding.name()).as_bytes(), &bytes].concat();
        assert!(read(&page, Some("text/html")).0.ends_with(text), "{} in the page", encoding.name());
    }
}

#[test]
fn pages_that_declare_nothing_are_guessed_from_their_bytes() {
    for (text, encoding) in REAL {
        let (bytes, ..) = encoding.encode(text);
        let page = ["<html><body>".repeat(9).as_bytes(), &bytes].concat();
        let (read, _, source) = read(&page, Some("text/html"));
        assert!(read.ends_with(text), "{}: {read}", encoding.name());
        assert_eq!(source, Source::Guess);
    }
}
