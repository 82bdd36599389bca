//! Tests of `cursor`.

use serde_json::json;

use super::*;

fn position() -> Position {
    Position { key: "4ann\u{1}".to_owned(), id: "x1".to_owned() }
}

#[test]
fn a_cursor_comes_back_as_it_went() {
    let seal = seal("authors.authors", &Query::default());
    assert_eq!(read(seal, &write(seal, &position())).unwrap(), position());
}

#[test]
fn a_cursor_of_another_query_is_malformed() {
    let one = seal("authors.authors", &Query { equals: vec![json!("a")], ..Query::default() });
    let other = seal("authors.authors", &Query { equals: vec![json!("b")], ..Query::default() });
    assert!(matches!(read(other, &write(one, &position())), Err(RecordsError::Malformed(_))));
}

#[test]
fn a_cursor_that_somebody_made_up_is_malformed() {
    let seal = seal("authors.authors", &Query::default());
    for text in ["", "x", "zz", "00", "00ff00ff00ff00ff00ff", "日本"] {
        assert!(matches!(read(seal, text), Err(RecordsError::Malformed(_))), "{text:?}");
    }
}
