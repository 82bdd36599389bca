//! The fake host's schedules and notices: what is put, what a test lets come due, and what was told.

use crate::bindings::wit::{notices, notices_write, schedule};

use super::held::Held;

/// A notice as a module told it, and what has become of it.
#[derive(Clone)]
pub(super) struct ToldNotice {
    pub(super) notice: notices_write::Notice,
    pub(super) state: notices::Delivery,
}

const MINUTES: [u32; 6] = [5, 15, 60, 360, 1_440, 10_080];

impl Held {
    pub(super) fn put_schedule(
        &mut self,
        name: &str,
        cadence: schedule::Cadence,
        calls: &[schedule::Planned],
        watch: Option<&schedule::Watch>,
    ) -> schedule::Entry {
        let day = self.now / 86_400_000;
        let minute = u64::from(cadence.minute) * 60_000;
        let is_today = cadence.every == schedule::Every::Day && day * 86_400_000 + minute > self.now;
        let entry = schedule::Entry {
            name: name.to_owned(),
            cadence,
            calls: calls.to_vec(),
            watch: watch.cloned(),
            // The fake knows no calendar: what is not of every day comes the next day.
            next: Some((day + u64::from(!is_today)) * 86_400_000 + minute),
            stopped: None,
            last: None,
            outcome: None,
        };
        self.schedules.insert(name.to_owned(), entry.clone());
        entry
    }

    pub(super) fn put_once(
        &mut self,
        name: &str,
        at: u64,
        calls: &[schedule::Planned],
    ) -> Result<schedule::OnceEntry, String> {
        if at <= self.now || at - self.now > 400 * 86_400_000 {
            return Err("a moment is to come, within 400 days".to_owned());
        }
        let (name, calls) = (name.to_owned(), calls.to_vec());
        let entry = schedule::OnceEntry { name: name.clone(), at, calls, next: Some(at), stopped: None, outcome: None };
        self.once.insert(name, entry.clone());
        Ok(entry)
    }

    pub(super) fn put_work(&mut self, work: &schedule::Work) -> Result<schedule::WorkEntry, String> {
        if !MINUTES.contains(&work.minutes) {
            return Err(format!("the minutes between two rounds are one of {MINUTES:?}"));
        }
        if !self.steps.contains(&work.step.as_str()) {
            return Err(format!("the module declares no step {}", work.step));
        }
        let period = u64::from(work.minutes) * 60_000;
        let last = self.work.get(&work.name);
        let entry = schedule::WorkEntry {
            work: work.clone(),
            next: Some(self.now / period * period + period),
            stopped: None,
            last: last.and_then(|it| it.last),
            outcome: last.and_then(|it| it.outcome.clone()),
        };
        self.work.insert(work.name.clone(), entry.clone());
        Ok(entry)
    }

    pub(super) fn remove_schedule(&mut self, name: &str) -> bool {
        let removed =
            [self.work.remove(name).is_some(), self.once.remove(name).is_some(), self.schedules.remove(name).is_some()];
        removed.contains(&true)
    }

    /// The round of this work comes due at its moment: a job begins. False: there is no such work.
    pub(super) fn come_due(&mut self, name: &str) -> bool {
        let Some(mut entry) = self.work.get(name).cloned() else { return false };
        let Some(next) = entry.next else { return false };
        self.now = self.now.max(next);
        self.start(&entry.work.step, &entry.work.payload);
        entry.last = Some(self.now);
        entry.outcome = Some("ok".to_owned());
        let period = u64::from(entry.work.minutes) * 60_000;
        entry.next = Some(self.now / period * period + period);
        self.work.insert(name.to_owned(), entry);
        true
    }

    pub(super) fn tell(&mut self, notice: &notices_write::Notice) -> Result<(), String> {
        for (what, text, most) in [("about", &notice.about, 128), ("title", &notice.title, 120)] {
            if !(1..=most).contains(&text.chars().count()) || text.chars().any(char::is_control) {
                return Err(format!("{what} has 1 to {most} characters in one line"));
            }
        }
        if notice.words.chars().count() > 2_000 {
            return Err("words have at most 2,000 characters".to_owned());
        }
        if self.notices.iter().all(|it| it.notice.about != notice.about) {
            self.notices.push(ToldNotice { notice: notice.clone(), state: notices::Delivery::Waiting });
        }
        Ok(())
    }

    pub(super) fn told(&self, about: &str) -> notices::Delivery {
        let told = self.notices.iter().find(|it| it.notice.about == about);
        told.map_or(notices::Delivery::Unwanted, |it| it.state.clone())
    }
}
