//! For each rule about one page, a page that breaks it and its nearest twin that does not.

mod body;
mod head;
mod transport;

use super::PageCase;

pub(super) fn cases() -> Vec<PageCase> {
    [transport::cases(), head::cases(), body::cases()].into_iter().flatten().collect()
}
