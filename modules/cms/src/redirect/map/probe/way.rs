//! The way of an address: its redirects one by one, where it ends, and what of the old page stands there.

use std::collections::BTreeSet;

use kit::migration::SAMPLE;
use kit::outcome::Outcome;
use kit::page::PageFacts;
use kit::sketch::Sketch;
use sdk::Failure;
use sdk::prelude::*;
use site::live::{self, Reach};

use super::{Chosen, Hop, Kept, Problem};
use crate::redirect::map::{Row, rounded};

/// Redirects that are followed, as many as Google does.
const HOPS: usize = 10;
/// Bytes of a page that are read.
const BYTES: u32 = 512 << 10;

/// The way of an address: redirects, and the answer at its end; none where nobody knows.
#[derive(Default)]
pub(super) struct Way {
    pub(super) hops: Vec<Hop>,
    pub(super) at: String,
    pub(super) end: Option<Box<PageFacts>>,
    unasked: Option<&'static str>,
    circle: bool,
    /// Whether it leads on.
    open: bool,
}

/// Follows the addresses of a batch, all of them one redirect at a time; and how many seconds a host asked to be left alone.
pub(super) fn follow(cx: &Cx, batch: &[Chosen], asked: &mut usize) -> (Vec<Way>, Option<u32>) {
    let begin = |it: &Chosen| Way { at: it.row.from.clone(), open: true, ..Way::default() };
    let mut ways: Vec<Way> = batch.iter().map(begin).collect();
    let mut pause = None;
    for _ in 0..=HOPS {
        let open: Vec<usize> = (0..ways.len()).filter(|at| ways[*at].open).collect();
        let urls: Vec<Option<Url>> = open.iter().map(|at| ways[*at].at.parse().ok()).collect();
        let requests = urls.iter().flatten().map(|url| live::request(url, Reach::bytes(BYTES)).follow(0));
        *asked += open.len();
        let mut answers = cx.web().fetch_many(requests).into_iter();
        for (at, url) in open.into_iter().zip(urls) {
            let way = &mut ways[at];
            way.open = false;
            match url.and_then(|_| answers.next()) {
                None => way.unasked = Some("its address does not read"),
                Some(Err(Failure::Paced(seconds))) => {
                    way.unasked = Some("the website asked to be left alone");
                    pause = pause.max(Some(seconds));
                }
                Some(Err(Failure::Disallowed)) => way.unasked = Some("robots.txt forbids asking for it"),
                Some(Err(Failure::Refused)) => way.unasked = Some("it is not a public address"),
                Some(answer) => way.step(live::facts(&way.at, &answer)),
            }
        }
    }
    (ways, pause)
}

impl Way {
    /// Takes an answer: a redirect leads on, anything else ends the way.
    fn step(&mut self, facts: PageFacts) {
        let Some(to) = facts.redirect_to.clone() else {
            self.end = Some(Box::new(facts));
            return;
        };
        self.hops.push(Hop { url: self.at.clone(), status: facts.status });
        self.circle = to == self.at || self.hops.iter().any(|hop| hop.url == to);
        self.open = !self.circle;
        self.at = to;
    }

    /// Why nothing is known of it: it was not asked, or what answered keeps programs out, while people may see it.
    pub(super) fn unknown(&self) -> Option<&'static str> {
        let outcome = self.end.as_ref().map(|it| Outcome::of(it.status, it.failure.as_deref()));
        let blocked = matches!(outcome, Some(Outcome::Blocked | Outcome::NotAsked));
        self.unasked.or(blocked.then_some("what answered keeps programs out"))
    }

    /// What is wrong with it, beside where it should end; none when nothing is.
    pub(super) fn problem(&self, row: &Row, kept: Option<&Kept>) -> Option<Problem> {
        if self.circle {
            return Some(Problem::Loop);
        }
        let Some(end) = self.end.as_ref() else { return Some(Problem::TooManyHops) };
        let arrived = row.to.as_deref() == Some(self.at.as_str());
        let temporary = self.hops.iter().any(|hop| matches!(hop.status, 302 | 303 | 307));
        match end.status {
            0 => Some(Problem::NoAnswer),
            404 | 410 if self.hops.is_empty() => Some(Problem::NotFound),
            200 if self.hops.is_empty() => Some(Problem::NotRedirected),
            200 if !arrived => Some(Problem::WrongTarget),
            200 if end.is_html && !end.indexability.is_indexable() => Some(Problem::TargetNoindex),
            200 if self.hops.len() > 1 => Some(Problem::Chain),
            200 if temporary => Some(Problem::Temporary),
            200 => kept.filter(|it| it.is_another()).map(|_| Problem::ContentDiffers),
            _ => Some(Problem::TargetStatus),
        }
    }
}

impl Kept {
    /// Of an old page in what a new one says; none when the old page is not known.
    pub(super) fn of(row: &Row, facts: &PageFacts) -> Option<Self> {
        let words = |text: &str| kit::text::words(text).map(str::to_lowercase).collect::<BTreeSet<String>>();
        let (old, new) = (words(&row.title), words(facts.titles.first().map_or("", String::as_str)));
        #[expect(clippy::cast_precision_loss, reason = "words of titles")]
        let title =
            (!old.is_empty() && facts.is_html).then(|| old.intersection(&new).count() as f64 / old.len() as f64);
        let sample = |text: &str| Sketch::from_text(text).map(|it| it.smaller(SAMPLE));
        let text = sample(&row.sketch).zip(sample(&facts.sketch)).map(|(old, new)| old.similarity(&new));
        (title.is_some() || text.is_some()).then(|| Self { title: title.map(rounded), text: text.map(rounded) })
    }

    /// Whether the new page is about something else: nothing of the title, and next to nothing of the text.
    fn is_another(&self) -> bool {
        self.title == Some(0.0) && self.text.is_some_and(|it| it < 0.05)
    }
}
