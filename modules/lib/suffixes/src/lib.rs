//! What the Public Suffix List (publicsuffix.org/list) says of a name, compiled once.
//!
//! The list is a tree of functions that are compiled anew in each crate that asks it, which was most of a small crate's
//! compilation; so the modules ask it here, through functions that are compiled with this crate alone.

/// The end of a name below which others may register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suffix<'name> {
    /// Its text, such as `co.uk`, spelled as in the name.
    pub text: &'name str,
    /// Whether the list has it; else it is the last label, by the list's rule for all that it does not know.
    pub is_known: bool,
    /// Whether a company gives names away below it, as under `github.io`, and no registry sells them.
    pub is_private: bool,
}

/// The suffix of a name in ASCII and lower case, without a dot at its end; none for an empty name.
#[must_use]
#[inline(never)]
pub fn suffix(name: &str) -> Option<Suffix<'_>> {
    let found = psl::suffix(name.as_bytes())?;
    let text = name.get(name.len().checked_sub(found.as_bytes().len())?..)?;
    Some(Suffix { text, is_known: found.is_known(), is_private: found.typ() == Some(psl::Type::Private) })
}

/// The part of a name that somebody can register, such as `shop.co.uk` of `www.shop.co.uk`; none for a bare suffix.
#[must_use]
#[inline(never)]
pub fn registrable(name: &str) -> Option<&str> {
    psl::domain_str(name)
}

#[cfg(test)]
mod tests {
    use super::{Suffix, registrable, suffix};

    #[test]
    fn a_suffix_says_whether_the_list_has_it_and_who_gives_names_below_it() {
        let cases = [
            ("www.shop.co.uk", "co.uk", true, false),
            ("ada.github.io", "github.io", true, true),
            ("shop.notatld", "notatld", false, false),
            ("co.uk", "co.uk", true, false),
        ];
        for (name, text, is_known, is_private) in cases {
            assert_eq!(suffix(name), Some(Suffix { text, is_known, is_private }), "{name}");
        }
        assert_eq!(suffix(""), None);
    }

    #[test]
    fn what_somebody_can_register_is_one_label_more_than_the_suffix() {
        for (name, domain) in [
            ("www.shop.co.uk", Some("shop.co.uk")),
            ("a.b.ada.github.io", Some("ada.github.io")),
            ("shop.notatld", Some("shop.notatld")),
            ("co.uk", None),
            ("", None),
        ] {
            assert_eq!(registrable(name), domain, "{name}");
        }
    }
}
