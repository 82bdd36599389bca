//! Telling the customer something, through the channels that they chose with `account.notification.update`.

use crate::bindings::wit::notices::Delivery as State;
use crate::bindings::wit::notices_write as wit;
use crate::host::Host;
use crate::{Cx, Fault, Next, Result, entry};

/// How much it matters. The customer has chosen the least that they are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// Good to know.
    Info,
    /// Worth a look today.
    Warning,
    /// Worth a look now, at night too.
    Critical,
}

/// What has become of a notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoticeState {
    /// It is still to be told.
    Waiting,
    /// At least one channel has taken it.
    Told,
    /// No channel has taken it, for this reason.
    Failed(String),
    /// The customer does not wish to be told, or nothing was told about this.
    Unwanted,
}

/// Something to tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice<'a> {
    /// What it is about: it is told once for each. 1 to 128 characters.
    pub about: &'a str,
    /// How much it matters.
    pub urgency: Urgency,
    /// One line of 1 to 120 characters.
    pub title: &'a str,
    /// A few sentences, at most 2,000 characters.
    pub words: &'a str,
    /// The website that it concerns.
    pub site: Option<&'a str>,
    /// The call that shows more.
    pub see: Option<&'a Next>,
}

/// The notices. Made by `Cx::notices`.
pub struct Notices<'a> {
    pub(crate) cx: &'a Cx,
}

impl Notices<'_> {
    /// Tells the customer, with the commit of this call. At most 20 a run.
    ///
    /// # Errors
    /// 403 `notice_refused` when the host does not take it.
    pub fn tell(&self, notice: &Notice<'_>) -> Result<()> {
        let told = wit::Notice {
            about: notice.about.to_owned(),
            severity: match notice.urgency {
                Urgency::Info => wit::Severity::Info,
                Urgency::Warning => wit::Severity::Warning,
                Urgency::Critical => wit::Severity::Critical,
            },
            title: notice.title.to_owned(),
            words: notice.words.to_owned(),
            site: notice.site.map(str::to_owned),
            operation: notice.see.map(|it| it.operation_id.clone()),
            arguments: notice.see.map(|it| entry::written(&it.arguments)),
        };
        self.cx.host.notice_tell(&told).map_err(|reason| Fault::refused("notice_refused", reason))
    }

    /// What has become of the notice about this.
    pub fn state(&self, about: &str) -> NoticeState {
        match self.cx.host.notice_state(about) {
            State::Waiting => NoticeState::Waiting,
            State::Told => NoticeState::Told,
            State::Failed(reason) => NoticeState::Failed(reason),
            State::Unwanted => NoticeState::Unwanted,
        }
    }
}
