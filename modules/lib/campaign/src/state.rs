//! Where a campaign is, and where it may go from there.

use schemars::JsonSchema;
use sdk::prelude::*;
use serde::{Deserialize, Serialize};

/// Where a campaign is.
///
/// `preparing_links -> charging -> scheduled -> running <-> paused -> completed`, and from each of these that is not an
/// end `stopped` and `failed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Priced, and not bought: nothing is stored of it.
    Quoted,
    /// Its links are being made.
    PreparingLinks,
    /// What became ready is charged.
    Charging,
    /// It waits for its first day.
    Scheduled,
    /// It invites people.
    Running,
    /// Its customer has paused it.
    Paused,
    /// All was delivered, or its time is over.
    Completed,
    /// Its customer has stopped it for good.
    Stopped,
    /// It could not go on.
    Failed,
}

impl State {
    /// All of them, in the order in which a campaign comes through them.
    pub const ALL: [Self; 9] = [
        Self::Quoted,
        Self::PreparingLinks,
        Self::Charging,
        Self::Scheduled,
        Self::Running,
        Self::Paused,
        Self::Completed,
        Self::Stopped,
        Self::Failed,
    ];

    /// As customers read it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Quoted => "quoted",
            Self::PreparingLinks => "preparing_links",
            Self::Charging => "charging",
            Self::Scheduled => "scheduled",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Completed => "completed",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
        }
    }

    /// Whether nothing more will come of it.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Completed | Self::Stopped | Self::Failed)
    }

    /// Whether it may be `next` after this.
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        match (self, next) {
            (Self::Quoted, Self::PreparingLinks)
            | (Self::PreparingLinks, Self::Charging)
            | (Self::Charging, Self::Scheduled)
            | (Self::Scheduled | Self::Paused, Self::Running)
            | (Self::Scheduled | Self::Running, Self::Paused | Self::Completed) => true,
            (Self::Quoted, _) => false,
            (from, Self::Stopped | Self::Failed) => !from.is_over(),
            _ => false,
        }
    }

    /// The next state.
    ///
    /// # Errors
    /// 409 `campaign_state` for what cannot be, with the state that it is in and those that it can take.
    pub fn to(self, next: Self) -> Result<Self> {
        if self.may_become(next) {
            return Ok(next);
        }
        let open: Vec<&str> = Self::ALL.into_iter().filter(|it| self.may_become(*it)).map(Self::word).collect();
        let message = format!("a campaign that is {} cannot become {}", self.word(), next.word());
        Err(Fault::conflict("campaign_state", message)
            .detail(serde_json::json!({ "state": self.word(), "asked": next.word(), "possible": open })))
    }
}

/// One line of a campaign's history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    /// What it became.
    pub state: State,
    /// When.
    pub at: Moment,
}

/// Turns a campaign to its next state and writes that into its history.
///
/// # Errors
/// 409 `campaign_state` for what cannot be.
pub fn turn(state: &mut State, history: &mut Vec<Turn>, next: State, at: Moment) -> Result<()> {
    *state = state.to(next)?;
    history.push(Turn { state: next, at });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_campaign_takes_the_documented_way_and_no_other() {
        use State::*;
        let ways = [
            (Quoted, vec![PreparingLinks]),
            (PreparingLinks, vec![Charging, Stopped, Failed]),
            (Charging, vec![Scheduled, Stopped, Failed]),
            (Scheduled, vec![Running, Paused, Completed, Stopped, Failed]),
            (Running, vec![Paused, Completed, Stopped, Failed]),
            (Paused, vec![Running, Stopped, Failed]),
            (Completed, vec![]),
            (Stopped, vec![]),
            (Failed, vec![]),
        ];
        for (from, to) in ways {
            let open: Vec<State> = State::ALL.into_iter().filter(|it| from.may_become(*it)).collect();
            assert_eq!(open, to, "{from:?}");
        }
    }

    #[test]
    fn what_cannot_be_is_a_conflict_that_says_what_can() {
        let fault = State::Completed.to(State::Running).unwrap_err();
        assert_eq!(fault.code, "campaign_state");
        let fault = State::Paused.to(State::Completed).unwrap_err();
        assert!(fault.detail.unwrap().contains("stopped"));
    }

    #[test]
    fn every_word_is_what_the_answer_says() {
        for state in State::ALL {
            assert_eq!(serde_json::to_value(state).unwrap(), state.word());
        }
    }
}
