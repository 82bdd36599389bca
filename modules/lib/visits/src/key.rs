//! The keys of stored requests.

/// Whether a bot is who it says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Nobody could tell.
    Unverified,
    /// Its address is one of its operator's.
    Verified,
    /// Its address is not one of its operator's.
    Spoofed,
}

impl Verdict {
    const fn digit(self) -> char {
        match self {
            Self::Unverified => '0',
            Self::Verified => '1',
            Self::Spoofed => '2',
        }
    }

    fn of(digit: char) -> Option<Self> {
        [Self::Unverified, Self::Verified, Self::Spoofed].into_iter().find(|it| it.digit() == digit)
    }
}

/// What requests are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key<'a> {
    /// Requests of a bot.
    Bot {
        /// The address, normalised.
        url: &'a str,
        /// The family; `?name` for one that the table does not know.
        family: &'a str,
        /// Whether it is who it says it is.
        verdict: Verdict,
        /// The status of the answer.
        status: u16,
    },
    /// Requests of browsers.
    People {
        /// The first folder of the path, such as `/blog/`.
        folder: &'a str,
        /// The status of the answer.
        status: u16,
    },
    /// Visits that an assistant sent.
    Referral {
        /// The assistant, such as `chatgpt`.
        product: &'a str,
        /// The page, normalised.
        url: &'a str,
    },
    /// Requests under a name that was not theirs.
    Impostor {
        /// The family that they said they were.
        family: &'a str,
        /// Their network: a /24 or a /48.
        network: &'a str,
        /// What tells addresses of the network apart without saying them; empty where nothing was kept of them.
        mark: &'a str,
    },
}

impl<'a> Key<'a> {
    /// The first letter of the keys of bots, with what follows it.
    pub const BOTS: &'static [u8] = b"b\0";
    /// That of people.
    pub const PEOPLE: &'static [u8] = b"p\0";
    /// That of referrals.
    pub const REFERRALS: &'static [u8] = b"r\0";
    /// That of impostors.
    pub const IMPOSTORS: &'static [u8] = b"s\0";

    /// The bytes that it is stored by.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let text = match self {
            Self::Bot { url, family, verdict, status } => {
                format!("b\0{url}\0{family}\0{}{:03}", verdict.digit(), status.min(&999))
            }
            Self::People { folder, status } => format!("p\0{folder}\0{:03}", status.min(&999)),
            Self::Referral { product, url } => format!("r\0{product}\0{url}"),
            Self::Impostor { family, network, mark } => format!("s\0{family}\0{network}\0{mark}"),
        };
        text.into_bytes()
    }

    /// Reads what [`Self::bytes`] wrote.
    #[must_use]
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut parts = text.split('\0');
        let kind = parts.next()?;
        let (first, second, third) = (parts.next()?, parts.next()?, parts.next());
        Some(match kind {
            "b" => {
                let third = third?;
                let verdict = Verdict::of(third.chars().next()?)?;
                Self::Bot { url: first, family: second, verdict, status: third.get(1..)?.parse().ok()? }
            }
            "p" => Self::People { folder: first, status: second.parse().ok()? },
            "r" => Self::Referral { product: first, url: second },
            "s" => Self::Impostor { family: first, network: second, mark: third.unwrap_or_default() },
            _ => return None,
        })
    }
}
