//! The fake recipients: whom a module asked, and what a test has them say. They outlive a refused call, as letters do.

use std::collections::BTreeMap;

use super::World;
use crate::bindings::wit::mail::{Class, Failure, Invalid, Message};
use crate::bindings::wit::recipients::{Recipient, RecipientsPage, Standing};
use crate::bindings::wit::recipients_write::Invitation;
use crate::host::Host as _;

/// Milliseconds in which nobody is asked again.
const QUIET: u64 = 7 * 86_400_000;

/// Everybody who was asked.
#[derive(Default)]
pub(crate) struct Asked(BTreeMap<String, Standing>);

impl World {
    /// Somebody answers the letter that asked them.
    pub(super) fn answer_invitation(&self, address: &str, yes: bool) {
        let now = self.state.borrow().now;
        let mut asked = self.asked.borrow_mut();
        let standing = asked.0.get_mut(&address.to_lowercase());
        let standing = standing.unwrap_or_else(|| panic!("nobody asked {address}"));
        *standing = match (*standing, yes) {
            (Standing::Invited(_), true) => Standing::Confirmed(now),
            (Standing::Invited(_), false) => Standing::Declined(now),
            (Standing::Confirmed(_), false) => Standing::Left(now),
            (other, _) => other,
        };
    }

    /// Somebody has said yes before the test begins.
    pub(super) fn confirmed(&self, address: &str) {
        let now = self.state.borrow().now;
        self.asked.borrow_mut().0.insert(address.to_lowercase(), Standing::Confirmed(now));
    }

    pub(super) fn standing(&self, address: &str) -> Standing {
        if self.post.borrow().has_left(address) {
            return Standing::Left(self.state.borrow().now);
        }
        self.asked.borrow().0.get(&address.to_lowercase()).copied().unwrap_or(Standing::Unknown)
    }

    pub(super) fn recipients(&self, after: Option<&str>, limit: u32) -> RecipientsPage {
        let limit = limit.clamp(1, 100) as usize;
        let addresses: Vec<String> = self.asked.borrow().0.keys().cloned().collect();
        let mut rest = addresses.into_iter().filter(|it| after.is_none_or(|after| it.as_str() > after));
        let one = |address: String| Recipient { standing: self.standing(&address), address };
        let recipients: Vec<Recipient> = rest.by_ref().take(limit).map(one).collect();
        let next = rest.next().and_then(|_| recipients.last().map(|it| it.address.clone()));
        RecipientsPage { recipients, next }
    }

    pub(super) fn invite(&self, connection: &str, address: &str, words: &str) -> Result<Invitation, Failure> {
        self.state.borrow().stop_a_read("mail");
        let invalid = |member: &str| {
            Err(Failure::Invalid(Invalid { member: member.to_owned(), why: "see wit/v1/recipients.wit".to_owned() }))
        };
        if !address.contains('@') {
            return invalid("address");
        }
        let is_paragraph = (1..=300).contains(&words.trim().chars().count()) && !words.chars().any(char::is_control);
        if !is_paragraph || words.contains("//") || words.contains('@') || words.contains("www.") {
            return invalid("words");
        }
        let now = self.state.borrow().now;
        match self.standing(address) {
            Standing::Invited(at) if at + QUIET > now => return Ok(Invitation::AlreadyInvited(at)),
            Standing::Confirmed(at) => return Ok(Invitation::Confirmed(at)),
            Standing::Declined(at) => return Ok(Invitation::Declined(at)),
            Standing::Left(at) => return Ok(Invitation::Left(at)),
            Standing::Unknown | Standing::Invited(_) => {}
        }
        let sent = self.mail(&Message {
            connection: connection.to_owned(),
            class: Class::Transactional,
            from_name: None,
            to: vec![address.to_owned()],
            reply_to: None,
            subject: "Do you want this mail?".to_owned(),
            text: format!("\"{words}\"\n\nhttps://host.example/c/{address}\n"),
            html: None,
            in_reply_to: None,
            references: Vec::new(),
            attachments: Vec::new(),
        });
        // Of a letter that may have gone out, nobody sends a second one.
        if matches!(sent, Ok(_) | Err(Failure::UnknownOutcome)) {
            self.asked.borrow_mut().0.insert(address.to_lowercase(), Standing::Invited(now));
        }
        sent.map(|_| Invitation::Invited(now))
    }
}
