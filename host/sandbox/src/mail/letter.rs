//! Composition of a message from its parts (RFC 5322, RFC 2045). Every part is checked first, so that none can be read
//! as a header or as the end of the message.

use std::time::{Duration, SystemTime};

use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Body, Mailbox, MultiPart, SinglePart};
use lettre::{Address, Message};
use model::clock::Moment;
use sha2::{Digest as _, Sha256};

use super::address;

const MOST_TO: usize = 20;
const LONGEST_SUBJECT: usize = 250;
/// Characters of a display name.
const LONGEST_NAME: usize = 80;
/// Bytes of the text or HTML body.
const LONGEST_TEXT: usize = 512 * 1024;
/// Bytes of a message id; a line has at most 998 (RFC 5322, 2.1.1).
const LONGEST_ID: usize = 250;
const MOST_REFERENCES: usize = 20;
const MOST_ATTACHMENTS: usize = 10;
/// Bytes of all attachments. Encoded in base64 they stay within [`LARGEST`].
const LARGEST_FILES: usize = 7 << 20;
const LONGEST_FILE_NAME: usize = 120;
/// Bytes of a message as sent.
pub(crate) const LARGEST: usize = 10 << 20;

/// The class of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Transactional,
    List,
}

impl Class {
    /// The class as an `outside` line writes it.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Class::Transactional => "/transactional",
            Class::List => "/list",
        }
    }
}

/// An attachment as given.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) media_type: String,
    pub(crate) bytes: Vec<u8>,
}

/// A message as given.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) class: Class,
    pub(crate) from_name: Option<String>,
    pub(crate) to: Vec<String>,
    pub(crate) reply_to: Option<String>,
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) html: Option<String>,
    pub(crate) in_reply_to: Option<String>,
    pub(crate) references: Vec<String>,
    pub(crate) attachments: Vec<File>,
}

/// A rejected part of a message: its member, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Invalid {
    pub(crate) member: String,
    pub(crate) why: &'static str,
}

/// A checked message.
#[derive(Clone, Debug)]
pub(crate) struct Letter {
    draft: Draft,
    to: Vec<Address>,
    reply_to: Option<Address>,
    types: Vec<ContentType>,
}

/// What the host adds to a message.
#[derive(Clone, Debug)]
pub(crate) struct Stamp<'a> {
    pub(crate) from: &'a Address,
    /// A unique identifier in letters and digits.
    pub(crate) id: &'a str,
    pub(crate) date: Moment,
    /// The unsubscribe address of the one recipient.
    pub(crate) unsubscribe: Option<&'a str>,
}

impl Draft {
    /// Checks every part.
    pub(crate) fn check(self) -> Result<Letter, Invalid> {
        let invalid = |member: &str, why| Err(Invalid { member: member.to_owned(), why });
        let to = self.recipients()?;
        let reply_to = match self.reply_to.as_deref().map(address::parse) {
            Some(None) => return invalid("reply-to", NO_ADDRESS),
            other => other.flatten(),
        };
        if !self.from_name.as_deref().is_none_or(|name| is_line(name, LONGEST_NAME)) {
            return invalid("from-name", "a name has 1 to 80 characters on one line");
        }
        if !is_line(&self.subject, LONGEST_SUBJECT) {
            return invalid("subject", "a subject has 1 to 250 characters on one line");
        }
        if !is_text(&self.text) {
            return invalid("text", "a text has at most 512 KiB and no control characters but tabs and ends of lines");
        }
        if !self.html.as_deref().is_none_or(is_text) {
            return invalid("html", "HTML has at most 512 KiB and no control characters but tabs and ends of lines");
        }
        if !self.in_reply_to.as_deref().is_none_or(is_message_id) {
            return invalid("in-reply-to", NO_ID);
        }
        if self.references.len() > MOST_REFERENCES {
            return invalid("references", "a message names at most 20 others");
        }
        if let Some(at) = self.references.iter().position(|id| !is_message_id(id)) {
            return invalid(&format!("references/{at}"), NO_ID);
        }
        let types = self.media_types()?;
        Ok(Letter { to, reply_to, types, draft: self })
    }

