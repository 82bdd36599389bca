//! What a run may still spend: no answer is begun that might go beyond a cap.

use super::Work;
use crate::stored::{EndedBy, Measured};
use sdk::Prices;

/// Answers that the dearest is sought among.
const RECENT: usize = 200;
/// Tokens that a first answer is taken to need: with a search much is read.
const FIRST_IN: (u64, u64) = (20_000, 500);
const FIRST_OUT: u64 = 2_500;
/// Millionths of a dollar of a first answer of a product.
const FIRST_PRODUCT: u64 = 4_000;

impl Work<'_> {
    /// Why no further answer may be begun beside those under way, if so.
    pub(super) fn beyond(&self, connection: usize, under_way: usize) -> Option<EndedBy> {
        let under_way = under_way as u64 + 1;
        if let Some(cap) = self.run.token_cap {
            let next = dearest(&self.point.tokens).unwrap_or_else(|| self.first_tokens());
            if self.point.spent_tokens + next * under_way > cap {
                return Some(EndedBy::TokenCap);
            }
        }
        let cap = self.run.cost_cap?;
        let next = dearest(&self.point.costs).unwrap_or_else(|| self.first_cost(connection));
        #[expect(clippy::cast_precision_loss, reason = "money of one run is far below 2^52 millionths")]
        let beyond = (self.point.spent_micros + next * under_way) as f64 > cap * 1e6;
        beyond.then_some(EndedBy::CostCap)
    }

    /// Whether answers may be under way together: with a cap only once it is known what one costs.
    pub(super) fn alone(&self) -> bool {
        let unknown_cost = self.run.cost_cap.is_some() && self.point.costs.is_empty();
        unknown_cost || (self.run.token_cap.is_some() && self.point.tokens.is_empty())
    }

    fn first_tokens(&self) -> u64 {
        FIRST_OUT + if self.run.web_search { FIRST_IN.0 } else { FIRST_IN.1 }
    }

    fn first_cost(&self, connection: usize) -> u64 {
        let Some(asked) = self.run.asked.get(connection) else { return 0 };
        if asked.measured == Measured::Product {
            return FIRST_PRODUCT;
        }
        let tokens_in = if self.run.web_search { FIRST_IN.0 } else { FIRST_IN.1 };
        Prices::of(self.cx, &asked.connection).map_or(0, |it| it.micros(tokens_in, FIRST_OUT, 1))
    }

    /// Notes what an answer took.
    pub(super) fn spent(&mut self, micros: u64, tokens: u64) {
        self.point.spent_micros += micros;
        self.point.spent_tokens += tokens;
        for (list, value) in [(&mut self.point.costs, micros), (&mut self.point.tokens, tokens)] {
            list.push(value);
            if list.len() > RECENT {
                list.remove(0);
            }
        }
    }
}

/// The 95th of 100 by size, rounded up; none of nothing.
fn dearest(all: &[u64]) -> Option<u64> {
    let mut sorted = all.to_vec();
    sorted.sort_unstable();
    // Of few, the greatest.
    let place = (sorted.len() * 95).div_ceil(100).max(1);
    if sorted.len() < 20 { sorted.last().copied() } else { sorted.get(place - 1).copied() }
}
