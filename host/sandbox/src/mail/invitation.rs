//! The letter that asks somebody whether they want a customer's mail. Of its text one paragraph is the guest's, and
//! that holds nothing that a mail program would make a link of.

use lettre::Address;
use model::legible::is_invisible;

use super::address;
use super::letter::{Class, Draft, Invalid, Letter, NO_ADDRESS};

/// Characters of the guest's words.
const LONGEST_WORDS: usize = 300;
/// The same for all: no customer and no module chooses it.
const SUBJECT: &str = "Do you want this mail?";
const WRONG_WORDS: &str = "words are one paragraph of 1 to 300 characters that can be seen";
const LINK: &str = "words hold no address of a page or of mail, and nothing that looks like one";

/// A checked invitation.
#[derive(Clone, Debug)]
pub(crate) struct Invitation {
    to: Address,
    words: String,
}

impl Invitation {
    /// Checks whom to ask, and the words that say what for.
    pub(crate) fn check(to: &str, words: &str) -> Result<Self, Invalid> {
        let invalid = |member: &str, why| Invalid { member: member.to_owned(), why };
        let to = address::parse(to).ok_or_else(|| invalid("address", NO_ADDRESS))?;
        let words = words.trim();
        let breaks = |it: char| is_invisible(it) || matches!(it, '\u{2028}' | '\u{2029}');
        if !(1..=LONGEST_WORDS).contains(&words.chars().count()) || words.chars().any(breaks) {
            return Err(invalid("words", WRONG_WORDS));
        }
        if leads_away(words) {
            return Err(invalid("words", LINK));
        }
        Ok(Self { to, words: words.to_owned() })
    }

    pub(crate) fn to(&self) -> &Address {
        &self.to
    }

    pub(crate) fn words(&self) -> &str {
        &self.words
    }

    /// A digest that identifies this invitation among what the same address sends.
    pub(crate) fn digest(&self, from: &Address) -> Result<String, Invalid> {
        Ok(self.letter(from, "")?.digest(from))
    }

    /// The letter, with the address of the page on which it is answered.
    pub(crate) fn letter(&self, from: &Address, page: &str) -> Result<Letter, Invalid> {
        let Self { to, words } = self;
        let text = format!(
            "{from} asks whether it may write to you at {to}. What for, in its own words:\n\n\
             \"{words}\"\n\n\
             Say yes or no on this page, within 30 days:\n\n{page}\n\n\
             Nothing is sent to you unless you say yes there. If you do not want it, you need to do nothing; if you say \
             no there, you are not asked again.\n"
        );
        let draft = Draft {
            class: Class::Transactional,
            from_name: None,
            to: vec![to.to_string()],
            reply_to: None,
            subject: SUBJECT.to_owned(),
            text,
            html: None,
            in_reply_to: None,
            references: Vec::new(),
            attachments: Vec::new(),
        };
        draft.check()
    }
}

/// Whether a mail program would make a link of a part of a text: an address of a page or of mail, or a name with a dot.
fn leads_away(words: &str) -> bool {
    // Dots and at signs of other widths and scripts are read as these by whoever resolves names (UTS #46).
    let plain: String = words
        .chars()
        .map(|it| match it {
            '\u{3002}' | '\u{ff0e}' | '\u{ff61}' | '\u{2024}' | '\u{fe52}' => '.',
            '\u{ff20}' | '\u{fe6b}' => '@',
            '\u{ff1a}' => ':',
            '\u{ff0f}' => '/',
            other => other,
        })
        .collect();
    let is_name = |it: char| it.is_alphanumeric() || matches!(it, '.' | '-' | '_');
    let has_dot_within = |part: &str| {
        let labels: Vec<&str> = part.split('.').collect();
        labels.windows(2).any(|pair| {
            let [before, after] = pair else { return false };
            !before.is_empty() && after.chars().count() >= 2 && after.chars().next().is_some_and(char::is_alphabetic)
        })
    };
    plain.contains('@') || plain.contains("//") || plain.split(|it| !is_name(it)).any(has_dot_within)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(to: &str, words: &str) -> String {
        Invitation::check(to, words).expect_err(words).member
    }

    #[test]
    fn the_host_writes_all_of_the_letter_but_one_paragraph() {
        let from = address::parse("hello@shop.example").expect("an address");
        let words = "  The weekly report on our shop, e.g. what sold in no. 3, costs 1.5 hours to read.  ";
        let invitation = Invitation::check("bob@shop.example", words).expect("an invitation");
        let letter = invitation.letter(&from, "https://espalier.example/c/esp_cf_x").expect("a letter");
        let stamp =
            crate::mail::letter::Stamp { from: &from, id: "x", date: model::clock::Moment(0), unsubscribe: None };
        let text = String::from_utf8(letter.write(&stamp).expect("bytes")).expect("text");
        // A line that ends in `=` goes on in the next (RFC 2045, section 6.7, rule 5).
        let text = text.replace("=\r\n", "");
        for part in [
            "From: hello@shop.example\r\n",
            "Subject: Do you want this mail?\r\n",
            "To: bob@shop.example\r\n",
            "Content-Type: text/plain; charset=utf-8\r\n",
            "\"The weekly report on our shop, e.g. what sold in no. 3, costs 1.5 hours to read.\"\r\n",
            "\r\nhttps://espalier.example/c/esp_cf_x\r\n",
        ] {
            assert!(text.contains(part), "{part} {text}");
        }
    }

    #[test]
    fn words_that_lead_elsewhere_or_make_another_paragraph_are_refused() {
        let long = "a".repeat(301);
        for words in [
            "",
            "  ",
            &long,
            "One.\n\nTwo.",
            "A\u{0}b",
            "Turned \u{202e}round",
            "Hidden \u{200b}gap",
            "New\u{2028}line",
            "See https://evil.example/win",
            "See //evil",
            "See www.evil",
            "See evil.example",
            "See EVIL.Example!",
            "See evil\u{3002}example",
            "Ask eve@evil",
            "Ask eve\u{ff20}evil",
            "See b\u{fc}cher.example",
        ] {
            assert_eq!(wrong("bob@shop.example", words), "words", "{words:?}");
        }
        assert_eq!(wrong("bob", "The weekly report"), "address");
        assert_eq!(wrong("bob@shop.example\r\nBcc: eve@evil.example", "The weekly report"), "address");
    }

    #[test]
    fn an_invitation_has_one_digest_whatever_its_page_is() {
        let from = address::parse("hello@shop.example").expect("an address");
        let digest = |to, words| Invitation::check(to, words).expect("an invitation").digest(&from).expect("a digest");
        assert_eq!(digest("bob@shop.example", "The report"), digest("bob@shop.example", "The report "));
        assert_ne!(digest("bob@shop.example", "The report"), digest("bob@shop.example", "Another"));
        assert_ne!(digest("bob@shop.example", "The report"), digest("eve@shop.example", "The report"));
    }
}