    fn recipients(&self) -> Result<Vec<Address>, Invalid> {
        let most = if self.class == Class::List { 1 } else { MOST_TO };
        let mut to: Vec<Address> = Vec::new();
        for (at, text) in self.to.iter().enumerate() {
            let invalid = |why| Invalid { member: format!("to/{at}"), why };
            let address = address::parse(text).ok_or_else(|| invalid(NO_ADDRESS))?;
            let same = |it: &Address| it.to_string().eq_ignore_ascii_case(address.as_ref());
            if to.iter().any(same) {
                return Err(invalid("it is there twice"));
            }
            to.push(address);
        }
        if (1..=most).contains(&to.len()) {
            return Ok(to);
        }
        let why = if most == 1 { "list mail goes to one recipient a message" } else { "1 to 20 recipients" };
        Err(Invalid { member: "to".to_owned(), why })
    }

    fn media_types(&self) -> Result<Vec<ContentType>, Invalid> {
        let invalid = |member: String, why| Err(Invalid { member, why });
        if self.attachments.len() > MOST_ATTACHMENTS
            || self.attachments.iter().map(|file| file.bytes.len()).sum::<usize>() > LARGEST_FILES
        {
            return invalid("attachments".to_owned(), "at most 10 files, together at most 7 MiB");
        }
        let mut types = Vec::new();
        for (at, file) in self.attachments.iter().enumerate() {
            if !is_line(&file.name, LONGEST_FILE_NAME) || file.name.contains(['/', '\\']) {
                let why = "a file's name has 1 to 120 characters on one line and no slash";
                return invalid(format!("attachments/{at}/name"), why);
            }
            match media_type(&file.media_type) {
                Some(found) => types.push(found),
                None => {
                    let why = "a media type such as application/pdf, without parameters";
                    return invalid(format!("attachments/{at}/media-type"), why);
                }
            }
        }
        Ok(types)
    }
}

pub(crate) const NO_ADDRESS: &str = "an address is an ASCII local part without quotes, an at sign and a domain name";
const NO_ID: &str = "a message id is <left@right> in ASCII, of at most 250 bytes";

impl Letter {
    pub(crate) fn class(&self) -> Class {
        self.draft.class
    }

    pub(crate) fn to(&self) -> &[Address] {
        &self.to
    }

