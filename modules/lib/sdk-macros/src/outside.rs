//! The lines of `outside`: what an author can get wrong in one, said where it is written.
//!
//! The host reads the same grammar, strictly, from the built component (`wit/contracts.md`).

use syn::{Expr, ExprArray, ExprLit, Lit};

use crate::grammar::Entry;

/// Lines that several operations need together, under a name: `outside = [llm]`.
const SETS: [(&str, &[&str]); 2] = [
    ("llm", &["llm GET /models", "llm POST /chat/completions query"]),
    ("jmap_session", &["jmap GET /jmap/session", "jmap GET /jmap/session/", "jmap GET /jmap/", "jmap GET /jmap"]),
];

/// The lines of a list of string literals and names of sets, in the order they are written.
pub(crate) fn lines(entry: &Entry) -> syn::Result<Vec<String>> {
    let array: ExprArray = syn::parse2(entry.tokens("[\"…\"]")?)?;
    let mut lines = Vec::new();
    for element in &array.elems {
        match element {
            Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) => lines.push(line.value()),
            Expr::Path(path) => {
                let set = SETS.iter().find(|(name, _)| path.path.is_ident(name));
                let (_, set) = set.ok_or_else(|| syn::Error::new_spanned(path, unknown()))?;
                lines.extend(set.iter().map(|line| (*line).to_owned()));
            }
            other => return Err(syn::Error::new_spanned(other, "write a line as a string, or the name of a set")),
        }
    }
    match lines.iter().find_map(|line| Some((line, broken(line)?))) {
        Some((line, why)) => Err(entry.error(&format!("{line:?}: {why}"))),
        None => Ok(lines),
    }
}

fn unknown() -> String {
    let names: Vec<_> = SETS.iter().map(|(name, _)| *name).collect();
    format!("no set of lines has this name; known sets: {}", names.join(", "))
}

/// What is wrong with a line; none when nothing is.
fn broken(line: &str) -> Option<&'static str> {
    let words: Vec<&str> = line.split(' ').collect();
    let [kind, method, path, rest @ ..] = words.as_slice() else {
        return Some("write a kind, a method, a path and a word: `wordpress POST /wp-json/wp/v2/posts change`");
    };
    let name = |it: &str| {
        let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        !it.is_empty() && it.bytes().all(inner)
    };
    if !kind.split('.').all(name) || kind.split('.').count() > 2 {
        return Some("the kind is written as in the catalog, with its service after a dot where it has several");
    }
    if !["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "SEND"].contains(method) {
        return Some("the method is GET, HEAD, POST, PUT, PATCH or DELETE, and SEND for mail");
    }
    if *method == "SEND" && !["/transactional", "/list"].contains(path) {
        return Some("mail is sent to `/transactional` or to `/list`");
    }
    if !path.starts_with('/') || path.contains(['?', '#', '%', '\\']) {
        return Some("the path begins with a slash and has no query: `*` is one segment, `**` the rest");
    }
    let known = matches!(
        (*method, rest),
        ("GET" | "HEAD", [] | ["read"])
            | ("POST", ["query"])
            | ("DELETE", ["remove"])
            | ("POST" | "PATCH" | "PUT", ["change" | "remove"])
            | ("SEND", ["change"])
            | ("POST" | "PATCH", ["change" | "remove", "idempotent"])
    );
    (!known).then_some(
        "GET and HEAD need no word, a POST says `query`, `change` or `remove`, PUT and PATCH `change` or `remove`, \
         DELETE `remove`, SEND `change`; `idempotent` may follow at a POST or PATCH",
    )
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::{SETS, broken, lines};
    use crate::grammar;

    fn read(attribute: proc_macro2::TokenStream) -> Result<Vec<String>, String> {
        let entries = grammar::entries(attribute).expect("the grammar of attributes");
        lines(&entries[0]).map_err(|error| error.to_string())
    }

    #[test]
    fn a_named_set_stands_for_its_lines_in_their_place() {
        let written = read(quote!(outside = ["indexnow POST /indexnow change", llm])).unwrap();
        let wanted = ["indexnow POST /indexnow change", "llm GET /models", "llm POST /chat/completions query"];
        assert_eq!(written, wanted);
    }

    #[test]
    fn an_unknown_set_is_refused_with_the_known_ones() {
        let error = read(quote!(outside = [lmm])).unwrap_err();
        assert!(error.contains("llm, jmap_session"), "{error}");
        assert!(read(quote!(outside = [1])).unwrap_err().contains("as a string"));
        assert!(read(quote!(outside = ["wordpress POST /a"])).unwrap_err().contains("a POST says"));
    }

    #[test]
    fn every_line_of_every_set_is_well_formed() {
        for line in SETS.iter().flat_map(|(_, lines)| *lines) {
            assert_eq!(broken(line), None, "{line}");
        }
    }

    #[test]
    fn lines_that_the_host_reads_pass() {
        for line in [
            "pagespeed GET /pagespeedonline/v5/runPagespeed",
            "google_business_profile.performance GET /v1/locations/*:fetchMultiDailyMetricsTimeSeries",
            "google_search_console POST /webmasters/v3/sites/*/searchAnalytics/query query",
            "wordpress POST /wp-json/wp/v2/posts/* change idempotent",
            "wordpress DELETE /wp-json/wp/v2/posts/* remove",
            "smtp SEND /transactional change",
            "smtp SEND /list change",
        ] {
            assert_eq!(broken(line), None, "{line}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, words) in [
            ("wordpress POST", "a kind, a method, a path"),
            ("WordPress GET /a", "the kind"),
            ("wordpress FETCH /a", "the method"),
            ("wordpress GET /a?b=c", "no query"),
            ("wordpress POST /a", "a POST says"),
            ("wordpress DELETE /a change", "DELETE `remove`"),
            ("smtp SEND /** change", "/list"),
            ("smtp SEND /list change idempotent", "SEND `change`"),
        ] {
            assert!(broken(line).is_some_and(|why| why.contains(words)), "{line}: {:?}", broken(line));
        }
    }
}
