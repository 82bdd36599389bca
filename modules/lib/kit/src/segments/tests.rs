//! The rules of segments: what each kind sees, that order decides, and what holds for any rules at all.

use super::*;

fn rule(kind: Match, value: &str, negate: bool) -> Rule {
    Rule { kind, value: value.to_owned(), negate }
}

fn segment(rules: &[Rule]) -> Segment {
    Segment::new(rules).expect("rules that can be asked")
}

fn holds(rules: &[Rule], url: &str) -> bool {
    segment(rules).holds(Address { url, content_type: Some("text/html") })
}

fn broken(kind: Match, value: &str) -> &'static str {
    Segment::new(&[rule(kind, value, false)]).expect_err("a rule that cannot be asked").code
}

#[test]
fn a_glob_is_about_the_whole_path_and_not_the_query() {
    let blog = [rule(Match::Glob, "/blog/*", false)];
    assert!(holds(&blog, "https://shop.example/blog/2026/a?page=2"));
    assert!(!holds(&blog, "https://shop.example/en/blog/a"));
    assert!(!holds(&blog, "https://shop.example/?to=/blog/a"));
    let pdf = [rule(Match::Glob, "*.pdf", false)];
    assert!(holds(&pdf, "https://shop.example/a/b.pdf?x=1") && !holds(&pdf, "https://shop.example/b.pdf/c"));
    assert!(holds(&[rule(Match::Glob, "/", false)], "https://shop.example?a=1"));
    assert!(holds(&[rule(Match::Glob, "/bücher/*", false)], "https://shop.example/b%C3%BCcher/a"));
}

#[test]
fn an_expression_is_about_path_and_query_and_is_bounded() {
    let dated = [rule(Match::Regex, r"^/news/\d{4}/", false)];
    assert!(holds(&dated, "https://shop.example/news/2026/a") && !holds(&dated, "https://shop.example/a/news/2026/"));
    assert!(holds(&[rule(Match::Regex, "[?&]sort=", false)], "https://shop.example/a?sort=asc"));
    assert!(holds(&[rule(Match::Regex, r"(?i)^/NEWS/[\w-]+\.html$", false)], "https://shop.example/news/a-b.html"));
    assert_eq!(broken(Match::Regex, "(a"), "wrong_regex");
    assert_eq!(broken(Match::Regex, "(?=a)b"), "wrong_regex");
    assert_eq!(broken(Match::Regex, r"((\w{50}){50}){9}"), "regex_too_large");
}

#[test]
fn a_parameter_is_compared_decoded_and_whole() {
    let any = [rule(Match::Param, "utm source", false)];
    assert!(holds(&any, "https://shop.example/?utm+source=x") && holds(&any, "https://shop.example/?utm%20source"));
    assert!(!holds(&any, "https://shop.example/utm+source=x"));
    let one = [rule(Match::Param, "color=red", false)];
    assert!(holds(&one, "https://shop.example/?size=1&color=red"));
    assert!(!holds(&one, "https://shop.example/?color=reddish") && !holds(&one, "https://shop.example/?colors=red"));
    assert_eq!(broken(Match::Param, "a&b"), "wrong_param");
    assert_eq!(broken(Match::Param, "=1"), "wrong_param");
}

#[test]
fn a_type_that_is_not_known_fits_no_type() {
    let images = segment(&[rule(Match::Type, "Image/*", false)]);
    let of = |content_type| images.holds(Address { url: "/a", content_type });
    assert!(of(Some("image/png")) && !of(Some("text/html")) && !of(None));
    assert_eq!(broken(Match::Type, "html"), "wrong_type");
    assert_eq!(broken(Match::Type, "text/html; charset=utf-8"), "wrong_type");
}

#[test]
fn what_cannot_be_a_rule_is_refused_by_its_place() {
    assert_eq!(broken(Match::Glob, "blog/*"), "glob_start");
    assert_eq!(broken(Match::Glob, "/a?b=1"), "glob_query");
    assert_eq!(broken(Match::Glob, "  "), "rule_length");
    let second = Segment::new(&[rule(Match::Glob, "/a", false), rule(Match::Regex, "[", true)]).expect_err("broken");
    assert_eq!((second.position, second.code), (1, "wrong_regex"));
    let many = vec![rule(Match::Glob, "/a", false); MOST_RULES + 1];
    assert_eq!(Segment::new(&many).expect_err("too many").code, "rule_count");
    assert_eq!(Segment::new(&[]).expect_err("none").code, "rule_count");
}

