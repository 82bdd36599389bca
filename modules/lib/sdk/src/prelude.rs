//! What almost every file of a module uses: `use sdk::prelude::*;`.

pub use crate::value::{Count, Country, Day, Decimal, Domain, Id, Language, List, Moment, Nothing, Text, Url};
pub use crate::{
    Answer, Before, Cursor, Cx, Fault, Job, Page, Paged, Readable, Record, Request, Response, Result, Step, Stored,
    args, foreign, operation, page, record, step, value,
};
