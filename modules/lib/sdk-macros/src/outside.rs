//! The lines of `outside`: what an author can get wrong in one, said where it is written.
//!
//! The host reads the same grammar, strictly, from the built component (`wit/contracts.md`).

/// What is wrong with a line; none when nothing is.
pub(crate) fn broken(line: &str) -> Option<&'static str> {
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
    use super::broken;

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