#[test]
fn the_last_rule_that_fits_decides() {
    let mut rules = vec![
        rule(Match::Glob, "/shop/*", false),
        rule(Match::Glob, "/shop/sale/*", true),
        rule(Match::Param, "keep", false),
    ];
    assert!(holds(&rules, "/shop/lamps") && !holds(&rules, "/shop/sale/lamps"));
    assert!(holds(&rules, "/shop/sale/lamps?keep") && !holds(&rules, "/blog/a"));
    rules.swap(0, 1);
    // Begun with one that takes out, everything else is in.
    assert!(holds(&rules, "/blog/a") && holds(&rules, "/shop/sale/lamps"));
}

/// Marsaglia's xorshift: the same rules and addresses at every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).expect("below a usize")
    }

    fn text(&mut self, letters: &[u8], most: usize) -> String {
        let length = self.below(most + 1);
        (0..length).map(|_| char::from(letters[self.below(letters.len())])).collect()
    }

    fn url(&mut self) -> String {
        let path = self.text(b"ab/", 8);
        let query = self.text(b"ab=&", 5);
        if query.is_empty() { format!("https://x.example/{path}") } else { format!("https://x.example/{path}?{query}") }
    }

    fn rule(&mut self) -> Rule {
        let negate = self.below(2) == 0;
        match self.below(4) {
            0 => rule(Match::Glob, &format!("/{}", self.text(b"ab/*", 6)), negate),
            1 => rule(Match::Regex, &format!("{}.?{}", self.text(b"ab/", 2), self.text(b"ab", 2)), negate),
            2 => rule(Match::Param, ["a", "b", "a=b", "ab"][self.below(4)], negate),
            _ => rule(Match::Type, ["text/*", "text/html", "image/*"][self.below(3)], negate),
        }
    }

    fn rules(&mut self) -> Vec<Rule> {
        (0..=self.below(6)).map(|_| self.rule()).collect()
    }
}

#[test]
fn a_glob_fits_what_the_same_expression_fits() {
    let mut chance = Chance(11);
    let mut fitted = 0;
    for _ in 0..1_500 {
        let (pattern, text) = (chance.text(b"ab*", 6), chance.text(b"ab", 8));
        let expression = regex::Regex::new(&format!("^(?:{})$", pattern.replace('*', ".*"))).expect("an expression");
        assert_eq!(glob(&pattern, &text), expression.is_match(&text), "{pattern} {text}");
        fitted += u32::from(glob(&pattern, &text));
    }
    assert!(fitted > 60, "{fitted} say little about what fits");
}

#[test]
fn turning_every_rule_round_turns_every_verdict_round() {
    let mut chance = Chance(7);
    for _ in 0..3_000 {
        let rules = chance.rules();
        let turned: Vec<Rule> = rules.iter().map(|it| Rule { negate: !it.negate, ..it.clone() }).collect();
        let url = chance.url();
        assert_ne!(holds(&rules, &url), holds(&turned, &url), "{rules:?} {url}");
    }
}

#[test]
fn the_verdict_is_that_of_reading_every_rule_in_order() {
    let mut chance = Chance(5);
    for _ in 0..3_000 {
        let (rules, url) = (chance.rules(), chance.url());
        let mut expected = rules[0].negate;
        for rule in &rules {
            if holds(&[Rule { negate: false, ..rule.clone() }], &url) {
                expected = !rule.negate;
            }
        }
        assert_eq!(holds(&rules, &url), expected, "{rules:?} {url}");
    }
}

#[test]
fn a_rule_for_everything_at_the_end_decides_alone() {
    let mut chance = Chance(3);
    for _ in 0..1_000 {
        let (mut rules, url) = (chance.rules(), chance.url());
        let negate = chance.below(2) == 0;
        rules.push(rule(Match::Glob, "*", negate));
        assert_eq!(holds(&rules, &url), !negate, "{rules:?} {url}");
    }
}
