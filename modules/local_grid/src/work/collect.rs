//! Collecting what tasks have found, and finding the business in it.

use sdk::prelude::*;

use super::state::Work;
use crate::metrics::{LAST, placed};
use crate::provider::{self, Item, Looked};
use crate::recognise::words;
use crate::stored::{Pin, Place, Stage};

/// Tasks that one step looks after; the host allows 64 requests.
const TOGETHER: u64 = 40;
/// The shortest time between two steps that look after as many: the provider takes 2,000 requests a minute.
const PACE_MS: u32 = 1_200;
/// Different businesses that are kept of one scan.
const PLACES: u32 = 4_000;

impl Work<'_> {
    /// Looks after up to 40 tasks.
    pub(super) fn collect(&mut self) -> Result<()> {
        let Some(account) = self.account() else { return Ok(()) };
        let posted = self.some(Stage::Posted, TOGETHER)?;
        let tasks: Vec<&str> = posted.iter().map(|pin| pin.task.as_deref().unwrap_or_default()).collect();
        let looked = provider::look(self.cx, &account, &tasks);
        self.know_places();
        let now = self.cx.now().millis();
        let (mut moved, mut later) = (false, None);
        self.point.looked += u32::try_from(posted.len()).unwrap_or(0);
        if posted.len() as u64 == TOGETHER {
            self.pause_ms = PACE_MS;
        }
        for (pin, looked) in posted.into_iter().zip(looked) {
            let pin = Pin { looked_ms: now, ..pin };
            match looked {
                Looked::Found(items) => {
                    moved = true;
                    let pin = self.found(pin, &items);
                    self.note(&pin);
                    self.finished += 1;
                    self.pins.push(pin);
                }
                Looked::Waiting if self.is_late() => self.give_up(pin, "provider_too_slow"),
                Looked::Waiting => self.pins.push(pin),
                Looked::Nothing(code) => {
                    moved = true;
                    self.again(pin, &format!("provider_{code}"));
                }
                Looked::Later(refusal) => {
                    self.pins.push(pin);
                    later.get_or_insert(refusal);
                }
            }
        }
        if let Some(refusal) = later {
            self.put_off(&refusal);
        }
        if moved {
            (self.point.idle, self.point.refused, self.point.looked) = (0, 0, 0);
        } else if self.point.looked >= self.unfinished() {
            // What one step has not found another may, so that it waits longer only where all were looked after in vain.
            self.point.looked = 0;
            self.wait();
        }
        Ok(())
    }

    /// Reads which businesses the scan has seen.
    fn know_places(&mut self) {
        let places = self.cx.records::<Place>().by("run_number").equals(&self.run.id).scan();
        self.places = places.map(|it| (it.key.clone(), it.number)).collect();
    }

    /// A pin with its results.
    fn found(&mut self, pin: Pin, items: &[Item]) -> Pin {
        let rules = self.run.rules.clone();
        let centre = self.run.centre;
        let hit = items.iter().find_map(|item| Some((item, rules.recognise(centre, &item.seen)?)));
        let rank = hit.map(|(item, _)| item.rank);
        let order = items.iter().take(usize::from(LAST)).filter_map(|item| self.number(item)).collect();
        Pin {
            stage: Stage::Done,
            placed: placed(rank),
            rank,
            evidence: hit.map(|(_, by)| by),
            own: hit.and_then(|(item, _)| self.number(item)),
            order,
            error: None,
            ..pin
        }
    }

    /// The number of a business among those that the scan has seen.
    fn number(&mut self, item: &Item) -> Option<u32> {
        let key = key(item);
        if let Some(number) = self.places.get(&key) {
            return Some(*number);
        }
        let number = self.run.places;
        if number >= PLACES {
            self.tell(format!("only the first {PLACES} different businesses were kept"));
            return None;
        }
        self.run.places += 1;
        self.new_places.push(Place {
            run: self.run.id.as_str().to_owned(),
            number,
            key: key.clone(),
            name: kit::text::collapse_to(&item.seen.name, 120),
            category: item.category.as_deref().map(|it| kit::text::collapse_to(it, 80)),
            rating: item.rating,
            votes: item.votes,
            domain: item.seen.domain.clone(),
            point: item.seen.point,
        });
        self.places.insert(key, number);
        Some(number)
    }
}

/// What tells a business from others: its place id, or its name and address.
fn key(item: &Item) -> String {
    match &item.seen.place_id {
        Some(place_id) => place_id.clone(),
        None => format!("{}|{}", words(&item.seen.name).join(" "), item.seen.address.as_deref().unwrap_or_default()),
    }
}
