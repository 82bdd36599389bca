//! The operation `account.points.buy`.

use sdk::PlatformAction;
use sdk::prelude::*;

use crate::amount::credits;
use crate::platform::balance::Bought as Known;

#[args]
pub(crate) struct Buy {
    /// Credits to turn into points: 1,000 points each.
    credits: Count<1, 10_000>,
}

/// What came of it.
#[value]
pub(crate) struct Bought {
    points_added: i64,
    /// Points that can be spent now.
    points_balance: i64,
    /// Credits that are left.
    credits_balance: f64,
}

/// Converts credits into reusable external-access points at 1 credit for 1,000 points in one atomic ledger transaction.
///
/// Points do not expire and are not turned back into credits. With too few credits nothing changes, and 402
/// `out_of_credits` says how many there are.
#[operation(
    write,
    scope = "billing:manage",
    cost = write,
    // One unit is a thousand points, and `credits` says how many of them.
    native_price(unit = "1000 points", every = 1, credits_milli = 1000, most = credits),
    needs = ["store", "credits"],
    side_effects = ["turns credits into points for good"],
    phrasings = [
        "buy points",
        "convert credits to points",
        "I ran out of points for API calls",
        "get more external access points",
    ],
    examples = [{ "credits": 5 }]
)]
pub(crate) fn buy(cx: &Cx, args: Buy) -> Result<Bought> {
    let spent = u32::try_from(u64::from(args.credits)).unwrap_or(u32::MAX);
    let bought: Known = cx.platform().act(&PlatformAction::BuyPoints(spent))?;
    Ok(Bought {
        points_added: bought.points_added,
        points_balance: bought.points,
        credits_balance: credits(bought.credits_milli),
    })
}
