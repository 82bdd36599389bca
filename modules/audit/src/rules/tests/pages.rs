//! For each rule about one page, a page that breaks it and its nearest twin that does not.

mod body;
mod data;
mod detail;
mod head;
mod meaning;
mod parts;
mod transport;
mod value;

use super::PageCase;

pub(super) fn cases() -> Vec<PageCase> {
    [
        transport::cases(),
        head::cases(),
        body::cases(),
        meaning::cases(),
        detail::cases(),
        data::cases(),
        value::cases(),
        parts::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
