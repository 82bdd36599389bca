//! What Google takes in no post and no description, looked for before anything is sent.
//!
//! Source: support.google.com/business/answer/7213077 (content of posts) and answer/3038177 (descriptions and names), and the
//! bounds of the API.

use sdk::prelude::*;

/// The most characters of a post.
pub(crate) const MOST: usize = 1_500;
/// The share of words in capitals above which a text shouts.
const SHOUTS: f64 = 0.3;

/// Services that make addresses short; Google refuses them for hiding where they lead.
const SHORTENERS: [&str; 12] = [
    "bit.ly",
    "tinyurl.com",
    "goo.gl",
    "t.co",
    "ow.ly",
    "is.gd",
    "buff.ly",
    "rebrand.ly",
    "cutt.ly",
    "shorturl.at",
    "tiny.cc",
    "lnkd.in",
];

/// Goods that no post may offer, by language: alcohol and tobacco, gambling, weapons, what is for adults, drugs.
const GOODS: [(&str, &[&str]); 4] = [
    (
        "en",
        &[
            "tobacco",
            "cigarette",
            "cigarettes",
            "cigars",
            "vape",
            "vapes",
            "vaping",
            "casino",
            "betting",
            "gambling",
            "firearm",
            "firearms",
            "handgun",
            "ammunition",
            "ammo",
            "explosives",
            "cannabis",
            "marijuana",
            "escort",
            "escorts",
            "porn",
            "vodka",
            "whisky",
            "whiskey",
        ],
    ),
    (
        "de",
        &[
            "tabak",
            "zigaretten",
            "zigarren",
            "casino",
            "sportwetten",
            "glücksspiel",
            "schusswaffen",
            "munition",
            "cannabis",
            "marihuana",
            "escort",
            "pornografie",
            "wodka",
            "whisky",
        ],
    ),
    (
        "fr",
        &[
            "tabac",
            "cigarettes",
            "cigares",
            "vapoteuse",
            "casino",
            "paris sportifs",
            "armes à feu",
            "munitions",
            "cannabis",
            "escort",
            "vodka",
            "whisky",
        ],
    ),
    (
        "es",
        &[
            "tabaco",
            "cigarrillos",
            "cigarros",
            "vapeador",
            "casino",
            "apuestas",
            "armas de fuego",
            "municiones",
            "cannabis",
            "marihuana",
            "vodka",
            "whisky",
        ],
    ),
];

/// Words for a review beside words for a reward, by language.
const REVIEWS: [&str; 8] = ["review", "reviews", "rating", "bewertung", "bewertungen", "rezension", "avis", "reseña"];
const REWARDS: [&str; 16] = [
    "discount",
    "voucher",
    "gift",
    "free",
    "off",
    "win",
    "raffle",
    "reward",
    "rabatt",
    "gutschein",
    "gratis",
    "geschenk",
    "remise",
    "cadeau",
    "descuento",
    "regalo",
];

/// Why a text is refused.
#[value]
pub(crate) enum Problem {
    TooLong,
    /// A telephone number stands in the text; the profile has a button for it.
    PhoneInText,
    /// More than one link.
    ManyLinks,
    /// A link that hides where it leads.
    LinkShortener,
    /// More than three in ten words in capitals.
    AllCapitals,
    /// Such as `!!!`.
    RepeatedPunctuation,
    /// Goods that Google lets nobody offer in posts.
    RestrictedGoods,
    /// A reward for a review.
    ReviewReward,
}

impl Problem {
    /// What is wrong, in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::TooLong => "a post has at most 1,500 characters",
            Self::PhoneInText => "a telephone number stands in the text; people call by the button of the profile",
            Self::ManyLinks => "a post has one link",
            Self::LinkShortener => "a short link hides where it leads",
            Self::AllCapitals => "more than three in ten words are in capitals",
            Self::RepeatedPunctuation => "punctuation is repeated",
            Self::RestrictedGoods => "the text offers goods that Google lets nobody offer in posts",
            Self::ReviewReward => "the text offers a reward for a review",
        }
    }
}

/// What is wrong with the text of a post and its link.
pub(crate) fn in_post(text: &str, link: Option<&str>) -> Vec<Problem> {
    let mut all = Vec::new();
    let lower = text.to_lowercase();
    let links = addresses(&lower);
    if text.chars().count() > MOST {
        all.push(Problem::TooLong);
    }
    if has_phone(text) {
        all.push(Problem::PhoneInText);
    }
    if links.len() + usize::from(link.is_some()) > 1 {
        all.push(Problem::ManyLinks);
    }
    let is_short = |address: &str| {
        let bare = address.trim_start_matches("https://").trim_start_matches("http://").trim_start_matches("www.");
        let host = bare.split(['/', '?', '#']).next().unwrap_or_default();
        SHORTENERS.contains(&host)
    };
    if links.iter().copied().chain(link).any(|it| is_short(&it.to_lowercase())) {
        all.push(Problem::LinkShortener);
    }
    let words: Vec<&str> =
        kit::text::words(text).filter(|it| it.chars().filter(|c| c.is_alphabetic()).count() > 2).collect();
    let loud = words.iter().filter(|it| it.chars().all(|c| !c.is_lowercase())).count();
    #[expect(clippy::cast_precision_loss, reason = "a post has few words")]
    if words.len() >= 5 && loud as f64 / words.len() as f64 > SHOUTS {
        all.push(Problem::AllCapitals);
    }
    if repeats(text) {
        all.push(Problem::RepeatedPunctuation);
    }
    if offers_restricted(&lower) {
        all.push(Problem::RestrictedGoods);
    }
    if kit::sentence::sentences(text).into_iter().any(rewards_review) {
        all.push(Problem::ReviewReward);
    }
    all
}

