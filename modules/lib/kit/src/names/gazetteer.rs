//! Names that are known, and words that say what the name with them is.

use std::collections::HashMap;

use super::Kind;

/// One line for each kind, names between bars; `given` are first names.
const LIST: &str = include_str!("gazetteer.txt");

/// Words of a name that say what it is, in lower case.
const WORDS: &[(Kind, &[&str])] = &[
    (
        Kind::Organization,
        &[
            "ltd",
            "limited",
            "inc",
            "llc",
            "llp",
            "plc",
            "corp",
            "corporation",
            "company",
            "gmbh",
            "ag",
            "kg",
            "ohg",
            "ug",
            "se",
            "sa",
            "sas",
            "sarl",
            "srl",
            "spa",
            "bv",
            "nv",
            "oy",
            "ab",
            "aps",
            "university",
            "universität",
            "université",
            "universidad",
            "università",
            "college",
            "school",
            "institute",
            "institut",
            "instituto",
            "museum",
            "musée",
            "museo",
            "ministry",
            "ministerium",
            "department",
            "bank",
            "council",
            "association",
            "foundation",
            "stiftung",
            "verein",
            "agency",
            "authority",
            "commission",
            "committee",
            "society",
            "union",
            "group",
            "holding",
            "press",
            "verlag",
            "church",
            "hospital",
            "theatre",
            "federation",
            "verband",
            "club",
            "party",
        ],
    ),
    (
        Kind::Place,
        &[
            "street",
            "avenue",
            "road",
            "square",
            "river",
            "lake",
            "mount",
            "mountain",
            "mountains",
            "island",
            "islands",
            "bay",
            "sea",
            "ocean",
            "valley",
            "county",
            "city",
            "airport",
            "station",
            "park",
            "bridge",
            "castle",
            "cathedral",
            "straße",
            "platz",
            "see",
            "rue",
            "place",
            "lac",
            "calle",
            "plaza",
            "río",
            "via",
            "piazza",
            "lago",
        ],
    ),
    (
        Kind::Event,
        &[
            "conference",
            "festival",
            "fair",
            "messe",
            "olympics",
            "cup",
            "championship",
            "championships",
            "summit",
            "war",
            "revolution",
            "expo",
            "biennale",
            "prize",
            "award",
            "day",
            "week",
        ],
    ),
];

/// What stands before a person's name, in lower case without a full stop.
const TITLES: &[&str] = &[
    "mr",
    "mrs",
    "ms",
    "miss",
    "dr",
    "prof",
    "professor",
    "sir",
    "lady",
    "lord",
    "president",
    "herr",
    "frau",
    "m",
    "mme",
    "mlle",
    "monsieur",
    "madame",
    "señor",
    "señora",
    "sr",
    "sra",
    "don",
    "doña",
    "signor",
    "signora",
    "dhr",
    "mevr",
    "king",
    "queen",
    "saint",
    "st",
];

/// What is known of names.
pub(super) struct Gazetteer {
    names: HashMap<&'static str, Kind>,
    given: Vec<&'static str>,
}

impl Gazetteer {
    pub(super) fn new() -> Self {
        let (mut names, mut given) = (HashMap::new(), Vec::new());
        for (what, list) in LIST.lines().filter_map(|line| line.split_once(' ')) {
            match what {
                "place" => names.extend(list.split('|').map(|it| (it, Kind::Place))),
                "organization" => names.extend(list.split('|').map(|it| (it, Kind::Organization))),
                _ => given.extend(list.split('|')),
            }
        }
        Self { names, given }
    }

    pub(super) fn knows(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// Whether a word stands before persons.
    pub(super) fn is_title(word: &str) -> bool {
        TITLES.contains(&word.to_lowercase().trim_end_matches('.'))
    }

    /// What a name is, by the list, the words in it and the word before it.
    pub(super) fn kind(&self, name: &str, before: Option<&str>) -> Kind {
        if let Some(kind) = self.names.get(name) {
            return *kind;
        }
        if before.is_some_and(Self::is_title) {
            return Kind::Person;
        }
        let words: Vec<String> = name.split(' ').map(|it| it.trim_end_matches('.').to_lowercase()).collect();
        if words.len() > 1 {
            let says = |of: &[&str]| {
                let edge = [words.first(), words.last()];
                edge.into_iter().flatten().any(|it| of.contains(&it.as_str()))
            };
            if let Some((kind, _)) = WORDS.iter().find(|(_, of)| says(of)) {
                return *kind;
            }
            let first = name.split(' ').next().unwrap_or_default();
            if words.len() <= 4 && self.given.contains(&first) {
                return Kind::Person;
            }
        }
        if name.split(' ').next_back().is_some_and(|it| it.chars().any(|c| c.is_ascii_digit())) && words.len() > 1 {
            return Kind::Product;
        }
        Kind::Other
    }
}
