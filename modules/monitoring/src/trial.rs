//! A website for native tests.

use sdk::Fake;
use sdk::prelude::*;
use site::Site;

pub(crate) const SITE: &str = "81";
/// 2026-09-20T12:00:00Z.
const NOW: u64 = 1_789_905_600_000;

/// The lamp shop on 2026-09-20.
pub(crate) fn website() -> Fake {
    let fake = crate::fake();
    let site = Site {
        domain: "shop.example".to_owned(),
        origin: "https://shop.example".to_owned(),
        name: Some("Lamp Shop".to_owned()),
        ..Site::default()
    };
    fake.put_as(SITE, site);
    fake.set_now(Moment::from_millis(NOW));
    fake
}
