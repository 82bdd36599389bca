//! Which family a user agent claims to be.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use crate::{Bot, all};

/// Bytes of a user agent that are looked at.
const LOOKED_AT: usize = 1_024;
/// Characters of the name of an unknown bot.
const NAME: usize = 40;

/// Words of user agents that no browser has; `-` after a word asks that it is a whole word.
const WORDS: [&str; 74] = [
    "crawl",
    "spider",
    "scrap",
    "slurp",
    "archiv",
    "http://",
    "https://",
    "www.",
    "fetch",
    "feed",
    "rss",
    "monitor",
    "uptime",
    "check",
    "preview",
    "valid",
    "scan",
    "index",
    "search",
    "analy",
    "agent",
    "client-",
    "library",
    "libwww",
    "curl",
    "wget",
    "httpie",
    "httpx",
    "perl",
    "lighthouse",
    "headless",
    "phantom",
    "selenium",
    "probe",
    "verif",
    "download",
    "sniff",
    "audit",
    "harvest",
    "extract",
    "survey",
    "research",
    "grab",
    "ping-",
    "link-",
    "proxy",
    "url-",
    "seo-",
    "test-",
    "image-",
    "bots-",
    "sitemap",
    "insight",
    "inspector",
    "synthetic",
    "finder",
    "favicon",
    "google-",
    "-user/",
    "-google",
    "ptst/",
    "gtmetrix",
    "dareboost",
    "hardenize",
    "silktide",
    "watcher",
    "robot",
    "datanyze",
    "collapsify",
    "linktiger",
    "newsnow",
    "securityheaders",
    "foregenix",
    "watchtowr",
];
/// What ends the name of a website.
const ENDINGS: [&str; 8] = [".com", ".io", ".net", ".org", ".dev", ".ai", ".co", ".fr"];
/// What the engines of browsers are called.
const ENGINES: [&str; 12] = [
    "applewebkit",
    "gecko",
    "trident",
    "msie",
    "presto",
    "khtml",
    "opera",
    "netfront",
    "kindle",
    "webkit",
    "netscape",
    "konqueror",
];

/// Whose user agent it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent<'a> {
    /// One of the table.
    Known(&'static Bot),
    /// None of the table, and no browser: its name, as it stands there.
    Unknown(&'a str),
    /// A browser, or what looks like one.
    Browser,
}

/// Whose user agent this is. Of the words of the table the longest that it has decides.
#[must_use]
pub fn tell(agent: &str) -> Agent<'_> {
    let end = (0..=agent.len().min(LOOKED_AT)).rev().find(|at| agent.is_char_boundary(*at)).unwrap_or(0);
    let agent = &agent[..end];
    let agent = agent.trim_matches(['"', ' ']);
    let lower = agent.to_ascii_lowercase();
    if let Some(bot) = known(&lower) {
        return Agent::Known(bot);
    }
    if is_bot(&lower) { Agent::Unknown(name(agent)) } else { Agent::Browser }
}

fn known(lower: &str) -> Option<&'static Bot> {
    static WORDS: OnceLock<Option<(AhoCorasick, Vec<&'static Bot>)>> = OnceLock::new();
    let words = WORDS.get_or_init(|| {
        let words: Vec<_> = all().iter().flat_map(|bot| bot.words.iter().map(move |word| (*word, bot))).collect();
        let automaton = AhoCorasick::new(words.iter().map(|(word, _)| *word)).ok()?;
        Some((automaton, words.into_iter().map(|(_, bot)| bot).collect()))
    });
    let (automaton, bots) = words.as_ref()?;
    let whole = automaton.find_overlapping_iter(lower).filter(|it| is_whole(lower, it.start(), it.end()));
    // Of several of the same length the first one.
    let longest = whole.reduce(|best, it| if it.len() > best.len() { it } else { best })?;
    bots.get(longest.pattern().as_usize()).copied()
}

/// Whether a text has a word that is not part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| is_whole(text, at, at + word.len()))
}

fn is_whole(text: &str, start: usize, end: usize) -> bool {
    let bytes = text.as_bytes();
    let before = start.checked_sub(1).map(|it| bytes[it]);
    let after = bytes.get(end);
    !before.is_some_and(|it| it.is_ascii_alphanumeric()) && !after.is_some_and(u8::is_ascii_alphabetic)
}

/// Whether a user agent that the table does not know is no browser's.
fn is_bot(lower: &str) -> bool {
    if lower.trim().is_empty() || lower == "-" {
        return true;
    }
    let browser = (lower.starts_with("mozilla/") || lower.starts_with("opera/"))
        && (ENGINES.iter().any(|engine| lower.contains(engine)));
    if !browser {
        return true;
    }
    let bot = lower.match_indices("bot").any(|(at, _)| {
        // A maker of telephones ends in it.
        !lower[..at].ends_with("cu") && !lower[at + 3..].starts_with(|it: char| it.is_ascii_alphabetic())
    });
    let site = |ending: &str| {
        let mut found = lower.match_indices(ending);
        found.any(|(at, _)| !lower[at + ending.len()..].starts_with(|it: char| it.is_ascii_alphanumeric() || it == '.'))
    };
    bot || ENDINGS.iter().any(|ending| site(ending))
        || WORDS.iter().any(|word| match word.strip_suffix('-') {
            Some(word) => has_word(lower, word),
            None => lower.contains(word),
        })
}

/// The name of an unknown bot: the product that speaks of itself after `compatible;`, or the first product.
fn name(agent: &str) -> &str {
    let after = agent.split_once("compatible;").map(|(_, rest)| rest.trim_start());
    let own = after.filter(|it| !it.starts_with("MSIE")).unwrap_or(agent).trim();
    let own = if own.starts_with("Mozilla/") { marked(own).unwrap_or(own) } else { own };
    let end = own.find(['/', ';', '(', ')', ',', '"']).unwrap_or(own.len());
    let own = own[..end].trim();
    match own.char_indices().nth(NAME) {
        Some((at, _)) => &own[..at],
        None => own,
    }
}

/// The product of a user agent that has the word of a bot.
fn marked(agent: &str) -> Option<&str> {
    agent.split([' ', ';', '(', ')', '+']).find(|part| {
        let lower = part.to_ascii_lowercase();
        !lower.starts_with("http") && ["bot", "crawl", "spider", "fetch", "monitor"].iter().any(|it| lower.contains(it))
    })
}
