//! Two shares that come from many unequal parts: binomial regression with the dispersion of the parts.

use statrs::distribution::{ContinuousCDF as _, StudentsT};

/// The sums of one group's parts. A part has `successes` among `trials`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Parts {
    /// Successes.
    pub successes: f64,
    /// Trials.
    pub trials: f64,
    /// The sum over the parts of the square of successes over trials.
    pub squares: f64,
    /// Parts with at least one trial.
    pub count: u64,
}

/// How two shares differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The first share over the second.
    pub ratio: f64,
    /// Two-sided p-value of no difference.
    pub p: f64,
    /// Pearson's dispersion of the parts, at least 1: how much more they scatter than coins do.
    pub dispersion: f64,
}

impl Parts {
    /// One part more.
    pub fn add(&mut self, successes: f64, trials: f64) {
        if trials > 0.0 {
            self.successes += successes;
            self.trials += trials;
            self.squares += successes * successes / trials;
            self.count += 1;
        }
    }

    /// These without those, which are among them.
    #[must_use]
    pub fn without(self, part: Self) -> Self {
        Self {
            successes: self.successes - part.successes,
            trials: self.trials - part.trials,
            squares: self.squares - part.squares,
            count: self.count.saturating_sub(part.count),
        }
    }

    /// Successes per trial; 0 without trials.
    #[must_use]
    pub fn share(self) -> f64 {
        if self.trials > 0.0 { self.successes / self.trials } else { 0.0 }
    }

    /// Pearson's statistic around the group's own share.
    fn pearson(self) -> f64 {
        let share = self.share();
        ((self.squares - share * self.successes) / (share * (1.0 - share))).max(0.0)
    }
}

/// Compares two groups by logistic regression on the group, with quasi-binomial errors and t with as many degrees of freedom as
/// there are parts less 2 (McCullagh and Nelder 1989, section 4.5). `None` when a share is 0 or 1, or for fewer than 3 parts:
/// then there is no estimate of how the parts scatter.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a count of parts")]
pub fn quasi_binomial(one: Parts, other: Parts) -> Option<Difference> {
    let inside = |group: Parts| group.trials > 0.0 && group.share() > 0.0 && group.share() < 1.0;
    let degrees = (one.count + other.count).checked_sub(2).filter(|it| *it > 0)? as f64;
    if !inside(one) || !inside(other) {
        return None;
    }
    let dispersion = ((one.pearson() + other.pearson()) / degrees).max(1.0);
    let information = |group: Parts| group.trials * group.share() * (1.0 - group.share());
    let log_odds = |group: Parts| (group.share() / (1.0 - group.share())).ln();
    let error = (dispersion * (1.0 / information(one) + 1.0 / information(other))).sqrt();
    let law = StudentsT::new(0.0, 1.0, degrees).ok()?;
    let p = (2.0 * law.sf(((log_odds(one) - log_odds(other)) / error).abs())).min(1.0);
    Some(Difference { ratio: one.share() / other.share(), p, dispersion })
}
