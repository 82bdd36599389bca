//! Goals in users' words, and how often the search finds what they mean: among the operations that are served, and among
//! all of the product, the missing ones as the catalog's table lists them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use model::contract::Contract;
use serde_json::{Map, Value, json};
use service::capabilities::search::{Goal, Index};

/// What somebody wants, and which operations would be right.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// In the words of a user.
    pub goal: String,
    /// Any of them is right.
    pub expected: Vec<String>,
}

/// The half that may be read, or the one that is only counted: `tuning`, `report`.
///
/// # Panics
/// When the file is not there or has other columns.
pub fn goals(half: &str) -> Vec<Wanted> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("search").join(format!("{half}.tsv"));
    let text = std::fs::read_to_string(path).expect("the goals");
    let wanted = |line: &str| {
        let mut cells = line.split('\t');
        let goal = cells.next()?.to_owned();
        Some(Wanted { goal, expected: cells.next()?.split('|').map(str::to_owned).collect() })
    };
    text.lines().skip(1).map(|line| wanted(line).expect("a goal and what is expected")).collect()
}

/// The goals of a file whose last column is the language that they are in.
///
/// # Panics
/// As [`goals`].
pub fn by_language(file: &str) -> BTreeMap<String, Vec<Wanted>> {
    let mut found: BTreeMap<String, Vec<Wanted>> = BTreeMap::new();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("search").join(format!("{file}.tsv"));
    let text = std::fs::read_to_string(path).expect("the goals");
    for (line, wanted) in text.lines().skip(1).zip(goals(file)) {
        let language = line.rsplit('\t').next().expect("a language");
        found.entry(language.to_owned()).or_default().push(wanted);
    }
    found
}

/// Each goal with a slip in one of its longer words, in as many ways as there are kinds of slip: a letter left out, doubled,
/// changed for its neighbour on the keyboard, or in the place of the next.
pub fn misspelt(goals: &[Wanted]) -> Vec<Wanted> {
    let slips: [fn(&mut Vec<char>, usize); 4] = [
        |word, at| {
            word.remove(at);
        },
        |word, at| word.insert(at, word[at]),
        |word, at| word[at] = beside(word[at]),
        |word, at| word.swap(at, at + 1),
    ];
    let mut out = Vec::new();
    for (number, wanted) in goals.iter().enumerate() {
        let words: Vec<&str> = wanted.goal.split(' ').collect();
        let longer = |word: &&str| word.len() >= 5 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let places: Vec<usize> = (0..words.len()).filter(|at| longer(&words[*at])).collect();
        for (kind, slip) in slips.iter().enumerate() {
            let Some(place) = places.get((number + kind) % places.len().max(1)) else { continue };
            let mut word: Vec<char> = words[*place].chars().collect();
            // Within the word, a different letter for each goal.
            let at = 1 + (number * 7 + kind * 3) % (word.len() - 2);
            slip(&mut word, at);
            let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            words[*place] = word.into_iter().collect();
            out.push(Wanted { goal: words.join(" "), expected: wanted.expected.clone() });
        }
    }
    out
}

/// The next key on the right, or on the left at the end of a row.
fn beside(letter: char) -> char {
    const ROWS: &str = "qwertyuiop asdfghjkl zxcvbnm";
    let at = ROWS.find(letter.to_ascii_lowercase());
    let next = |at: usize| ROWS[at + 1..].chars().next().filter(|it| *it != ' ');
    at.and_then(|at| next(at).or_else(|| ROWS[..at].chars().next_back())).unwrap_or('x')
}

/// All operations of the product: those of these contracts, and the others as far as the table tells, without phrasings.
///
/// # Panics
/// When the table is not as it is known.
pub fn whole(served: &[Arc<Contract>]) -> Vec<Arc<Contract>> {
    let mut all: BTreeMap<String, Arc<Contract>> =
        served.iter().map(|contract| (contract.id.clone(), contract.clone())).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").join("catalog/operations.tsv");
    for line in std::fs::read_to_string(path).expect("the table").lines().skip(1) {
        let row: Vec<&str> = line.split('\t').collect();
        let [id, _, kind, mode, _, _, _, _, summary, arguments, _, result] = row[..] else {
            panic!("{line}: twelve columns")
        };
        if !all.contains_key(id) {
            all.insert(id.to_owned(), Arc::new(listed(id, (kind, mode), summary, arguments, result)));
        }
    }
    all.into_values().collect()
}

