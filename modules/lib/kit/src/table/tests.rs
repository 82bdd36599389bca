//! Tables as Python's `csv` reads them, and columns as people mean them.

use flate2::read::GzDecoder;
use serde::Deserialize;

use super::{Ambiguous, DecimalMark, Known, Table, TableError, civil_day, flag, folded};

const KNOWN: [Known<'static>; 3] = [
    Known { name: "keyword", aliases: &["search term", "suchbegriff"] },
    Known { name: "volume", aliases: &["avg. monthly searches"] },
    Known { name: "date", aliases: &[] },
];

#[derive(Deserialize)]
struct Case {
    bytes: String,
    delimiter: String,
    cells: Vec<Vec<String>>,
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).expect("hex")).collect()
}

#[test]
fn two_hundred_files_have_the_cells_that_python_reads() {
    let cases: Vec<Case> =
        serde_json::from_reader(GzDecoder::new(&include_bytes!("fixtures/tables.json.gz")[..])).expect("a fixture");
    assert_eq!(cases.len(), 200);
    for (number, case) in cases.iter().enumerate() {
        let table = Table::read(&unhex(&case.bytes), &KNOWN).unwrap_or_else(|error| panic!("{number}: {error:?}"));
        assert_eq!(table.delimiter.to_string(), case.delimiter, "{number}");
        assert_eq!(table.header, case.cells[0], "{number}");
        let rows: Vec<&Vec<String>> = table.rows.iter().map(|row| &row.cells).collect();
        assert_eq!(rows, case.cells[1..].iter().collect::<Vec<_>>(), "{number}");
        assert!(table.too_wide.is_empty());
    }
}

fn table(text: &str) -> Table {
    Table::read(text.as_bytes(), &KNOWN).expect("a table")
}

/// The numbers of a column of these cells, in a file with tabs.
fn numbers(cells: &[&str], decimal: Option<DecimalMark>) -> Vec<Option<f64>> {
    let text = format!("Keyword\tVolume\n{}", cells.iter().map(|cell| format!("a\t{cell}\n")).collect::<String>());
    let read = table(&text).numbers(1, decimal);
    read.into_iter().map(|it| it.ok().flatten().map(|number| number.value)).collect()
}

#[test]
fn a_column_decides_what_its_marks_mean() {
    let is = |cells: &[&str], wanted: &[f64]| {
        assert_eq!(numbers(cells, None), wanted.iter().map(|it| Some(*it)).collect::<Vec<_>>(), "{cells:?}");
    };
    is(&["1,234", "12"], &[1_234.0, 12.0]);
    is(&["1,234", "0,5"], &[1.234, 0.5]);
    is(&["1.234,5", "2.000"], &[1_234.5, 2_000.0]);
    is(&["1,234.5", "2,000"], &[1_234.5, 2_000.0]);
    is(&["1.234.567", "2.000"], &[1_234_567.0, 2_000.0]);
    is(&["0.123", "0.5"], &[0.123, 0.5]);
    is(&["1\u{202f}234", "5 600", "7'800"], &[1_234.0, 5_600.0, 7_800.0]);
    is(&["12 %", "5%"], &[0.12, 0.05]);
    is(&["-3", "€ 4.50"], &[-3.0, 4.5]);
    assert_eq!(numbers(&["1.234"], Some(DecimalMark::Comma)), [Some(1_234.0)]);
    assert_eq!(numbers(&["1.234"], None), [Some(1.234)]);
    let semicolons = Table::read("Keyword;Volume\na;1.234\n".as_bytes(), &KNOWN).expect("a table");
    assert_eq!(semicolons.numbers(1, None)[0].map(|it| it.map(|it| it.value)), Ok(Some(1_234.0)));
    assert_eq!(numbers(&["-", "n/a", "", "many"], None), [None; 4]);
    let bounds = table("Keyword\tVolume\na\t<10\nb\t100+\nc\tmany\n").numbers(1, None);
    assert!(bounds[0].is_ok_and(|it| it.is_some_and(|it| it.is_bound && (it.value - 10.0).abs() < 1e-12)));
    assert!(bounds[1].is_ok_and(|it| it.is_some_and(|it| it.is_bound)) && bounds[2].is_err());
}

fn days(cells: &[&str], day_first: Option<bool>) -> Result<Vec<Option<i32>>, Ambiguous> {
    let text =
        format!("Keyword\tVolume\tDate\n{}", cells.iter().map(|cell| format!("a\t1\t{cell}\n")).collect::<String>());
    Ok(table(&text).days(2, day_first)?.into_iter().map(|it| it.ok().flatten()).collect())
}

