//! RFC 9700 4.1 by the thousand: whatever becomes of a registered address, nothing but it is redirected to.

use proptest::prelude::*;

use super::tests::client;
use super::*;

const WEB: &str = "https://app.example/callback?tenant=1";
const LOOPBACK: &str = "http://127.0.0.1:3000/callback";

/// What may stand where a piece of an address was.
const PIECES: &[&str] = &[
    "",
    "/",
    "//",
    "\\",
    "@",
    ":",
    "#",
    "?",
    "&",
    ".",
    "..",
    "%00",
    "%2e",
    "%2f",
    "%40",
    "%0d%0a",
    " ",
    "\t",
    "\n",
    "\u{0}",
    "\u{200b}",
    "\u{ff0e}",
    "\u{3002}",
    "evil.example",
    "@evil.example",
    ".evil.example",
    "/../",
    "http:",
    "https:",
    "javascript:",
    "localhost",
    "[::1]",
    "127.1",
    "0",
    "443",
    ":443",
    ":1",
    ":65536",
    ";",
    "*",
    "user@",
    "A",
    "\u{e9}",
];

fn mutated() -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), prop::sample::select(PIECES), 0..4u8);
    let base = prop::sample::select(&[WEB, LOOPBACK][..]);
    (base, prop::collection::vec(edit, 1..4)).prop_map(|(base, edits)| {
        let mut letters: Vec<char> = base.chars().collect();
        for (from, to, piece, how) in edits {
            let (from, to) = (from.index(letters.len() + 1), to.index(letters.len() + 1));
            let (from, to) = (from.min(to), from.max(to));
            match how {
                0 => drop(letters.splice(from..from, piece.chars())),
                1 => drop(letters.splice(from..to, piece.chars())),
                2 => drop(letters.drain(from..to.min(from + 1))),
                _ => letters.iter_mut().skip(from).take(1).for_each(|c| *c = c.to_ascii_uppercase()),
            }
        }
        letters.into_iter().collect()
    })
}

/// What RFC 8252 7.3 lets differ, said once more and in another way than the code does.
fn is_registered(uri: &str) -> bool {
    let port = uri.strip_prefix("http://127.0.0.1").and_then(|rest| rest.strip_suffix("/callback"));
    let is_port = |port: &str| {
        port.is_empty() || port.strip_prefix(':').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    uri == WEB || port.is_some_and(is_port)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn a1_no_mutation_of_a_registered_address_is_redirected_to(uri in mutated()) {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        // Everything else is wrong, so that an accepted address would be redirected to at once.
        query.extend_pairs([("response_type", "token"), ("client_id", "cli_test"), ("redirect_uri", &uri)]);
        match decide(&query.finish(), Some(client(&[WEB, LOOPBACK])), "https://espalier.example/mcp") {
            Decision::Page(_) => {}
            Decision::Back(back) => {
                prop_assert!(is_registered(&uri), "{uri:?}");
                prop_assert_eq!(back.redirect_uri.as_str(), uri);
            }
            Decision::Ask(_) => prop_assert!(false, "{uri:?} was put before the customer"),
        }
    }
}