    /// A digest that identifies this message among those from the same address.
    pub(crate) fn digest(&self, from: &Address) -> String {
        let Draft { class, from_name, to, reply_to, subject, text, html, in_reply_to, references, attachments } =
            &self.draft;
        let mut hash = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_be_bytes());
            hash.update(bytes);
        };
        let mut maybe = |text: &Option<String>| {
            part(&[u8::from(text.is_some())]);
            part(text.as_deref().unwrap_or_default().as_bytes());
        };
        [from_name, reply_to, html, in_reply_to].into_iter().for_each(&mut maybe);
        for text in [class.path(), from.as_ref(), subject, text] {
            part(text.as_bytes());
        }
        for list in [to, references] {
            part(&(list.len() as u64).to_be_bytes());
            list.iter().for_each(|it| part(it.as_bytes()));
        }
        for file in attachments {
            [file.name.as_bytes(), file.media_type.as_bytes(), &file.bytes].into_iter().for_each(&mut part);
        }
        format!("sha256:{}", model::token::hex(&hash.finalize()))
    }

    /// Composes the message. The same letter with the same stamp yields the same bytes.
    pub(crate) fn write(&self, stamp: &Stamp<'_>) -> Option<Vec<u8>> {
        let draft = &self.draft;
        let seconds = u64::try_from(stamp.date.0 / 1_000).ok()?;
        let mut message = Message::builder()
            .date(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
            .from(Mailbox::new(draft.from_name.clone(), stamp.from.clone()))
            .subject(draft.subject.clone())
            .raw_header(ready("Message-ID", message_id(stamp.id, stamp.from)));
        for address in &self.to {
            message = message.to(Mailbox::new(None, address.clone()));
        }
        if let Some(address) = &self.reply_to {
            message = message.reply_to(Mailbox::new(None, address.clone()));
        }
        if let Some(id) = &draft.in_reply_to {
            message = message.raw_header(ready("In-Reply-To", id.clone()));
        }
        if !draft.references.is_empty() {
            // One per line, so that no line is too long.
            message = message.raw_header(ready("References", draft.references.join("\r\n ")));
        }
        if let Some(address) = stamp.unsubscribe {
            message = message
                .raw_header(ready("List-Unsubscribe", format!("<{address}>")))
                .raw_header(ready("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()));
        }
        let message = match (&draft.html, draft.attachments.is_empty()) {
            (None, true) => message.singlepart(self.plain()),
            (Some(html), true) => message.multipart(self.alternative(html, stamp.id)),
            (html, false) => {
                let mixed = MultiPart::mixed().boundary(format!("{}m", stamp.id));
                let mut mixed = match html {
                    Some(html) => mixed.multipart(self.alternative(html, stamp.id)),
                    None => mixed.singlepart(self.plain()),
                };
                for (file, media_type) in draft.attachments.iter().zip(&self.types) {
                    let body = Body::new_with_encoding(file.bytes.clone(), ContentTransferEncoding::Base64).ok()?;
                    mixed = mixed.singlepart(Attachment::new(file.name.clone()).body(body, media_type.clone()));
                }
                message.multipart(mixed)
            }
        };
        message.ok().map(|message| message.formatted())
    }

    fn plain(&self) -> SinglePart {
        SinglePart::plain(lines(&self.draft.text))
    }

    fn alternative(&self, html: &str, id: &str) -> MultiPart {
        let both = MultiPart::alternative().boundary(format!("{id}a"));
        both.singlepart(self.plain()).singlepart(SinglePart::html(lines(html)))
    }
}

/// The `Message-ID` (RFC 5322, 3.6.4).
pub(crate) fn message_id(id: &str, from: &Address) -> String {
    format!("<{id}@{}>", from.domain())
}

/// A header whose value is checked and must be written as it is.
fn ready(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::dangerous_new_pre_encoded(HeaderName::new_from_ascii_str(name), value.clone(), value)
}

/// Normalises line ends, so that no server takes a lone carriage return or line feed for the end of the message.
fn lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

fn is_line(text: &str, longest: usize) -> bool {
    let breaks = |it: char| it.is_control() || matches!(it, '\u{2028}' | '\u{2029}');
    (1..=longest).contains(&text.chars().count()) && !text.trim().is_empty() && !text.chars().any(breaks)
}

fn is_text(text: &str) -> bool {
    text.len() <= LONGEST_TEXT && !text.chars().any(|it| it.is_control() && !matches!(it, '\n' | '\r' | '\t'))
}

fn is_message_id(text: &str) -> bool {
    let inner = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|it| it.is_ascii_graphic() && !matches!(it, b'<' | b'>' | b'@'))
    };
    text.len() <= LONGEST_ID && inner.and_then(|it| it.split_once('@')).is_some_and(|(a, b)| is_part(a) && is_part(b))
}

fn media_type(text: &str) -> Option<ContentType> {
    let (family, subtype) = text.split_once('/')?;
    // RFC 6838, 4.2.
    let is_name = |name: &str| {
        (1..=64).contains(&name.len())
            && name.bytes().all(|it| it.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&it))
    };
    let whole = !matches!(family.to_ascii_lowercase().as_str(), "multipart" | "message");
    (whole && is_name(family) && is_name(subtype)).then_some(())?;
    ContentType::parse(text).ok()
}

#[cfg(test)]
mod tests;
