//! What a fingerprint is: the signs that a technology leaves in an answer, as data.
//!
//! # Adding one
//!
//! Add a [`Mark`] to the file of its category under `marks/`. `sure` of a sign is how often, in percent, a page that has
//! the sign is really made with the technology; signs that stand on their own have 90 and more, hints have 30 to 60.

use sdk::prelude::*;

/// What a technology is for.
#[value]
pub(crate) enum Category {
    /// A system that keeps and shows content.
    Cms,
    /// A hosted service that people build websites with.
    SiteBuilder,
    /// A shop system.
    Shop,
    /// A plugin of a content or shop system.
    Plugin,
    /// A framework that makes the pages.
    Framework,
    /// A generator of static pages or documentation.
    StaticGenerator,
    /// A script library.
    Library,
    /// Measures visitors.
    Analytics,
    /// Puts other tags on the page.
    TagManager,
    /// Measures or shows advertising.
    Advertising,
    /// Asks for consent.
    Consent,
    /// Delivers pages or files from near the visitor.
    Cdn,
    /// Hosts the website.
    Hosting,
    /// Answers the requests.
    Server,
    /// The programming language behind the pages.
    Language,
    /// Talks with visitors or their machines: chat, captcha, forms, comments, search.
    Widget,
    /// Takes payments.
    Payment,
    /// Fonts from elsewhere.
    Fonts,
}

/// A technology and the signs it leaves.
pub(crate) struct Mark {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it is for.
    pub(crate) category: Category,
    /// Its signs; each counts once.
    pub(crate) signs: &'static [Sign],
    /// Technologies that it cannot be without.
    pub(crate) implies: &'static [&'static str],
}

/// One sign.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sign {
    /// Where it is looked for.
    pub(crate) place: Place,
    /// What is looked for there, whatever the case of its letters.
    pub(crate) needle: &'static str,
    /// How sure it is alone, in percent.
    pub(crate) sure: u8,
    /// The text that a version follows in the same value.
    pub(crate) version: Option<&'static str>,
}

/// Where a sign is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A response header of this name holds the needle.
    Header(&'static str),
    /// A cookie is named so; a star at the end stands for anything.
    Cookie,
    /// The address of a script holds it.
    Script,
    /// The address of a `<link>` holds it.
    Link,
    /// The `content` of a meta element of this name begins with it.
    Meta(&'static str),
    /// An element has this id; a star at the end stands for anything.
    Id,
    /// An element has this class; a star at the end stands for anything.
    Class,
    /// An element has an attribute of this name, whose value may hold a version.
    Attribute,
    /// The text of a script on the page holds it, letter for letter.
    Inline,
    /// The address of a picture or a frame holds it.
    Embed,
}

impl Sign {
    const fn at(place: Place, needle: &'static str, sure: u8) -> Self {
        Self { place, needle, sure, version: None }
    }

    /// The same sign; a version may follow this text in its value.
    pub(crate) const fn version(self, after: &'static str) -> Self {
        Self { version: Some(after), ..self }
    }
}

/// A technology without implications.
pub(crate) const fn mark(name: &'static str, category: Category, signs: &'static [Sign]) -> Mark {
    Mark { name, category, signs, implies: &[] }
}

/// A technology that cannot be without others.
pub(crate) const fn on(
    name: &'static str,
    category: Category,
    implies: &'static [&'static str],
    signs: &'static [Sign],
) -> Mark {
    Mark { name, category, signs, implies }
}

/// A header that holds a text; an empty one for any value.
pub(crate) const fn header(name: &'static str, holds: &'static str, sure: u8) -> Sign {
    Sign::at(Place::Header(name), holds, sure)
}

/// A cookie's name.
pub(crate) const fn cookie(name: &'static str, sure: u8) -> Sign {
    Sign::at(Place::Cookie, name, sure)
}

/// A part of a script's address.
pub(crate) const fn script(part: &'static str, sure: u8) -> Sign {
    Sign::at(Place::Script, part, sure)
}

/// A part of the address of a `<link>`.
pub(crate) const fn link(part: &'static str, sure: u8) -> Sign {
    Sign::at(Place::Link, part, sure)
}

/// How the generator names itself; what follows the name may be its version.
pub(crate) const fn generator(name: &'static str) -> Sign {
    Sign { version: Some(name), ..Sign::at(Place::Meta("generator"), name, 98) }
}

/// A meta element of a name.
pub(crate) const fn meta(name: &'static str, begins: &'static str, sure: u8) -> Sign {
    Sign::at(Place::Meta(name), begins, sure)
}

/// An element's id.
pub(crate) const fn id(name: &'static str, sure: u8) -> Sign {
    Sign::at(Place::Id, name, sure)
}

/// An element's class.
pub(crate) const fn class(name: &'static str, sure: u8) -> Sign {
    Sign::at(Place::Class, name, sure)
}

/// An attribute's name.
pub(crate) const fn attribute(name: &'static str, sure: u8) -> Sign {
    Sign::at(Place::Attribute, name, sure)
}

/// A part of a script on the page.
pub(crate) const fn inline(part: &'static str, sure: u8) -> Sign {
    Sign::at(Place::Inline, part, sure)
}

/// A part of the address of a picture or a frame.
pub(crate) const fn embed(part: &'static str, sure: u8) -> Sign {
    Sign::at(Place::Embed, part, sure)
}