#[test]
fn a_column_decides_which_number_is_the_day() {
    let day = civil_day(2026, 9, 3);
    for cell in [
        "2026-09-03",
        "2026/09/03",
        "03.09.2026",
        "Sep 3, 2026",
        "3 Sept 2026",
        "3 septembre 2026",
        "2026-09-03 14:05:00",
        "2026-09-03T23:59:59Z",
        "20260903",
        "1788393600",
        "1788393600000",
    ] {
        assert_eq!(days(&[cell], None), Ok(vec![day]), "{cell}");
    }
    assert_eq!(days(&["03/09/2026", "25/09/2026"], None).map(|it| it[0]), Ok(day));
    assert_eq!(days(&["09/03/2026", "09/25/2026"], None).map(|it| it[0]), Ok(day));
    assert_eq!(days(&["03/09/2026"], None), Err(Ambiguous));
    assert_eq!(days(&["03/09/2026"], Some(true)), Ok(vec![day]));
    assert_eq!(days(&["09/03/2026"], Some(false)), Ok(vec![day]));
    assert_eq!(days(&["03/03/2026"], None).map(|it| it[0]), Ok(civil_day(2026, 3, 3)));
    assert_eq!(days(&["31.02.2026", "", "soon"], None), Ok(vec![None; 3]));
    assert_eq!((civil_day(1970, 1, 1), civil_day(2024, 2, 29), civil_day(2026, 2, 29)), (Some(0), Some(19_782), None));
}

#[test]
fn titles_above_the_header_are_passed_over_and_lines_are_those_of_the_file() {
    let text = "Keyword Stats 2026-09\nSeptember 2026 - September 2026\nKeyword\tAvg. monthly searches\tCompetition\n\nlamp\t1,000\tLow\n";
    let table = table(text);
    assert_eq!((table.column(&KNOWN[1]), table.column(&KNOWN[2])), (Some(1), None));
    assert_eq!((table.rows.len(), table.rows[0].line), (1, 5));
    assert_eq!(table.unknown(&KNOWN), ["Competition"]);
    let wide = Table::read(b"Keyword,Volume\na,1,2\nb\n", &KNOWN).expect("a table");
    assert_eq!((wide.too_wide, wide.rows[1].cells.clone()), (vec![2], vec!["b".to_owned(), String::new()]));
}

#[test]
fn what_is_no_table_is_told_with_the_nearest_names() {
    assert_eq!(Table::read(b"PK\x03\x04workbook", &KNOWN), Err(TableError::NotText));
    assert_eq!(Table::read(b"\n\n", &KNOWN), Err(TableError::Empty));
    let Err(TableError::NoHeader { found, nearest }) = Table::read(b"Keywrod,Clicks\na,1\n", &KNOWN) else {
        panic!("a header that nobody knows")
    };
    assert_eq!(found, ["Keywrod", "Clicks"]);
    assert_eq!(nearest, [("Keywrod".to_owned(), "keyword".to_owned())]);
}

#[test]
fn names_of_columns_are_compared_without_form_and_units() {
    assert_eq!(folded("Search_Term (all)"), "searchterm");
    assert_eq!(folded("\u{feff}Ｋｅｙｗｏｒｄ"), "keyword");
    assert_eq!(
        (flag("Yes", "nofollow"), flag("nofollow", "Nofollow"), flag("0", "x")),
        (Some(true), Some(true), Some(false))
    );
    assert_eq!(flag("perhaps", "nofollow"), None);
}

#[test]
fn whatever_bytes_are_read_as_a_table_nothing_panics() {
    let cases: Vec<Case> =
        serde_json::from_reader(GzDecoder::new(&include_bytes!("fixtures/tables.json.gz")[..])).expect("a fixture");
    let mut chance = crate::chance::Chance::of("tables");
    let pieces: [&[u8]; 8] = [b"\"", b";", b"\xff\xfe", b"\0", b"1.234,5", b"12/13/2026", b"\n", "é".as_bytes()];
    let mut read = 0;
    for case in cases {
        let mut bytes = unhex(&case.bytes);
        for _ in 0..1 + chance.below(12) {
            let at = chance.below(bytes.len() + 1);
            let piece = pieces[chance.below(pieces.len())];
            if chance.unit() < 0.5 {
                bytes.splice(at..at, piece.iter().copied());
            } else {
                bytes.truncate(at.max(1));
            }
        }
        let Ok(table) = Table::read(&bytes, &KNOWN) else { continue };
        read += 1;
        for column in 0..table.header.len() {
            assert_eq!(table.numbers(column, None).len(), table.rows.len());
            assert!(table.days(column, Some(true)).is_ok_and(|it| it.len() == table.rows.len()));
        }
    }
    assert!(read > 50, "{read} of 200 were tables");
}
