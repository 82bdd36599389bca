//! The states of a work item, and which steps lead from one to the next.

use sdk::prelude::*;

/// Where a work item stands.
#[value]
pub(crate) enum State {
    /// Not begun.
    Open,
    /// Somebody is at it.
    Doing,
    /// Finished, as far as its owner says.
    Done,
    /// The check behind it finds nothing any more.
    Verified,
    /// The check behind it still finds the fault, or finds it again.
    Regressed,
    /// Given up.
    Dropped,
}

/// What moves a work item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// It is open, or open again.
    Open,
    /// Somebody begins.
    Begin,
    /// Its owner says that it is done.
    Finish,
    /// Its owner gives it up.
    Drop,
    /// The check finds nothing.
    Pass,
    /// The check finds the fault.
    Fail,
}

impl Step {
    /// Where it leads.
    pub(crate) const fn target(self) -> State {
        match self {
            Self::Open => State::Open,
            Self::Begin => State::Doing,
            Self::Finish => State::Done,
            Self::Drop => State::Dropped,
            Self::Pass => State::Verified,
            Self::Fail => State::Regressed,
        }
    }

    /// The steps that a person takes; the others are those of the check.
    const PERSONAL: [Self; 4] = [Self::Open, Self::Begin, Self::Finish, Self::Drop];
}

impl State {
    /// The state after a step; none when the step may not be taken from here. A step that leads to where the work item is
    /// already changes nothing and may always be taken by a person.
    pub(crate) fn after(self, step: Step) -> Option<Self> {
        let personal = Step::PERSONAL.contains(&step);
        if personal && step.target() == self {
            return Some(self);
        }
        let may = match self {
            Self::Open | Self::Doing | Self::Regressed => personal,
            Self::Done => step != Step::Finish,
            // What is proven or given up is taken up again before anything else happens to it.
            Self::Verified => matches!(step, Step::Open | Step::Pass | Step::Fail),
            Self::Dropped => step == Step::Open,
        };
        // A fault that was found again may be looked for again, without a word of its owner.
        let again = self == Self::Regressed && matches!(step, Step::Pass | Step::Fail);
        (may || again).then(|| step.target())
    }

    /// The other states that a person can move it to.
    pub(crate) fn allowed(self) -> impl Iterator<Item = Self> {
        Step::PERSONAL.into_iter().filter_map(move |step| self.after(step)).filter(move |it| *it != self)
    }

    /// The word in results and histories.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Doing => "doing",
            Self::Done => "done",
            Self::Verified => "verified",
            Self::Regressed => "regressed",
            Self::Dropped => "dropped",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From a state, the states that each step leads to: open, begin, finish, drop, pass, fail.
    #[test]
    fn every_transition_is_as_the_table_says() {
        use State::{Doing, Done, Dropped, Open, Regressed, Verified};
        let steps = [Step::Open, Step::Begin, Step::Finish, Step::Drop, Step::Pass, Step::Fail];
        for (from, to) in [
            (Open, [Some(Open), Some(Doing), Some(Done), Some(Dropped), None, None]),
            (Doing, [Some(Open), Some(Doing), Some(Done), Some(Dropped), None, None]),
            (Done, [Some(Open), Some(Doing), Some(Done), Some(Dropped), Some(Verified), Some(Regressed)]),
            (Verified, [Some(Open), None, None, None, Some(Verified), Some(Regressed)]),
            (Regressed, [Some(Open), Some(Doing), Some(Done), Some(Dropped), Some(Verified), Some(Regressed)]),
            (Dropped, [Some(Open), None, None, Some(Dropped), None, None]),
        ] {
            assert_eq!(steps.map(|step| from.after(step)), to, "{from:?}");
        }
    }

    #[test]
    fn the_states_that_are_offered_are_those_that_can_be_reached() {
        let words = |state: State| state.allowed().map(State::word).collect::<Vec<_>>();
        assert_eq!(words(State::Open), ["doing", "done", "dropped"]);
        assert_eq!(words(State::Verified), ["open"]);
        assert_eq!(words(State::Dropped), ["open"]);
    }
}
