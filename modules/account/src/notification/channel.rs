//! One way in which a customer is told, and whether it can be used.

use sdk::prelude::*;
use sdk::{Connection, ConnectionState};

use super::connection_required;

/// The kind of connection that takes mail.
const MAIL: &str = "smtp";
/// The kind of connection that takes signed messages.
const WEBHOOK: &str = "signed_webhook";

/// How a customer wants to be told.
#[args]
pub(crate) struct Wanted {
    /// `email` or `webhook`.
    kind: Way,
    /// An e-mail address; for a webhook the reference or the name of a connection of kind `signed_webhook`.
    target: Text<1, 300>,
}

/// A way to tell.
#[value]
pub(crate) enum Way {
    Email,
    Webhook,
}

/// A way that can be used.
#[value]
pub(crate) struct Channel {
    kind: Way,
    /// As it was asked for.
    target: String,
    /// The connection that hands it over.
    connection_ref: Id<Connection>,
}

impl Channel {
    /// Whether it is a signed message.
    pub(super) const fn is_webhook(&self) -> bool {
        matches!(self.kind, Way::Webhook)
    }

    /// The connection that hands it over.
    pub(super) fn connection_ref(&self) -> &str {
        self.connection_ref.as_str()
    }

    /// The address, for mail.
    pub(super) fn target(&self) -> &str {
        &self.target
    }
}

/// The ways that were asked for, each with the connection that hands it over.
pub(super) fn read<'a>(cx: &Cx, wanted: impl Iterator<Item = &'a Wanted>) -> Result<Vec<Channel>> {
    let mut channels: Vec<Channel> = Vec::new();
    for (at, it) in wanted.enumerate() {
        let pointer = format!("/channels/{at}/target");
        let target = it.target.as_str().trim();
        let connection_ref = match it.kind {
            Way::Email => mail(cx, target, &pointer)?,
            Way::Webhook => webhook(cx, target, &pointer)?,
        };
        let channel = Channel { kind: it.kind, target: target.to_owned(), connection_ref: connection_ref.into() };
        if channels.contains(&channel) {
            return Err(Fault::invalid(pointer, "named_twice", "this channel is in the list already"));
        }
        channels.push(channel);
    }
    Ok(channels)
}

/// A server of mail that does well, or at least one.
fn mail(cx: &Cx, target: &str, pointer: &str) -> Result<String> {
    if !is_address(target) {
        let message = "an e-mail address is like ops@shop.example";
        return Err(Fault::invalid(pointer, "not_an_address", message));
    }
    let mut servers = cx.connections().of(MAIL);
    servers.sort_by_key(|it| it.state != ConnectionState::Ok);
    let server = servers.into_iter().next().ok_or_else(|| {
        connection_required(pointer.to_owned(), MAIL, "mail goes through your own server: connect it first")
    })?;
    Ok(server.reference)
}

fn webhook(cx: &Cx, target: &str, pointer: &str) -> Result<String> {
    let known = cx.connections().of(WEBHOOK);
    let found = known.into_iter().find(|it| it.reference == target || it.name == target);
    let found = found.ok_or_else(|| {
        let reason =
            "a webhook is a connection of kind signed_webhook, named by its reference or its name: add it first";
        connection_required(pointer.to_owned(), WEBHOOK, reason)
    })?;
    Ok(found.reference)
}

/// Whether a text has the form of an address with an ASCII local part (RFC 5321, 4.1.2, without quotes).
fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let atom = |letter: char| letter.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(letter);
    let label = |label: &str| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-');
    (1..=64).contains(&local.len())
        && local.chars().all(atom)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && domain.len() <= 253
        && domain.contains('.')
        && domain.split('.').all(label)
        && domain.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '.' | '-'))
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn an_address_has_a_local_part_and_a_domain() {
        for good in ["a@b.example", "first.last+tag@sub.shop.example", "o'neil@müller.example"] {
            assert!(is_address(good), "{good}");
        }
        for bad in ["", "a", "a@b", "@b.example", "a@", "a b@c.example", ".a@b.example", "a@-b.example", "a@b..example"]
        {
            assert!(!is_address(bad), "{bad}");
        }
    }
}
