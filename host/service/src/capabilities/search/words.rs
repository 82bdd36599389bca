//! Words of goals and contracts: split, stemmed lightly, and joined with what the trade calls the same.

use std::collections::HashSet;
use std::sync::LazyLock;

use model::contract::Kind;

/// Words that say nothing about a goal.
static STOP: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "all a about across almost also am an and any anybody are as asked at away be been behind being but by called \
     can could did do does doing done each else ever every everything few for from full gets getting give \
     gives go goes going good had has have having help her here him his how i if im in into is it its just \
     keep last left let like made makes many me month more most much must my need needs next no not now of \
     off often old on one ones only or other our out over own people per person please put quickly real \
     really right should so some something still such take tell than thanks that the their them then there \
     these they thing things this those three through time to today together too try two under until up us \
     use using very via want wants was way we week were what when where whether which while who whose why \
     will wish with without would year you your"
        .split_whitespace()
        .collect()
});

/// Words of the trade that mean the same; a word in a row stands for the others of the row.
const SYNONYMS: &[&[&str]] = &[
    &["website", "site", "domain", "property"],
    &["page", "url", "address"],
    &["link", "backlink"],
    &["keyword", "query", "term", "phrase"],
    &["ranking", "rank", "position", "serp"],
    &["serp", "result"],
    &["audit", "check", "inspect", "review", "analyze"],
    &["analyze", "analysis", "report", "insight"],
    &["issue", "problem", "error", "finding", "fault", "broken"],
    &["author", "writer", "persona", "byline"],
    &["article", "post", "content", "blog", "text"],
    &["email", "mail", "message", "outreach"],
    &["list", "show", "see", "view", "all", "browse"],
    &["get", "read", "show", "fetch", "detail", "look"],
    &["create", "add", "new", "make", "register"],
    &["generate", "write", "draft", "compose"],
    &["delete", "remove", "erase", "drop", "purge"],
    &["update", "change", "edit", "modify", "set", "rename"],
    &["start", "run", "launch", "begin", "execute", "trigger"],
    &["stop", "cancel", "abort", "halt", "end", "pause"],
    &["quote", "price", "cost", "estimate"],
    &["credit", "balance", "budget", "spend", "point"],
    &["invoice", "bill", "billing", "receipt"],
    &["competitor", "rival", "competition"],
    &["traffic", "visit", "visitor", "click", "session"],
    &["speed", "vital", "slow", "fast", "cwv", "crux", "lcp", "cls", "inp"],
    &["redirect", "301", "302"],
    &["broken", "404", "dead"],
    &["sitemap", "xml"],
    &["robots", "crawl", "crawler", "spider"],
    &["googlebot", "bot", "crawler", "visit"],
    &["down", "uptime", "outage", "offline", "available"],
    &["track", "tracker", "monitor"],
    &["schema", "structured", "markup", "jsonld", "rich"],
    &["undo", "rollback", "revert", "restore"],
    &["forbid", "block", "disallow"],
    &["trust", "trustworthy", "credible", "eeat"],
    &["local", "map", "gmb", "gbp", "business", "maps"],
    &["ai", "llm", "chatgpt", "assistant", "geo"],
    &["mention", "citation", "brand"],
    &["alert", "notify", "notification", "monitor", "watch"],
    &["schedule", "calendar", "recurring", "weekly", "daily", "plan"],
    &["export", "download", "csv", "file"],
    &["import", "upload"],
    &["connect", "connection", "integration", "link"],
    &["title", "meta", "description", "snippet"],
    &["translate", "translation", "language", "hreflang", "international"],
    &["image", "picture", "photo", "alt"],
    &["index", "indexed", "indexing", "indexation"],
    &["campaign", "boost", "promotion"],
    &["viral", "social", "share"],
    &["grant", "app", "client", "token", "access"],
    &["job", "task", "progress", "status"],
    &["dns", "nameserver", "record"],
    &["customer", "lead", "contact", "prospect"],
    &["duplicate", "cannibalization", "overlap", "same"],
    &["internal", "inlink", "anchor"],
];

/// One word of a goal.
pub(super) struct Term {
    pub(super) stem: String,
    pub(super) synonyms: Vec<String>,
    /// As the caller wrote it.
    pub(super) shown: String,
}

