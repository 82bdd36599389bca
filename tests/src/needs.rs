//! What a test needs beyond Rust: without it the test says SKIPPED, or fails where everything is required.

/// Says that a test cannot run here; panics when `ESPALIER_REQUIRE_ALL=1`.
///
/// # Panics
/// When everything is required.
#[expect(clippy::print_stderr, clippy::disallowed_methods, reason = "a test speaks to the person who runs it")]
pub fn skip(needs: &str, how: &str) {
    assert!(std::env::var("ESPALIER_REQUIRE_ALL").as_deref() != Ok("1"), "needs {needs}: {how}");
    eprintln!("SKIPPED: needs {needs} ({how})");
}
