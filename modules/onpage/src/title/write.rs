//! Titles out of a page's own words, and how good a title is.

use std::collections::BTreeSet;

use kit::statistics::round;
use kit::terms::Analyzer;

use super::{Title, px};
use crate::content;
use crate::siblings::Row;
use crate::snippet::TITLE;
use crate::suggest::{Ground, capital};

/// Narrower titles leave most of their room unused, in pixels.
const NARROW: f64 = 250.0;

/// Titles made of the query, the main heading, sections, key phrases and the website's name. Nothing is added but signs.
pub(super) fn titles(ground: &Ground) -> Vec<String> {
    let page = ground.page;
    let heading = content::title(page);
    let lead = ground.lead.clone().unwrap_or_else(|| heading.clone());
    let sections: Vec<String> = page
        .facts
        .headings
        .iter()
        .filter(|it| it.level == 2)
        .map(|it| it.text.trim_end_matches('¶').trim().to_owned())
        .filter(|it| (3..=45).contains(&it.chars().count()) && ground.coverage(it) < 1.0)
        .take(4)
        .collect();
    let terms = terms(ground, &lead);
    let mut out = vec![heading.clone(), lead.clone()];
    if ground.place(&heading).is_none() {
        out.push(format!("{lead}: {heading}"));
    } else if ground.place(&heading) != Some(0) {
        out.push(format!("{lead} – {}", without(&heading, &lead)));
    }
    let present = content::without_brand(page.title());
    if ground.place(present).is_some_and(|it| it > 0) {
        out.push(format!("{lead} – {}", without(present, &lead)));
    }
    out.extend(sections.iter().map(|it| format!("{lead}: {it}")));
    out.extend(sections.windows(2).map(|it| format!("{lead}: {}, {}", it[0], it[1])));
    for many in (1..=terms.len().min(3)).rev() {
        out.push(format!("{lead}: {}", terms[..many].join(", ")));
    }
    let branded = |it: &String| ground.brand.as_ref().map(|brand| format!("{it} | {brand}"));
    let with_brand: Vec<String> = out.iter().filter_map(branded).collect();
    out.extend(with_brand);
    out
}

/// Key phrases that say more than the lead.
fn terms(ground: &Ground, lead: &str) -> Vec<String> {
    let analyzer = &ground.analyzer;
    let held: BTreeSet<String> = analyzer.stems(lead).into_iter().collect();
    let found = kit::keyphrase::without_parts(kit::keyphrase::phrases(&ground.page.text(), analyzer, 3));
    let mut found: Vec<_> = found.into_iter().filter(|it| it.count > 1).collect();
    found.retain(|it| !it.stems.iter().any(|stem| held.contains(stem)) && it.text.chars().count() >= 4);
    found.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.text.cmp(&b.text)));
    found.into_iter().map(|it| it.text).take(3).collect()
}

/// A text without the query in it and the signs that are left standing.
fn without(text: &str, lead: &str) -> String {
    let lower = text.to_lowercase();
    let rest = lower.find(&lead.to_lowercase()).and_then(|at| {
        let (before, after) = (text.get(..at)?, text.get(at + lead.len()..)?);
        Some(kit::text::collapse(&format!("{before} {after}")))
    });
    let rest = rest.unwrap_or_else(|| text.to_owned());
    capital(rest.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, ')' | '?' | '!')))
}

/// Judges titles for one page.
pub(super) struct Judge<'a> {
    ground: &'a Ground<'a>,
    siblings: Vec<(String, BTreeSet<String>)>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(ground: &'a Ground<'a>, rows: &[Row]) -> Self {
        let facts = &ground.page.facts;
        let other = |it: &&Row| it.url != facts.final_url && it.url != facts.url && !it.title.is_empty();
        let siblings = rows.iter().filter(other).map(|it| (it.title.to_lowercase(), bag(&ground.analyzer, &it.title)));
        Self { ground, siblings: siblings.collect() }
    }

    /// Titles that can be used, the best first, each once; and why the others cannot. Of a machine's texts more is asked.
    pub(super) fn rank(&self, texts: Vec<String>, of_machine: bool) -> (Vec<Title>, Vec<String>) {
        let (mut seen, mut left_out) = (BTreeSet::new(), Vec::new());
        let mut kept = Vec::new();
        for text in texts {
            let checked = if of_machine { self.ground.checked(&text) } else { Ok(kit::text::collapse(&text)) };
            match checked.and_then(|text| self.usable(text, &mut seen)) {
                Ok(text) => kept.push(self.title(&text)),
                Err(why) => left_out.push(why.to_owned()),
            }
        }
        kept.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.text.cmp(&b.text)));
        (kept, left_out)
    }

    fn usable(&self, text: String, seen: &mut BTreeSet<String>) -> Result<String, &'static str> {
        let lower = text.to_lowercase();
        if text.chars().count() < 3 {
            return Err("too_short");
        }
        if px(&text) > TITLE.desktop.1 {
            return Err("too_wide");
        }
        if self.siblings.iter().any(|it| it.0 == lower) {
            return Err("title_of_another_page");
        }
        if !seen.insert(lower) {
            return Err("twice");
        }
        Ok(text)
    }

    /// A title with its score: the query 40, the room 25, unlike siblings 20, the website's name 5, new 10.
    pub(super) fn title(&self, text: &str) -> Title {
        let ground = self.ground;
        let (wide, room) = (px(text), TITLE.desktop.1);
        let mut score = 0;
        let mut reasons = Vec::new();
        let mut add = |points: u32, reason: String| {
            score += points;
            reasons.push(reason);
        };
        match ground.place(text) {
            _ if ground.query.is_empty() => add(20, "no query was given".to_owned()),
            Some(0) => add(40, "leads with the query".to_owned()),
            Some(_) => add(28, "holds the query, but not first".to_owned()),
            None if ground.coverage(text) >= 1.0 => add(20, "holds the query's words apart".to_owned()),
            None => add(0, "does not hold the query".to_owned()),
        }
        if wide > room {
            add(0, format!("too wide: {wide:.0} of {room:.0} px"));
        } else if wide < NARROW {
            add(12, format!("leaves room unused: {wide:.0} of {room:.0} px"));
        } else {
            add(25, format!("fits: {wide:.0} of {room:.0} px"));
        }
        let own = bag(&ground.analyzer, text);
        let nearest = self.siblings.iter().map(|it| alike(&own, &it.1)).fold(0.0, f64::max);
        if self.siblings.is_empty() {
            add(10, "no other titles of the website are known".to_owned());
        } else if nearest >= 0.8 {
            add(0, "nearly the title of another page".to_owned());
        } else {
            add(if nearest >= 0.5 { 12 } else { 20 }, "differs from the website's other titles".to_owned());
        }
        if ground.brand.as_ref().is_some_and(|it| text.contains(it.as_str())) {
            add(5, "names the website".to_owned());
        }
        if text.eq_ignore_ascii_case(ground.page.title()) {
            add(0, "is the present title".to_owned());
        } else {
            add(10, "is new".to_owned());
        }
        Title { text: text.to_owned(), px: round(wide, 1), score, reasons }
    }
}

fn bag(analyzer: &Analyzer, title: &str) -> BTreeSet<String> {
    analyzer.stems(content::without_brand(title)).into_iter().collect()
}

/// Jaccard's index of two sets of stems.
#[expect(clippy::cast_precision_loss, reason = "a title has a handful of words")]
fn alike(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let both = a.intersection(b).count();
    both as f64 / (a.len() + b.len() - both).max(1) as f64
}
