//! Which addresses belong to a named segment, by ordered rules.
//!
//! The rules are read from first to last. One that fits puts the address in, a negated one that fits takes it out, and the
//! last that fits decides, as in gitignore(5). Before a first rule that is negated every address is in, so that "all but
//! the shop" needs one rule.

use regex::bytes::{Regex, RegexBuilder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::url::path_and_query;

/// The most rules of one segment.
pub const MOST_RULES: usize = 20;
/// The most characters of one rule's value.
pub const LONGEST: usize = 300;
/// Bytes that one compiled expression may take; `\w{1000}` and its like are refused.
const MOST_COMPILED: usize = 1 << 16;
/// What a byte costs where an expression is looked for, beside one where texts are compared.
const EXPRESSION: u64 = 20;

/// What a rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Match {
    /// The whole path, without the query: `*` is any run of characters, slashes too, as in the patterns of a crawl.
    Glob,
    /// Path and query, anywhere in them unless anchored, in the syntax of RE2: no look-around, no back-references, and
    /// `\d`, `\w` and `\s` are those of ASCII, as addresses are.
    Regex,
    /// A query parameter: `name`, or `name=value`, decoded.
    Param,
    /// The media type of the answer without parameters: `text/html`, or `image/*`.
    Type,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rule {
    /// What it looks at.
    #[serde(rename = "match")]
    pub kind: Match,
    /// What it looks for, 1 to [`LONGEST`] characters.
    pub value: String,
    /// It takes out instead of putting in.
    #[serde(default)]
    pub negate: bool,
}

/// Why a rule cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Which of the rules, from 0.
    pub position: usize,
    /// Stable, snake_case.
    pub code: &'static str,
    /// For a person.
    pub message: &'static str,
}

/// An address as rules see it.
#[derive(Debug, Clone, Copy)]
pub struct Address<'a> {
    /// Whole, or from its path on; normalised as [`crate::url::normalize`] does.
    pub url: &'a str,
    /// The media type in lower case without parameters; none when nothing is known of the answer.
    pub content_type: Option<&'a str>,
}

/// Rules that were checked.
#[derive(Debug, Clone)]
pub struct Segment(Vec<(Test, bool)>);

#[derive(Debug, Clone)]
enum Test {
    Glob(String),
    Regex(Regex),
    Param { name: String, value: Option<String> },
    Type(String),
}

impl Segment {
    /// Checks rules.
    ///
    /// # Errors
    /// The first that cannot be asked.
    pub fn new(rules: &[Rule]) -> Result<Self, Broken> {
        if rules.is_empty() || rules.len() > MOST_RULES {
            return Err(Broken { position: 0, code: "rule_count", message: "a segment has 1 to 20 rules" });
        }
        let ready = |(position, rule): (usize, &Rule)| {
            let test = test(rule).map_err(|(code, message)| Broken { position, code, message })?;
            Ok((test, rule.negate))
        };
        Ok(Self(rules.iter().enumerate().map(ready).collect::<Result<_, _>>()?))
    }

    /// Whether an address belongs to it.
    #[must_use]
    pub fn holds(&self, address: Address<'_>) -> bool {
        let from_path = path_and_query(address.url);
        let (path, query) = from_path.split_once('?').unwrap_or((from_path, ""));
        // An address may come without its slash: `https://shop.example?a=1`.
        let path = if path.is_empty() { "/" } else { path };
        let fits = |test: &Test| match test {
            Test::Glob(pattern) => glob(pattern, path),
            Test::Regex(pattern) => pattern.is_match(from_path.as_bytes()),
            Test::Param { name, value } => url::form_urlencoded::parse(query.as_bytes())
                .any(|(own, has)| own == name.as_str() && value.as_ref().is_none_or(|value| has == value.as_str())),
            Test::Type(wanted) => address.content_type.is_some_and(|own| glob(wanted, own)),
        };
        // The last that fits decides, so that the others need not be asked.
        let decides = self.0.iter().rev().find(|(test, _)| fits(test)).map(|(_, negate)| !negate);
        decides.unwrap_or_else(|| self.0.first().is_some_and(|(_, negate)| *negate))
    }

    /// How many of the rules are expressions, which take the most to make ready.
    #[must_use]
    pub fn expressions(rules: &[Rule]) -> usize {
        rules.iter().filter(|rule| rule.kind == Match::Regex).count()
    }

    /// What it takes at most to ask about an address of so many bytes, in comparisons of a byte.
    #[must_use]
    pub fn work(&self, bytes: usize) -> u64 {
        let each = |(test, _): &(Test, bool)| if matches!(test, Test::Regex(_)) { EXPRESSION } else { 2 };
        self.0.iter().map(each).sum::<u64>() * (bytes as u64 + 8)
    }
}

fn test(rule: &Rule) -> Result<Test, (&'static str, &'static str)> {
    let value = rule.value.trim();
    if value.is_empty() || value.chars().count() > LONGEST {
        return Err(("rule_length", "the value of a rule has 1 to 300 characters"));
    }
    match rule.kind {
        Match::Glob => {
            if !value.starts_with(['/', '*']) {
                return Err(("glob_start", "a path glob begins with a slash or a star, such as /blog/*"));
            }
            if value.contains(['?', '#']) {
                return Err((
                    "glob_query",
                    "a path glob knows no query and no fragment; use `param` or `regex` for them",
                ));
            }
            let mut recoded = String::new();
            robots::address::recode(&encoded(value), &mut recoded);
            Ok(Test::Glob(recoded))
        }
        Match::Regex => {
            let built = RegexBuilder::new(value).unicode(false).size_limit(MOST_COMPILED).build();
            built.map(Test::Regex).map_err(|error| match error {
                regex::Error::CompiledTooBig(_) => ("regex_too_large", "this expression is too large; repeat less"),
                _ => ("wrong_regex", "this is not a regular expression of RE2's kind"),
            })
        }
        Match::Param => {
            let (name, value) = value.split_once('=').map_or((value, None), |(name, value)| (name, Some(value)));
            if name.is_empty() || name.contains(['?', '&', '#']) || value.is_some_and(|it| it.contains(['&', '#'])) {
                return Err(("wrong_param", "write one parameter as `name` or `name=value`, without ? and &"));
            }
            Ok(Test::Param { name: name.to_owned(), value: value.map(str::to_owned) })
        }
        Match::Type => {
            let value = value.to_ascii_lowercase();
            let named = |it: &str| {
                !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+*".contains(&byte))
            };
            if !value.split_once('/').is_some_and(|(kind, subtype)| named(kind) && named(subtype)) {
                return Err(("wrong_type", "write a media type without parameters, such as text/html or image/*"));
            }
            Ok(Test::Type(value))
        }
    }
}

/// As addresses have it: what is not ASCII, and spaces, in percent-encoding.
fn encoded(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut buffer = [0; 4];
    for letter in pattern.chars() {
        if letter.is_ascii_graphic() {
            out.push(letter);
        } else {
            for byte in letter.encode_utf8(&mut buffer).bytes() {
                out.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    out
}

/// Whether the whole text fits a pattern in which `*` is any run of characters. Takes time in the product of both lengths
/// at most: what stands between two stars is looked for once, at its first place.
#[must_use]
pub fn glob(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for part in middle.split('*') {
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests;