/// What is wrong with a description of a business, in words.
pub(crate) fn in_description(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    if !addresses(&lower).is_empty() {
        return Some("an address of the web stands in it");
    }
    if has_phone(text) {
        return Some("a telephone number stands in it");
    }
    offers_restricted(&lower).then_some("it offers goods that Google lets nobody offer")
}

fn offers_restricted(lower: &str) -> bool {
    let language = kit::language::detect(lower).map(|it| it.language);
    let words: Vec<&str> = kit::text::words(lower).collect();
    let joined = words.join(" ");
    let lists = GOODS.iter().filter(|(code, _)| language.is_none_or(|own| own == *code || *code == "en"));
    lists
        .flat_map(|(_, goods)| goods.iter())
        .any(|goods| if goods.contains(' ') { joined.contains(goods) } else { words.contains(goods) })
}

fn rewards_review(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> = kit::text::words(&lower).collect();
    let has = |list: &[&str]| words.iter().any(|it| list.contains(it));
    has(&REVIEWS) && has(&REWARDS)
}

fn repeats(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    // Three dots are an ellipsis.
    chars.windows(3).any(|it| matches!(it[0], '!' | '?') && matches!(it[1], '!' | '?') && matches!(it[2], '!' | '?'))
}

/// Addresses of the web in a text in small letters.
fn addresses(lower: &str) -> Vec<&str> {
    let is_address =
        |word: &&str| word.starts_with("http://") || word.starts_with("https://") || word.starts_with("www.");
    lower.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '<' | '>')).filter(is_address).collect()
}

/// Whether a run of digits reads like a telephone number: nine or more of them with nothing but signs of numbers between, and
/// no date, price or range.
pub(crate) fn has_phone(text: &str) -> bool {
    runs(text).any(|run| {
        let digits = run.chars().filter(char::is_ascii_digit).count();
        let groups = run.split(|c: char| !c.is_ascii_digit()).filter(|it| !it.is_empty());
        let groups: Vec<&str> = groups.collect();
        let begins = run.trim_start().starts_with('+')
            || groups.first().is_some_and(|it| it.starts_with('0'))
            || run.starts_with('(');
        let is_date =
            groups.iter().any(|it| it.len() == 4 && (it.starts_with("19") || it.starts_with("20"))) && digits <= 8;
        let is_range = run.matches(['–', '—']).count() > 0;
        // Ten digits in groups as the United States write them begin with no sign.
        let is_american = digits == 10 && groups.iter().map(|it| it.len()).eq([3, 3, 4]);
        !is_date && !is_range && (7..=15).contains(&digits) && ((begins && digits >= 8) || is_american)
    })
}

/// Runs of digits with signs of telephone numbers between.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '(' | ')' | '-' | '.' | '/' | ' ' | '\u{a0}' | '–');
    text.split(move |c: char| !is_part(c))
        .map(|it| it.trim_matches(|c: char| matches!(c, ' ' | '.' | '-' | '/' | ')')))
        .filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_google_refuses_is_found_and_plain_texts_pass() {
        let refused = [
            ("Call us today at +44 20 7946 0101 for a lamp.", Problem::PhoneInText),
            ("Ruf uns an: 030 9018 2000.", Problem::PhoneInText),
            ("Call (415) 555-2671 now", Problem::PhoneInText),
            ("Call 415-555-2671 now", Problem::PhoneInText),
            ("See https://a.example/x and https://b.example/y", Problem::ManyLinks),
            ("More at https://bit.ly/3abc", Problem::LinkShortener),
            ("HUGE SALE ON ALL LAMPS THIS WEEK ONLY", Problem::AllCapitals),
            ("New lamps are here!!!", Problem::RepeatedPunctuation),
            ("Fine whisky and cigars in our shop this weekend", Problem::RestrictedGoods),
            ("Leave a review and get a discount of 10 percent", Problem::ReviewReward),
            ("Für jede Bewertung gibt es einen Gutschein.", Problem::ReviewReward),
        ];
        for (text, problem) in refused {
            assert!(in_post(text, None).contains(&problem), "{text}: {:?}", in_post(text, None));
        }
        let passing = [
            "Bring a lamp that went dark: we mend it on Saturdays from 10:00 to 16:00.",
            "Our winter opening hours begin on 2026-12-01 and end on 2027-02-28.",
            "From 24.12.2026 to 06.01.2027 the workshop is closed.",
            "The brass lamp costs £1,250.00 and comes with 3 bulbs of 800 lumens each.",
            "Free parking behind the shop. Thank you for your reviews.",
            "LED or halogen? We show both. What do you think...",
            "NASA loved our lamp, and so will you when you read at night.",
        ];
        for text in passing {
            assert_eq!(in_post(text, Some("https://shop.example/")), [], "{text}");
        }
        assert!(in_post(&"long ".repeat(301), None).contains(&Problem::TooLong));
        assert_eq!(in_description("Lamps made to be mended, since 1987."), None);
        assert!(in_description("See www.shop.example").is_some());
    }
}
