//! The visible text of a page while it is collected, and which of it is the main text.

/// Which part of the page a run of text belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Part {
    /// Inside `<main>`.
    pub(super) main: bool,
    /// Inside the article of this number; 0 is none.
    pub(super) article: u16,
    /// Inside nav, header, aside or footer.
    pub(super) boilerplate: bool,
}

struct Run {
    end: usize,
    part: Part,
}

/// Visible text in document order; blocks are separated by line breaks.
#[derive(Default)]
pub(super) struct Content {
    text: String,
    runs: Vec<Run>,
}

impl Content {
    pub(super) fn push(&mut self, text: &str, part: Part) {
        self.text.push_str(text);
        match self.runs.last_mut() {
            Some(last) if last.part == part => last.end = self.text.len(),
            _ => self.runs.push(Run { end: self.text.len(), part }),
        }
    }

    /// A block begins or ends here.
    pub(super) fn block(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
            if let Some(last) = self.runs.last_mut() {
                last.end = self.text.len();
            }
        }
    }

    /// Where the next text will stand.
    pub(super) fn position(&self) -> usize {
        self.text.len()
    }

    pub(super) fn since(&self, position: usize) -> &str {
        self.text.get(position..).unwrap_or_default()
    }

    /// All of it.
    pub(super) fn whole(&self) -> &str {
        &self.text
    }

    /// The main text: of `<main>`, else of the only article, else of everything but boilerplate, else everything.
    pub(super) fn main(&self) -> String {
        let articles = self.runs.iter().map(|run| run.part.article).max().unwrap_or(0);
        let choices: [&dyn Fn(Part) -> bool; 3] = [
            &|part| part.main && !part.boilerplate,
            &|part| articles == 1 && part.article == 1 && !part.boilerplate,
            &|part| !part.boilerplate,
        ];
        for choice in choices {
            let text = self.chosen(choice);
            if !text.trim().is_empty() {
                return text;
            }
        }
        self.text.clone()
    }

    fn chosen(&self, choice: &dyn Fn(Part) -> bool) -> String {
        let mut out = String::new();
        let mut start = 0;
        for run in &self.runs {
            if choice(run.part) {
                out.push_str(&self.text[start..run.end]);
            } else if !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            start = run.end;
        }
        out
    }
}
