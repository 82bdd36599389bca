//! Tests of `perform`.

use super::depth;

#[test]
fn depth_counts_brackets_outside_strings() {
    assert_eq!(depth(br#"{"a":[[1]],"b":"[[[[{{","c":"\"[["}"#), 3);
    assert_eq!(depth(b"{}"), 1);
    assert_eq!(depth(b"1"), 0);
    assert_eq!(depth("[".repeat(1_000).as_bytes()), 1_000);
}
