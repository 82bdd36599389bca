//! Operations by which a customer defends itself: they cost nothing, so that neither empty points nor a budget keeps
//! anybody from them. The heavy limit counts them instead.

use model::contract::Contract;
use model::cost::Cost;

/// What ends an access, stops work or spending, or lifts what refuses other calls.
const DEFENDING: [&str; 12] = [
    "account.budget.set",
    "account.grant.revoke",
    "account.job.cancel",
    "account.points.buy",
    "connections.remove",
    "crawl.run.stop",
    "local_grid.run.stop",
    "outreach.campaign.pause",
    "outreach.campaign.stop",
    "reports.share.revoke",
    "ux_signals.viral.campaign.pause",
    "ux_signals.viral.campaign.stop",
];

/// Whether an operation defends the customer that calls it.
pub(super) fn defends(id: &str) -> bool {
    DEFENDING.binary_search(&id).is_ok()
}

/// The contract as it is served: what defends is free.
pub(super) fn priced(contract: &Contract) -> Contract {
    let mut served = contract.clone();
    if defends(&served.id) {
        served.cost = Cost { class: served.cost.class, base: 0, per: None };
    }
    served
}

#[cfg(test)]
mod tests {
    //! Tests of `defence`.

    use super::*;

    #[test]
    fn what_defends_is_found_by_its_whole_id() {
        assert!(DEFENDING.is_sorted() && DEFENDING.iter().all(|id| defends(id)));
        assert!(!defends("account.budget") && !defends("account.budget.set.more") && !defends(""));
    }
}
