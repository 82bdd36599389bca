//! The names in robots.txt by which search engines and AI companies are addressed, with what they say of themselves.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

/// What a robot of robots.txt comes for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Use {
    /// The index of a search engine.
    Search,
    /// The index that an assistant answers and cites from.
    AnswerSearch,
    /// A page that somebody asked an assistant about.
    AnswerUser,
    /// Material that models are trained with.
    Training,
    /// A switch for training that never comes by itself: another robot of the company fetches.
    TrainingToken,
    /// Landing pages of advertisements.
    Ads,
    /// A program that acts for somebody.
    Agent,
}

/// Whether a robot keeps to robots.txt, as its operator says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Obeys {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// Not where somebody asked for the page.
    Partly,
    /// Its operator does not say.
    Unknown,
}

/// A name in robots.txt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RobotsAgent {
    /// As it is written after `User-agent`.
    pub token: &'static str,
    /// Who runs it.
    pub company: &'static str,
    /// What it comes for.
    pub purpose: Use,
    /// Whether it keeps to robots.txt.
    pub obeys: Obeys,
    /// By what its addresses are known: `ranges`, `dns`, both, or `none`.
    pub verified_by: &'static str,
    /// What its operator says of it.
    pub documentation: &'static str,
}

/// All names, in the order of the table.
#[must_use]
pub fn agents() -> &'static [RobotsAgent] {
    static ALL: OnceLock<Vec<RobotsAgent>> = OnceLock::new();
    ALL.get_or_init(|| {
        let lines = include_str!("../data/agents.tsv").lines().filter(|line| !line.starts_with('#'));
        lines.filter_map(read).collect()
    })
}

fn read(line: &'static str) -> Option<RobotsAgent> {
    let mut parts = line.split('\t');
    let mut next = || parts.next().filter(|it| !it.is_empty());
    let (token, company) = (next()?, next()?);
    let purpose = match next()? {
        "search" => Use::Search,
        "answer_search" => Use::AnswerSearch,
        "answer_user" => Use::AnswerUser,
        "training" => Use::Training,
        "training_token" => Use::TrainingToken,
        "ads" => Use::Ads,
        "agent" => Use::Agent,
        _ => return None,
    };
    let obeys = match next()? {
        "yes" => Obeys::Yes,
        "no" => Obeys::No,
        "partly" => Obeys::Partly,
        "unknown" => Obeys::Unknown,
        _ => return None,
    };
    Some(RobotsAgent { token, company, purpose, obeys, verified_by: next()?, documentation: next()? })
}

#[cfg(test)]
mod tests {
    use super::{Use, agents};

    #[test]
    fn every_line_of_the_table_is_read_and_every_name_stands_once() {
        let lines = include_str!("../data/agents.tsv").lines().filter(|it| !it.starts_with('#')).count();
        assert_eq!(agents().len(), lines);
        let mut names: Vec<String> = agents().iter().map(|it| it.token.to_lowercase()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), lines);
        assert!(agents().iter().all(|it| it.documentation.starts_with("https://")));
    }

    #[test]
    fn a_switch_is_no_robot() {
        let tokens = agents().iter().filter(|it| it.purpose == Use::TrainingToken).map(|it| it.token);
        assert_eq!(tokens.collect::<Vec<_>>(), ["Google-Extended", "Applebot-Extended"]);
    }
}
