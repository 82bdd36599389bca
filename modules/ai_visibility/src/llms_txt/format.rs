//! The format of llms.txt: a title, a summary, text, and sections of described links.
//!
//! Source: llmstxt.org; the parser `llms-txt` 0.0.7 (PyPI), whose structure this gives for files that it takes. It refuses a file
//! without a title and one with a line in a section that is no link; here each of these has its line.

/// A link of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) line: u32,
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) description: Option<String>,
}

/// A section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) line: u32,
    pub(crate) title: String,
    pub(crate) links: Vec<Link>,
}

/// A file as it is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) title: Option<String>,
    pub(crate) summary: Option<String>,
    pub(crate) sections: Vec<Section>,
    /// What is wrong: a code, the line, and what to do.
    pub(crate) faults: Vec<(&'static str, u32, String)>,
}

impl File {
    /// Reads a text.
    pub(crate) fn read(text: &str) -> Self {
        let mut out = Self::default();
        let mut fault = |code: &'static str, line: u32, what: &str| out.faults.push((code, line, what.to_owned()));
        let (mut in_code, mut sections, mut title, mut summary) = (false, Vec::<Section>::new(), None, None);
        let mut last = 0;
        for (number, line) in (1_u32..).zip(text.trim_start_matches('\u{feff}').lines()) {
            last = number;
            let bare = line.trim_end();
            if bare.trim_start().starts_with("```") {
                in_code = !in_code;
                continue;
            }
            if in_code || bare.trim().is_empty() {
                continue;
            }
            let heading = level(bare);
            match (heading, title.is_some()) {
                (Some((1, words)), false) => title = Some(words.to_owned()),
                (Some((1, _)), true) => fault("second_title", number, "there is one title; begin a section with ##"),
                (Some((2, words)), true) => {
                    sections.push(Section { line: number, title: words.to_owned(), links: Vec::new() })
                }
                (Some((2, words)), false) => {
                    fault("no_title", number, "a section stands before the title; begin the file with # and the name");
                    title = Some(String::new());
                    sections.push(Section { line: number, title: words.to_owned(), links: Vec::new() });
                }
                (Some(_), _) => {
                    fault("deep_heading", number, "only # for the title and ## for sections have a meaning")
                }
                (None, false) => {
                    fault("text_before_title", number, "the file begins with # and the name");
                    title = Some(String::new());
                }
                (None, true) => match sections.last_mut() {
                    Some(section) => match link(bare, number) {
                        Some(link) => section.links.push(link),
                        None => fault("not_a_link", number, "a line of a section is `- [title](url): description`"),
                    },
                    None if bare.starts_with('>') && summary.is_none() => {
                        summary = Some(bare.trim_start_matches('>').trim().to_owned());
                    }
                    None => {}
                },
            }
        }
        if title.as_deref().is_none_or(str::is_empty)
            && out.faults.iter().all(|it| it.0 != "no_title" && it.0 != "text_before_title")
        {
            out.faults.push((
                "no_title",
                last.max(1),
                "the file has no title; begin it with # and the name".to_owned(),
            ));
        }
        for section in sections.iter().filter(|it| it.links.is_empty()) {
            out.faults.push(("empty_section", section.line, format!("the section `{}` has no link", section.title)));
        }
        (out.title, out.summary, out.sections) = (title.filter(|it| !it.is_empty()), summary, sections);
        out
    }

    /// All links, in order.
    pub(crate) fn links(&self) -> impl Iterator<Item = &Link> {
        self.sections.iter().flat_map(|it| &it.links)
    }
}

/// The level and the words of a heading.
fn level(line: &str) -> Option<(usize, &str)> {
    let marks = line.bytes().take_while(|it| *it == b'#').count();
    let words = line.get(marks..)?;
    let is_heading = (1..=6).contains(&marks) && (words.starts_with([' ', '\t']) || (marks <= 2 && !words.is_empty()));
    is_heading.then(|| (marks, words.trim()))
}

/// `- [title](url): description`.
fn link(line: &str, number: u32) -> Option<Link> {
    let at = line.find('-').or_else(|| line.find('*'))?;
    let rest = line[at + 1..].trim_start();
    let (title, rest) = rest.strip_prefix('[')?.split_once("](")?;
    let (url, rest) = rest.split_once(')')?;
    let description = rest.strip_prefix(':').map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
    let is_whole = !title.trim().is_empty() && !url.trim().is_empty();
    is_whole.then(|| Link { line: number, title: title.trim().to_owned(), url: url.trim().to_owned(), description })
}

/// Words as they can stand in a link's title or a heading.
pub(crate) fn escaped(text: &str) -> String {
    kit::text::collapse(&text.replace('[', "(").replace(']', ")"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_with_its_sections_and_links() {
        let file = File::read(
            "# Lamp Shop\n\n> Lamps for reading.\n\nWe sell lamps.\n\n## Guides\n\n- [Light](https://shop.example/light): How much light.\n- [Care](https://shop.example/care)\n\n## Optional\n- [Press](https://shop.example/press)\n",
        );
        assert_eq!((file.title.as_deref(), file.summary.as_deref()), (Some("Lamp Shop"), Some("Lamps for reading.")));
        assert_eq!(
            file.sections.iter().map(|it| (it.title.as_str(), it.links.len())).collect::<Vec<_>>(),
            [("Guides", 2), ("Optional", 1)]
        );
        assert_eq!(file.sections[0].links[0].description.as_deref(), Some("How much light."));
        assert_eq!(file.faults, []);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let codes = |text: &str| File::read(text).faults.into_iter().map(|it| (it.0, it.1)).collect::<Vec<_>>();
        assert_eq!(codes(""), [("no_title", 1)]);
        assert_eq!(codes("Hello\n"), [("text_before_title", 1)]);
        assert_eq!(codes("# A\n\n## B\nno link\n- [x](https://a.example/)\n"), [("not_a_link", 4)]);
        assert_eq!(codes("# A\n# B\n"), [("second_title", 2)]);
        assert_eq!(codes("# A\n\n## B\n"), [("empty_section", 3)]);
        assert_eq!(codes("# A\n\n### C\n"), [("deep_heading", 3)]);
        assert_eq!(codes("# A\n```\n## not a section\n```\n"), []);
    }

    #[test]
    fn the_structure_is_that_of_the_reference_parser() {
        // `tests/references/ai_visibility/llms_txt.py` writes the file: llms-txt 0.0.7 over the texts of the demo shop and broken ones.
        let rows = include_str!("reference.jsonl").lines();
        let mut taken = 0;
        for row in rows.map(|it| sdk::serde_json::from_str::<sdk::serde_json::Value>(it).unwrap()) {
            let file = File::read(row["text"].as_str().unwrap());
            let Some(wanted) = row["parsed"].as_object() else {
                assert!(!file.faults.is_empty(), "the reference refuses {row}");
                continue;
            };
            taken += 1;
            assert_eq!(file.title.as_deref(), wanted["title"].as_str(), "{row}");
            let sections: Vec<(String, Vec<String>)> = file
                .sections
                .iter()
                .map(|it| (it.title.clone(), it.links.iter().map(|link| link.url.clone()).collect()))
                .collect();
            let wanted: Vec<(String, Vec<String>)> = sdk::serde_json::from_value(wanted["sections"].clone()).unwrap();
            assert_eq!(sections, wanted, "{row}");
        }
        assert!(taken >= 20, "{taken}");
    }
}
