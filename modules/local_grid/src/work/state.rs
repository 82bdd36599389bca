//! The state of one step of a scan: what it read, what it will write.

use std::collections::BTreeMap;

use sdk::Degraded;
use sdk::prelude::*;

use super::{Checkpoint, Outcome, Progress};
use crate::layout::Spot;
use crate::metrics::{FAILED, Figures, is_done};
use crate::recognise::{Evidence, Matched};
use crate::stored::{Pin, Place, Run, Stage, State, Stop, Tally, pin_id, place_id, tally_id};

/// The longest wait between two looks at the provider, in milliseconds.
const LONGEST: u32 = 60_000;
/// A scan that takes longer than this ends with the pins that it has, in milliseconds.
const PATIENCE: u64 = 24 * 3_600_000;

/// One step at work.
pub(super) struct Work<'a> {
    pub(super) cx: &'a Cx,
    pub(super) run: Stored<Run>,
    pub(super) point: Checkpoint,
    pub(super) spots: Vec<Spot>,
    pub(super) tallies: Vec<Tally>,
    pub(super) pins: Vec<Pin>,
    /// Milliseconds to wait before the next step.
    pub(super) pause_ms: u32,
    /// Pins that this step has finished.
    pub(super) finished: u64,
    /// Businesses that the scan has seen, by what tells them apart.
    pub(super) places: BTreeMap<String, u32>,
    pub(super) new_places: Vec<Place>,
    ended: Option<State>,
}

impl<'a> Work<'a> {
    /// Reads where the scan stands.
    pub(super) fn load(cx: &'a Cx, id: &Id<Run>, point: Checkpoint) -> Result<Self> {
        let mut run = cx.records::<Run>().get(id)?;
        if run.state == State::Queued {
            run.state = State::Running;
            run.started_ms = Some(cx.now().millis());
        }
        let spots = run.grid.lay(run.centre);
        let known = cx.records::<Tally>().by("run_number").equals(id);
        let tallies: Vec<Tally> = known.scan().map(Stored::into_inner).collect();
        let (pins, places, new_places) = (Vec::new(), BTreeMap::new(), Vec::new());
        Ok(Self { cx, run, point, spots, tallies, pins, pause_ms: 0, finished: 0, places, new_places, ended: None })
    }

    /// Writes down which pins there are.
    pub(super) fn lay(&mut self) -> Result<()> {
        let pins = u32::try_from(self.spots.len()).unwrap_or(0);
        for (keyword, words) in (0_u32..).zip(&self.run.keywords) {
            self.tallies.push(Tally {
                run: self.run.id.as_str().to_owned(),
                site_id: self.run.site_id.clone(),
                business: self.run.business.clone(),
                number: keyword,
                keyword: words.clone(),
                frame: self.run.frame.clone(),
                finished_ms: None,
                placed: vec![0; self.spots.len()],
                figures: Figures::default(),
            });
            self.pins.extend((0..pins).map(|number| Pin {
                run: self.run.id.as_str().to_owned(),
                keyword,
                number,
                stage: Stage::Waiting,
                looked_ms: 0,
                tries: 0,
                task: None,
                placed: 0,
                rank: None,
                evidence: None,
                own: None,
                order: Vec::new(),
                error: None,
            }));
        }
        self.point.laid = true;
        Ok(())
    }

    /// Whether the customer asked to end it.
    pub(super) fn is_stopped(&self) -> bool {
        self.cx.records::<Stop>().find(&self.run.id.cast()).is_some()
    }

    /// Whether a pin stands there.
    pub(super) fn has(&self, stage: Stage) -> bool {
        self.cx.records::<Pin>().by("run_stage_looked_ms").equals(&self.run.id).equals(stage).first().is_some()
    }

    /// Pins that stand there, the longest not looked after first.
    pub(super) fn some(&self, stage: Stage, most: u64) -> Result<Vec<Pin>> {
        let pins = self.cx.records::<Pin>().by("run_stage_looked_ms").equals(&self.run.id).equals(stage);
        Ok(pins.page(most, None)?.items.into_iter().map(Stored::into_inner).collect())
    }