/// The content words of a goal, each once. A goal of nothing but stop words keeps them all.
pub(super) fn terms(query: &str) -> Vec<Term> {
    let all: Vec<String> = split(query).collect();
    let mut kept: Vec<&String> = all.iter().filter(|word| !STOP.contains(word.as_str())).collect();
    if kept.is_empty() {
        kept = all.iter().collect();
    }
    let mut terms: Vec<Term> = Vec::with_capacity(kept.len());
    for word in kept {
        let stem = stem(word);
        if terms.iter().all(|term| term.stem != stem) {
            terms.push(Term { synonyms: synonyms(&stem), stem, shown: word.clone() });
        }
    }
    terms
}

/// The stems of a text, stop words left out, repetitions kept.
pub(super) fn stems(text: &str) -> impl Iterator<Item = String> + '_ {
    split(text).filter(|word| !STOP.contains(word.as_str())).map(|word| stem(&word))
}

/// The kind of work that the first verb of a goal names.
pub(super) fn kind_of_verb(query: &str) -> Option<Kind> {
    split(query).find_map(|word| match stem(&word).as_str() {
        "list" | "show" | "see" | "view" | "get" | "read" | "find" | "which" | "compare" | "check" | "look" => {
            Some(Kind::Read)
        }
        "add" | "edit" | "updat" | "chang" | "set" | "renam" | "publish" | "connect" => Some(Kind::Write),
        "start" | "run" | "launch" | "generat" | "send" | "schedul" => Some(Kind::Job),
        "delet" | "remov" | "stop" | "cancel" | "eras" | "disconnect" | "revok" => Some(Kind::Destructive),
        _ => None,
    })
}

fn split(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

fn synonyms(stemmed: &str) -> Vec<String> {
    let mut found = Vec::new();
    for row in SYNONYMS.iter().filter(|row| row.iter().any(|word| stem(word) == stemmed)) {
        for word in row.iter().map(|word| stem(word)) {
            if word != stemmed && !found.contains(&word) {
                found.push(word);
            }
        }
    }
    found
}

/// Takes common English endings off, so that `listing`, `lists` and `listed` are one word. It need not be a
/// word that exists; it must only be the same for both sides.
fn stem(word: &str) -> String {
    if !word.is_ascii() || word.len() <= 3 {
        return word.to_owned();
    }
    let mut word = word.to_owned();
    for (ending, instead, least) in ENDINGS {
        if let Some(base) = word.strip_suffix(ending)
            && base.len() >= *least
        {
            word = format!("{base}{instead}");
            break;
        }
    }
    let undoubled = word.len() > 4 && {
        let bytes = word.as_bytes();
        let last = bytes[bytes.len() - 1];
        last == bytes[bytes.len() - 2] && !b"aeiouls".contains(&last)
    };
    if undoubled {
        word.pop();
    }
    if word.len() > 3 && word.ends_with('e') {
        word.pop();
    }
    word
}

/// Endings in the order they are tried, what stands in their place, and the least length of what is before.
const ENDINGS: &[(&str, &str, usize)] = &[
    ("isations", "iz", 3),
    ("izations", "iz", 3),
    ("isation", "iz", 3),
    ("ization", "iz", 3),
    ("ising", "iz", 4),
    ("izing", "iz", 3),
    ("ised", "iz", 4),
    ("ized", "iz", 3),
    ("ises", "iz", 5),
    ("izes", "iz", 3),
    ("ise", "iz", 5),
    ("ize", "iz", 3),
    ("yses", "yz", 3),
    ("ysis", "yz", 3),
    ("ysing", "yz", 3),
    ("yzing", "yz", 3),
    ("ysed", "yz", 3),
    ("yzed", "yz", 3),
    ("yse", "yz", 3),
    ("yze", "yz", 3),
    ("ations", "at", 3),
    ("ation", "at", 3),
    ("ating", "at", 3),
    ("ated", "at", 3),
    ("ates", "at", 3),
    ("ate", "at", 3),
    ("ions", "", 4),
    ("ion", "", 4),
    ("ings", "", 3),
    ("ing", "", 3),
    ("ments", "", 4),
    ("ment", "", 4),
    ("ies", "y", 2),
    ("ied", "y", 2),
    ("sses", "ss", 2),
    ("ches", "ch", 2),
    ("shes", "sh", 2),
    ("xes", "x", 2),
    ("ers", "er", 3),
    ("ed", "", 3),
    ("ly", "", 4),
    ("ss", "ss", 1),
    ("us", "us", 1),
    ("s", "", 3),
];
