//! Tests of the row encoding: what a guest may send and what it receives.

use model::clock::{Entropy, SeededEntropy};

use super::{MOST_BODY, packed, unpacked};

fn page(rows: &[(&str, u64, &str)]) -> store::Page {
    let row = |(id, version, body): &(&str, u64, &str)| store::Row {
        id: (*id).into(),
        version: *version,
        body: (*body).into(),
    };
    store::Page { rows: rows.iter().map(row).collect(), next: None }
}

#[test]
fn a_packed_row_is_one_line_whatever_its_body_is() {
    let chunk = packed(page(&[("a", 1, "{\n \"x\":\r\n1}"), ("b", 12, "{}")]));
    assert_eq!((chunk.rows.as_slice(), chunk.count), (&b"a\t1\t{  \"x\":  1}\nb\t12\t{}\n"[..], 2));
}

#[test]
fn rows_are_unpacked_with_and_without_an_id() {
    let rows = unpacked(b"a\t{}\n\t{\"x\":\"\\t\"}\n").expect("two rows");
    assert_eq!(rows, [(Some("a".to_owned()), "{}".to_owned()), (None, "{\"x\":\"\\t\"}".to_owned())]);
    assert_eq!(unpacked(b"").expect("no rows"), []);
}

#[test]
fn a_row_without_a_tab_in_another_encoding_or_too_large_is_refused() {
    for rows in [&b"a"[..], b"\n", b"a\t{}\n\n", b"\xff\t{}\n"] {
        assert!(unpacked(rows).is_err(), "{rows:?}");
    }
    let body = "x".repeat(MOST_BODY);
    assert!(unpacked(format!("a\t{body}\n").as_bytes()).is_ok());
    assert!(unpacked(format!("a\t{body}x\n").as_bytes()).is_err());
}

#[test]
fn of_twenty_thousand_broken_packings_each_is_refused_or_means_what_it_says() {
    let chance: &dyn Entropy = &SeededEntropy::new([5; 32]);
    let alphabet = b"\t\t\n\n\r{}\"a0 \xc3\xa4\xff\0";
    for _ in 0..20_000 {
        let drawn = chance.array::<24>();
        let rows: Vec<u8> = drawn.iter().map(|byte| alphabet[usize::from(*byte) % alphabet.len()]).collect();
        let Ok(read) = unpacked(&rows) else { continue };
        let lines = std::str::from_utf8(&rows).expect("what was read is text").split_terminator('\n');
        let again: Vec<String> =
            read.iter().map(|(id, body)| format!("{}\t{body}", id.as_deref().unwrap_or_default())).collect();
        assert_eq!(again, lines.collect::<Vec<_>>(), "{rows:?}");
        assert!(read.iter().all(|(id, _)| id.as_deref() != Some("")), "an id is something or none");
    }
}