fn listed(id: &str, (kind, mode): (&str, &str), summary: &str, arguments: &str, result: &str) -> Contract {
    let properties: Map<String, Value> = arguments
        .split(", ")
        .filter_map(|argument| argument.split_once(':'))
        .map(|(name, words)| (name.to_owned(), json!({ "description": words.replace('|', " ") })))
        .collect();
    let contract = json!({
        "id": id, "export": id.replace(['.', '_'], "-"), "kind": kind, "mode": mode, "scopes": [], "summary": summary,
        "cost": { "class": "list", "base": 1 },
        "arguments": { "type": "object", "properties": properties },
        "result": { "type": "object", "description": result },
    });
    serde_json::from_value(contract).expect("a contract")
}

/// How good the search is on some goals.
#[derive(Clone, Copy, Debug)]
pub struct Quality {
    /// How many goals were asked.
    pub asked: usize,
    /// The share whose operation came first.
    pub first: f64,
    /// The share whose operation was among the first five.
    pub among_five: f64,
    /// The mean of one divided by its place.
    pub reciprocal: f64,
}

impl Quality {
    /// Asks each goal whose operation there is.
    pub fn of(contracts: &[Arc<Contract>], goals: &[Wanted]) -> Self {
        let index = Index::new(contracts.iter().cloned());
        let ids: BTreeSet<&str> = contracts.iter().map(|contract| contract.id.as_str()).collect();
        let places: Vec<Option<usize>> = goals
            .iter()
            .filter(|wanted| wanted.expected.iter().any(|id| ids.contains(id.as_str())))
            .map(|wanted| {
                let found = index.find(&Goal { query: Some(query(&wanted.goal)), ..Goal::default() });
                found.results.iter().position(|hit| wanted.expected.contains(&hit.contract.id))
            })
            .collect();
        let asked = places.len();
        let share = |count: usize| count as f64 / asked.max(1) as f64;
        let within = |most: usize| places.iter().flatten().filter(|place| **place < most).count();
        let sum: f64 = places.iter().flatten().map(|place| 1.0 / (*place as f64 + 1.0)).sum();
        Self { asked, first: share(within(1)), among_five: share(within(5)), reciprocal: sum / asked.max(1) as f64 }
    }

    /// The goals whose operation does not come first: what was wanted, and what came.
    pub fn misses(contracts: &[Arc<Contract>], goals: &[Wanted]) -> String {
        let index = Index::new(contracts.iter().cloned());
        let ids: BTreeSet<&str> = contracts.iter().map(|contract| contract.id.as_str()).collect();
        let mut misses = String::new();
        for wanted in goals.iter().filter(|wanted| wanted.expected.iter().any(|id| ids.contains(id.as_str()))) {
            let found = index.find(&Goal { query: Some(query(&wanted.goal)), ..Goal::default() });
            let came: Vec<&str> = found.results.iter().take(5).map(|hit| hit.contract.id.as_str()).collect();
            if came.first().is_none_or(|first| !wanted.expected.iter().any(|id| id == first)) {
                misses.push_str(&format!(
                    "{}\n  wanted {}\n  came   {}\n",
                    wanted.goal,
                    wanted.expected.join(" | "),
                    came.join(" ")
                ));
            }
        }
        misses
    }

    /// One line of a report.
    pub fn line(&self, name: &str) -> String {
        format!(
            "{name:<44} {:>4} goals  hit@1 {:.3}  hit@5 {:.3}  MRR {:.3}",
            self.asked, self.first, self.among_five, self.reciprocal
        )
    }
}

/// A goal as a search takes it: 160 characters at most.
pub fn query(goal: &str) -> String {
    goal.chars().take(160).collect()
}
