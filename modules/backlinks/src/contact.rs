//! The contact page of a website, by what its links say.

use kit::page::PageFacts;

/// What links to contact pages say or have in their addresses, in fifteen languages.
const WORDS: [&str; 30] = [
    "contact",
    "contact us",
    "get in touch",
    "kontakt",
    "kontaktieren",
    "contacto",
    "contactar",
    "contactez-nous",
    "contatti",
    "contattaci",
    "contato",
    "contate-nos",
    "contacte",
    "neem contact op",
    "kontakta oss",
    "kontakt os",
    "ota yhteyttä",
    "yhteystiedot",
    "skontaktuj się",
    "kontakty",
    "kapcsolat",
    "iletişim",
    "контакты",
    "связаться",
    "επικοινωνία",
    "お問い合わせ",
    "联系我们",
    "聯絡我們",
    "문의",
    "اتصل بنا",
];

/// The first link that leads to a contact page of the same website; none where no link says so. Nothing is guessed.
pub(crate) fn url(facts: &PageFacts) -> Option<String> {
    let says = |text: &str| {
        let text = text.trim().to_lowercase();
        WORDS.iter().any(|it| text == *it)
    };
    let names = |url: &str| {
        let path = url.split_once("://").and_then(|it| it.1.split_once('/')).map_or("", |it| it.1);
        let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_lowercase();
        let last = last.split(['.', '?']).next().unwrap_or_default();
        matches!(
            last,
            "contact" | "contact-us" | "contactus" | "kontakt" | "contacto" | "contatti" | "contato" | "contactez-nous"
        )
    };
    let own = || facts.links.iter().filter(|it| it.internal && !it.url.is_empty());
    let by_text = own().find(|it| says(&it.anchor));
    by_text.or_else(|| own().find(|it| names(&it.url))).map(|it| it.url.clone())
}
