//! People who are asked whether they want the customer's mail, and what they said.

use crate::Cx;
use crate::bindings::wit::recipients as wit;
use crate::bindings::wit::recipients_write as write;
use crate::host::Edges as _;
use crate::mail::MailFailure;
use crate::value::Moment;

/// What is known of an address, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecipientState {
    /// Never asked, or no address.
    Unknown,
    /// Asked, and has not answered; since the last letter.
    Invited(Moment),
    /// Wants the mail.
    Confirmed(Moment),
    /// Said no when asked. For good.
    Declined(Moment),
    /// Has left what they had confirmed, or the list mail of this module. For good.
    Left(Moment),
}

impl RecipientState {
    /// Whether they may be written to.
    #[must_use]
    pub const fn is_confirmed(self) -> bool {
        matches!(self, Self::Confirmed(_))
    }
}

/// What came of an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invitation {
    /// The server has taken the letter over.
    Invited(Moment),
    /// A letter went out since then, within the last 7 days: none was sent.
    AlreadyInvited(Moment),
    /// They want the mail already: none was sent.
    Confirmed(Moment),
    /// They said no: none was sent.
    Declined(Moment),
    /// They have left: none was sent.
    Left(Moment),
}

/// Somebody who was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    /// The address, in lower case.
    pub address: String,
    /// What is known of it.
    pub state: RecipientState,
}

/// A page of recipients, by address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipientsPage {
    /// At most as many as were asked for.
    pub recipients: Vec<Recipient>,
    /// Where the next page begins; none: this is the last one.
    pub next: Option<String>,
}

/// The customer's recipients. Made by `Cx::recipients`.
pub struct Recipients<'a> {
    pub(crate) cx: &'a Cx,
}

impl Recipients<'_> {
    /// What is known of an address; case does not count.
    pub fn state(&self, address: &str) -> RecipientState {
        shown(self.cx.host.recipient_state(address))
    }

    /// Everybody who was asked, by whichever module; 1 to 100 a page.
    pub fn list(&self, after: Option<&str>, limit: u32) -> RecipientsPage {
        let wit::RecipientsPage { recipients, next } = self.cx.host.recipient_list(after, limit);
        let one = |it: wit::Recipient| Recipient { address: it.address, state: shown(it.standing) };
        RecipientsPage { recipients: recipients.into_iter().map(one).collect(), next }
    }

    /// Asks somebody through a connection whether they want the customer's mail. The host writes the letter; `words`
    /// say what for: 1 to 300 characters in one paragraph, without addresses of pages or mail. Who was asked in the last
    /// 7 days, or has answered, is not asked.
    ///
    /// # Errors
    /// The server did not take the letter over, or nobody knows; no letter counts that did not go out.
    pub fn invite(&self, connection: &str, address: &str, words: &str) -> Result<Invitation, MailFailure> {
        let since = Moment::from_millis;
        Ok(match self.cx.host.recipient_invite(connection, address, words)? {
            write::Invitation::Invited(at) => Invitation::Invited(since(at)),
            write::Invitation::AlreadyInvited(at) => Invitation::AlreadyInvited(since(at)),
            write::Invitation::Confirmed(at) => Invitation::Confirmed(since(at)),
            write::Invitation::Declined(at) => Invitation::Declined(since(at)),
            write::Invitation::Left(at) => Invitation::Left(since(at)),
        })
    }
}

fn shown(standing: wit::Standing) -> RecipientState {
    let since = Moment::from_millis;
    match standing {
        wit::Standing::Unknown => RecipientState::Unknown,
        wit::Standing::Invited(at) => RecipientState::Invited(since(at)),
        wit::Standing::Confirmed(at) => RecipientState::Confirmed(since(at)),
        wit::Standing::Declined(at) => RecipientState::Declined(since(at)),
        wit::Standing::Left(at) => RecipientState::Left(since(at)),
    }
}