    /// The tally of a pin has its place, and so has the scan.
    pub(super) fn note(&mut self, pin: &Pin) {
        let Some(tally) = self.tallies.iter_mut().find(|it| it.number == pin.keyword) else { return };
        let Some(place) = usize::try_from(pin.number).ok().and_then(|it| tally.placed.get_mut(it)) else { return };
        *place = pin.placed;
        if let Some(by) = pin.evidence {
            self.matched(by);
        }
    }

    fn matched(&mut self, by: Evidence) {
        match self.run.evidence.iter_mut().find(|it| it.by == by) {
            Some(known) => known.pins += 1,
            None => self.run.evidence.push(Matched { by, pins: 1 }),
        }
    }

    /// Pins that have not come to anything.
    pub(super) fn unfinished(&self) -> u32 {
        let open = self.tallies.iter().flat_map(|it| &it.placed).filter(|it| **it == 0).count();
        u32::try_from(open).unwrap_or(u32::MAX)
    }

    /// A pin comes to nothing for good.
    pub(super) fn give_up(&mut self, mut pin: Pin, why: &str) {
        pin.stage = Stage::Failed;
        pin.placed = FAILED;
        pin.error = Some(why.to_owned());
        self.note(&pin);
        self.pins.push(pin);
    }

    /// Waits longer each time that nothing has come.
    pub(super) fn wait(&mut self) {
        self.point.idle += 1;
        self.pause_ms = self.pause_ms.max((1_000_u32 << self.point.idle.min(6)).min(LONGEST));
    }

    /// Says something of the whole scan, once.
    pub(super) fn tell(&mut self, words: impl Into<String>) {
        let incomplete = Degraded::new("pins", words);
        if !self.run.degraded.contains(&incomplete) {
            self.run.degraded.push(incomplete);
        }
    }

    /// Whether the scan has taken too long.
    pub(super) fn is_late(&self) -> bool {
        self.cx.now().millis().saturating_sub(self.run.started_ms.unwrap_or(0)) > PATIENCE
    }

    /// The scan ends with the pins that it has.
    pub(super) fn end(&mut self, state: State) {
        self.ended = Some(state);
    }

    /// Every pin has come to something, or nothing more can come.
    pub(super) fn finish(&mut self) {
        let done = self.tallies.iter().flat_map(|it| &it.placed).any(|it| is_done(*it));
        self.end(if done { State::Succeeded } else { State::Failed });
    }

    /// Writes everything, and says how it goes on.
    pub(super) fn hand_over(mut self) -> Result<Step<Checkpoint, Progress, Outcome>> {
        let cx = self.cx;
        let run_ref = self.run.id.clone();
        for tally in &mut self.tallies {
            tally.figures = Figures::of(tally.placed.iter().copied());
        }
        let figures = Figures::of(self.tallies.iter().flat_map(|it| it.placed.iter().copied()));
        self.run.figures = figures;
        if let Some(state) = self.ended {
            let now = cx.now().millis();
            self.run.state = state;
            self.run.finished_ms = Some(now);
            self.run.solv = figures.solv;
            self.tallies.iter_mut().for_each(|it| it.finished_ms = (it.figures.pins_done > 0).then_some(now));
        }
        let pins: Vec<_> = self.pins.iter().map(|it| (pin_id(&it.run, it.keyword, it.number), it)).collect();
        if !pins.is_empty() {
            cx.records::<Pin>().put_many_as(pins.iter().map(|(id, it)| (id, *it)))?;
        }
        let tallies: Vec<_> = self.tallies.iter().map(|it| (tally_id(&it.run, it.number), it)).collect();
        cx.records::<Tally>().put_many_as(tallies.iter().map(|(id, it)| (id, *it)))?;
        if !self.new_places.is_empty() {
            let places: Vec<_> = self.new_places.iter().map(|it| (place_id(&it.run, it.number), it)).collect();
            cx.records::<Place>().put_many_as(places.iter().map(|(id, it)| (id, *it)))?;
        }
        let (degraded, pins) = (self.run.degraded.clone(), self.run.all_pins());
        cx.records::<Run>().save(self.run)?;
        let progress = Progress { pins, pins_done: figures.pins_done, failed_pins: figures.failed_pins };
        Ok(match self.ended {
            Some(state) => {
                let outcome = Outcome { run_ref, state, pins_done: figures.pins_done, degraded };
                Step::done(outcome, progress).units(self.finished)
            }
            None => Step::next(self.point, progress).after(self.pause_ms).units(self.finished),
        })
    }
}
