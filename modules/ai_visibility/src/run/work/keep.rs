//! Stores answers: the text, what was read of it, its sources, and what it took.

use sdk::prelude::*;
use sdk::{Answered, Prices};

use super::Work;
use crate::brand::reading::Reader;
use crate::run::sources::sources;
use crate::stored::{Answer, Citation, DETECTION, Finish, Measured, answer_id, text_key};

/// Bytes of a text that are kept.
const MAX_TEXT: usize = 32 * 1024;
/// Searches of a model that are kept, and characters of each.
const SEARCHES: (usize, usize) = (20, 200);

impl Work<'_> {
    /// Stores answers of turns.
    pub(super) fn keep(&mut self, answers: Vec<(u64, Answered)>) -> Result<()> {
        if answers.is_empty() {
            return Ok(());
        }
        let brands = self.brands.clone();
        let own: Vec<String> = brands.iter().filter(|it| it.own).map(|it| it.name.clone()).collect();
        let reader = Reader::new(&brands);
        let (mut rows, mut citations) = (Vec::new(), Vec::new());
        for (turn, answered) in answers {
            self.point.again.retain(|it| it.turn != turn);
            let id = answer_id(self.run.id.as_str(), self.place(turn));
            let text = clipped(&answered.text);
            self.cx.blobs().write(&text_key(&id), text.as_bytes())?;
            let row = self.row(&reader, turn, &answered, text);
            self.note(turn, &answered, &row, &own);
            let found = sources(text, &answered.citations);
            citations.extend((1_u32..).zip(found).map(|(place, source)| {
                let it = Citation {
                    site_id: row.site_id.clone(),
                    answer: id.to_string(),
                    run: row.run.clone(),
                    prompt: row.prompt.clone(),
                    model: row.model.clone(),
                    at_ms: row.at_ms,
                    place,
                    url: source.url,
                    domain: source.domain,
                    title: source.title,
                    kind: source.kind,
                    span: source.span,
                };
                (Id::<Citation>::new(format!("{id}-{place}")), it)
            }));
            let sources = citations.iter().filter(|(_, it)| it.answer == id.as_str()).count();
            rows.push((id, Answer { sources: u32::try_from(sources).unwrap_or(u32::MAX), ..row }));
        }
        self.cx.records::<Answer>().put_many_as(rows.iter().map(|(id, it)| (id, it)))?;
        for some in citations.chunks(500) {
            self.cx.records::<Citation>().put_many_as(some.iter().map(|(id, it)| (id, it)))?;
        }
        Ok(())
    }

    fn row(&self, reader: &Reader<'_>, turn: u64, answered: &Answered, text: &str) -> Answer {
        let (prompt, connection, sample) = self.of_turn(turn);
        let (question, asked) = (&self.questions[prompt], &self.run.asked[connection]);
        let language =
            kit::language::detect(text).map(|it| it.language.to_owned()).or_else(|| question.language.clone());
        let reading = reader.read(text, language.as_deref().unwrap_or_default());
        let search = |it: &String| kit::text::clip(it.trim(), SEARCHES.1).to_owned();
        let model = Some(&answered.model).filter(|it| !it.is_empty()).unwrap_or(&asked.model);
        Answer {
            site_id: self.run.site_id.clone(),
            run: self.run.id.to_string(),
            n: self.place(turn),
            prompt: question.prompt.clone(),
            prompt_version: question.prompt_version,
            question: question.text.clone(),
            topic: question.topic.clone(),
            stage: question.stage,
            country: question.country.clone(),
            language,
            model: kit::text::clip(model, 120).to_owned(),
            asked_model: asked.model.clone(),
            connection: asked.connection.clone(),
            measured: asked.measured,
            sample: sample + 1,
            at_ms: self.cx.now().millis(),
            finish: match answered.finish {
                sdk::Finish::Stop => Finish::Stop,
                sdk::Finish::Length => Finish::Length,
                sdk::Finish::Filter => Finish::Filter,
                sdk::Finish::Refused => Finish::Refused,
            },
            length: u32::try_from(answered.text.chars().count()).unwrap_or(u32::MAX),
            clipped: text.len() < answered.text.len(),
            searched: answered.searched,
            web_search: self.run.web_search,
            searched_for: answered.searched_for.iter().take(SEARCHES.0).map(search).collect(),
            tokens_in: answered.tokens_in,
            tokens_out: answered.tokens_out,
            brands_version: self.set_version,
            detection: DETECTION,
            mentions: reading.mentions,
            unknown: reading.unknown,
            sources: 0,
        }
    }

    /// Notes what an answer came to and what it took.
    fn note(&mut self, turn: u64, answered: &Answered, row: &Answer, own: &[String]) {
        let (_, connection, _) = self.of_turn(turn);
        let asked = self.run.asked[connection].clone();
        let prices = if asked.measured == Measured::Api { Prices::of(self.cx, &asked.connection) } else { None };
        let micros = prices
            .as_ref()
            .map_or(0, |it| it.micros(answered.tokens_in, answered.tokens_out, answered.searched_for.len()));
        if let Some(prices) = &prices {
            self.cx.accounts().note_spent(&asked.connection, micros, &prices.currency);
        }
        if asked.measured == Measured::Api {
            self.spent(micros, answered.tokens_in + answered.tokens_out);
        }
        let Some(came) = self.run.it.came.get_mut(connection) else { return };
        came.model.clone_from(&row.model);
        came.answers += 1;
        came.refused += u64::from(row.finish == Finish::Refused);
        came.cut += u64::from(row.finish == Finish::Length);
        came.searched += u64::from(row.searched == Some(true));
        came.mentions += u64::from(row.mentions.iter().any(|it| own.contains(&it.brand)));
        came.tokens_in += answered.tokens_in;
        came.tokens_out += answered.tokens_out;
        came.spent_micros += micros;
        if let Some(prices) = prices {
            came.currency = Some(prices.currency);
        }
    }
}

/// As much of a text as is kept.
fn clipped(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT.min(text.len()))]
}
