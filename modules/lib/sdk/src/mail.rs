//! Mail through the customer's own server: the parts of a message, and what came of it.

use crate::Cx;
use crate::bindings::wit::mail as wit;
use crate::host::Host;

/// Why a message was not taken over.
pub use crate::bindings::wit::mail::Failure as MailFailure;
/// Which part of a message is wrong, and why.
pub use crate::bindings::wit::mail::Invalid as InvalidMail;
/// A recipient that the server refused.
pub use crate::bindings::wit::mail::RefusedRecipient;
/// What a server replied.
pub use crate::bindings::wit::mail::Reply as MailReply;
/// A message that the server has taken over.
pub use crate::bindings::wit::mail::Sent as MailSent;

/// One message. The host writes its headers.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Letter(pub(crate) wit::Message);

impl Letter {
    /// What one person is told about their own affairs.
    pub fn transactional(connection: &str, to: &str, subject: &str, text: impl Into<String>) -> Self {
        Self::new(wit::Class::Transactional, connection, to, subject, text)
    }

    /// What goes to the people of a list, one message for each. The host adds how to leave it.
    pub fn list(connection: &str, to: &str, subject: &str, text: impl Into<String>) -> Self {
        Self::new(wit::Class::List, connection, to, subject, text)
    }

    /// Whom it goes to.
    pub fn to(&self) -> &[String] {
        &self.0.to
    }

    /// What it is about.
    pub fn subject(&self) -> &str {
        &self.0.subject
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The name beside the connection's address.
    pub fn from_name(mut self, name: &str) -> Self {
        self.0.from_name = Some(name.to_owned());
        self
    }

    /// One more recipient, whom the others see; not for list mail.
    pub fn also_to(mut self, address: &str) -> Self {
        self.0.to.push(address.to_owned());
        self
    }

    /// Where answers go.
    pub fn reply_to(mut self, address: &str) -> Self {
        self.0.reply_to = Some(address.to_owned());
        self
    }

    /// The same in HTML.
    pub fn html(mut self, html: impl Into<String>) -> Self {
        self.0.html = Some(html.into());
        self
    }

    /// The message that this one answers, and the others of the thread before it, the oldest first.
    pub fn answering(mut self, message_id: &str, thread: impl IntoIterator<Item = String>) -> Self {
        self.0.in_reply_to = Some(message_id.to_owned());
        self.0.references = thread.into_iter().collect();
        if self.0.references.last().is_none_or(|last| last != message_id) {
            self.0.references.push(message_id.to_owned());
        }
        self
    }

    /// A file.
    pub fn attach(mut self, name: &str, media_type: &str, bytes: Vec<u8>) -> Self {
        let (name, media_type) = (name.to_owned(), media_type.to_owned());
        self.0.attachments.push(wit::Attachment { name, media_type, bytes });
        self
    }

    fn new(class: wit::Class, connection: &str, to: &str, subject: &str, text: impl Into<String>) -> Self {
        Self(wit::Message {
            connection: connection.to_owned(),
            class,
            from_name: None,
            to: vec![to.to_owned()],
            reply_to: None,
            subject: subject.to_owned(),
            text: text.into(),
            html: None,
            in_reply_to: None,
            references: Vec::new(),
            attachments: Vec::new(),
        })
    }
}

/// The customer's servers of mail. Made by `Cx::mail`.
pub struct Mail<'a> {
    pub(crate) cx: &'a Cx,
}

impl Mail<'_> {
    /// Sends one message.
    ///
    /// # Errors
    /// The server did not take it over, or nobody knows.
    pub fn send(&self, letter: &Letter) -> Result<MailSent, MailFailure> {
        self.cx.host.mail(&letter.0)
    }
}
