//! The table against user agents as they are, and against the calendar.

use bots::{AS_OF, Agent, Purpose, all, family, tell};

const CRAWLERS: &str = include_str!("../fixtures/crawlers.txt");
const BROWSERS: &str = include_str!("../fixtures/browsers.txt");

#[test]
fn crawlers_are_bots() {
    let all: Vec<&str> = CRAWLERS.lines().collect();
    let missed: Vec<&&str> = all.iter().filter(|agent| tell(agent) == Agent::Browser).collect();
    println!("{missed:#?}");
    assert!(missed.len() * 100 <= all.len(), "{} of {} are called browsers", missed.len(), all.len());
}

#[test]
fn browsers_of_people_are_none() {
    let wrong: Vec<_> = BROWSERS.lines().filter(|agent| tell(agent) != Agent::Browser).collect();
    assert!(wrong.is_empty(), "{} {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

#[test]
fn each_word_is_of_one_family_and_told_as_it() {
    let mut seen = std::collections::BTreeMap::new();
    for bot in all() {
        for word in &bot.words {
            assert_eq!(word.to_lowercase(), **word, "words are in lower case");
            assert_eq!(seen.insert(*word, bot.family), None, "{word} stands twice");
            let agent = format!("Mozilla/5.0 (compatible; {word}/1.0; +http://example.com/)");
            assert_eq!(tell(&agent), Agent::Known(bot), "{word}");
        }
        assert!(bot.lists.iter().all(|it| it.starts_with("https://")), "{}", bot.family);
    }
    assert!(seen.len() > 200, "{}", seen.len());
}

#[test]
fn a_word_within_a_longer_one_is_not_it() {
    let agent =
        "Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99 Safari/537.36";
    assert_eq!(tell(agent), Agent::Browser);
    assert_eq!(tell("Mozilla/5.0 (compatible; NotAGooglebotty/1.0)"), Agent::Unknown("NotAGooglebotty"));
    assert_eq!(tell("acme-sitechecker/2.1 (contact@example.com)"), Agent::Unknown("acme-sitechecker"));
    let Agent::Known(bot) =
        tell("Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)")
    else {
        panic!("the table knows it");
    };
    assert_eq!((bot.family, bot.purpose), ("gptbot", Purpose::AiTraining));
    assert_eq!(family("googlebot").map(|it| it.purpose), Some(Purpose::Search));
}

#[test]
fn no_part_of_an_agent_can_make_it_panic() {
    for agent in ["", "-", "é", "\u{1f600}bot", &"é".repeat(3_000), &"bot".repeat(5_000), "compatible;", "Mozilla/"] {
        let _ = tell(agent);
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the table ages by the calendar, whatever a test says")]
fn the_table_was_looked_over_in_the_last_180_days() {
    let days = |text: &str| {
        let mut parts = text.split('-').map(|it| it.parse::<i64>().expect("a number"));
        let mut next = || parts.next().expect("three parts");
        let (year, month, day) = (next(), next(), next());
        // Days from civil: months are counted from March.
        let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
        365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day
    };
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_secs();
    let today = i64::try_from(now / 86_400).expect("small") + days("1970-01-01");
    assert!(today - days(AS_OF) <= 180, "look the table of bots over and date it anew");
}
