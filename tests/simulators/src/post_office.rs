//! The mail of the world: what was sent through any door, and what comes back for it.
//!
//! SMTP, Gmail and JMAP are doors to one mailbox. Whom a message goes to says what happens: a local part that begins
//! with `bounce` sends a report of failure (RFC 3464), `reply` answers, `stop` asks to be left alone, `away` has an
//! automatic answer (RFC 3834), and everybody else is silent.

use std::sync::{Arc, Mutex};

use jiff::{SignedDuration, Timestamp, fmt::rfc2822};

use crate::lock;

/// The owner of the mailbox.
pub(crate) const OWNER: &str = "hello@shop.example";

/// A message in the mailbox or on its way out of it.
#[derive(Clone, Debug)]
pub(crate) struct Mail {
    pub(crate) id: String,
    pub(crate) thread: String,
    pub(crate) raw: String,
    pub(crate) received: Timestamp,
    /// Whether the owner sent it; otherwise it is in the inbox.
    pub(crate) sent: bool,
}

impl Mail {
    /// The unfolded value of the first header of a name.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        self.headers().into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub(crate) fn headers(&self) -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = Vec::new();
        for line in self.split().0.lines() {
            match (line.starts_with([' ', '\t']), all.last_mut()) {
                (true, Some((_, value))) => *value = format!("{value} {}", line.trim()),
                _ => all.extend(line.split_once(':').map(|(key, value)| (key.to_owned(), value.trim().to_owned()))),
            }
        }
        all
    }

    pub(crate) fn body(&self) -> &str {
        self.split().1
    }

    fn split(&self) -> (&str, &str) {
        self.raw.split_once("\r\n\r\n").or_else(|| self.raw.split_once("\n\n")).unwrap_or((&self.raw, ""))
    }

    pub(crate) fn preview(&self) -> String {
        self.body().split_whitespace().collect::<Vec<_>>().join(" ").chars().take(120).collect()
    }
}

/// The addresses of a header: what stands in angle brackets, or the whole.
pub(crate) fn addresses(header: &str) -> Vec<String> {
    let of = |part: &str| {
        part.rsplit_once('<').map_or(part, |(_, rest)| rest.trim_end_matches(['>', ' '])).trim().to_lowercase()
    };
    header.split(',').map(of).filter(|it| it.contains('@')).collect()
}

/// The mailbox, shared by its doors.
#[derive(Clone, Debug)]
pub(crate) struct PostOffice(Arc<Mutex<Vec<Mail>>>);

impl PostOffice {
    /// With a few messages that have nothing to do with what will be sent.
    pub(crate) fn new() -> Self {
        let this = Self(Arc::default());
        for (nth, (from, subject, text)) in [
            ("newsletter@craftnews.example", "Craft news of the week", "Five workshops near you."),
            ("orders@wholesale.example", "Your order 7731", "Forty metres of cord are on their way."),
            ("maria@homejournal.example", "A question about brass", "Does it need polish?"),
        ]
        .into_iter()
        .enumerate()
        {
            let date = Timestamp::now() - SignedDuration::from_hours(72 - i64::try_from(nth).unwrap_or(0) * 20);
            let raw = letter(
                &[
                    ("From", from),
                    ("To", OWNER),
                    ("Subject", subject),
                    ("Message-ID", &format!("<seed-{nth}@{}>", host(from))),
                ],
                date,
                text,
            );
            this.keep(raw, date, false);
        }
        this
    }

    /// All messages, oldest first.
    pub(crate) fn all(&self) -> Vec<Mail> {
        lock(&self.0).clone()
    }

    /// Takes a message that the owner sends, and whatever comes back for it. Returns the message.
    pub(crate) fn send(&self, raw: &str, to: &[String]) -> Mail {
        let sent = self.keep(raw.to_owned(), Timestamp::now(), true);
        for address in to {
            if let Some(raw) = returned(&sent, address) {
                self.keep(raw, Timestamp::now(), false);
            }
        }
        sent
    }

    fn keep(&self, raw: String, received: Timestamp, sent: bool) -> Mail {
        let mut all = lock(&self.0);
        let id = format!("{:016x}", 0x18c0_0000_0000_0000_u64 + all.len() as u64 + 1);
        let mut mail = Mail { thread: id.clone(), id, raw, received, sent };
        let references =
            [mail.header("In-Reply-To"), mail.header("References")].into_iter().flatten().collect::<Vec<_>>().join(" ");
        let answered = all.iter().find(|it| it.header("Message-ID").is_some_and(|known| references.contains(&known)));
        if let Some(answered) = answered {
            mail.thread.clone_from(&answered.thread);
        }
        all.push(mail.clone());
        mail
    }
}

fn host(address: &str) -> &str {
    address.rsplit_once('@').map_or(address, |(_, host)| host)
}

fn letter(headers: &[(&str, &str)], date: Timestamp, text: &str) -> String {
    let date = rfc2822::DateTimePrinter::new().timestamp_to_string(&date).unwrap_or_default();
    let head: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let kind = if headers.iter().any(|(name, _)| *name == "Content-Type") {
        ""
    } else {
        "Content-Type: text/plain; charset=utf-8\r\n"
    };
    format!("{head}Date: {date}\r\nMIME-Version: 1.0\r\n{kind}\r\n{text}")
}

/// What an address sends back.
fn returned(sent: &Mail, address: &str) -> Option<String> {
    let (local, host) = address.split_once('@')?;
    let about = sent.header("Message-ID").unwrap_or_default();
    let subject = format!("Re: {}", sent.header("Subject").unwrap_or_default());
    let id = format!("<back-{}-{local}@{host}>", sent.id);
    let now = Timestamp::now();
    let plain = |extra: &[(&str, &str)], text: &str| {
        let mut headers = vec![
            ("From", address),
            ("To", OWNER),
            ("Subject", &subject),
            ("Message-ID", &id),
            ("In-Reply-To", &about),
            ("References", &about),
        ];
        headers.extend(extra);
        letter(&headers, now, text)
    };
    if local.starts_with("reply") {
        return Some(plain(&[], "Thank you, that sounds interesting. Could you send me two pictures?"));
    }
    if local.starts_with("stop") {
        return Some(plain(&[], "Please remove me from your list and do not write again."));
    }
    if local.starts_with("away") {
        return Some(plain(&[("Auto-Submitted", "auto-replied")], "I am out of the office until Monday."));
    }
    if !local.starts_with("bounce") {
        return None;
    }
    let text = format!(
        "--report\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nYour message could not be delivered to {address}.\r\n\
--report\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.{host}\r\n\r\nFinal-Recipient: rfc822; {address}\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 No such user\r\n\
--report\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {about}\r\nTo: {address}\r\n--report--\r\n"
    );
    let from = format!("Mail Delivery System <mailer-daemon@{host}>");
    let headers = [
        ("From", from.as_str()),
        ("To", OWNER),
        ("Subject", "Undelivered Mail Returned to Sender"),
        ("Message-ID", &id),
        ("In-Reply-To", &about),
        ("References", &about),
        ("Auto-Submitted", "auto-replied"),
        ("Content-Type", "multipart/report; report-type=delivery-status; boundary=\"report\""),
    ];
    Some(letter(&headers, now, &text))
}
