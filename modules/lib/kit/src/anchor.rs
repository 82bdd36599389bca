//! Texts of links that say nothing of where they lead: one list for every module.
//!
//! Lighthouse has a list of its own (`audit`, `lighthouse/anchors.rs`), word for word, so that its score is reproduced.

/// Whole texts, in lower case and without the signs around them. No word is here that is a name in another language: `Start`
/// is what German websites call their home page.
const GENERIC: &[&str] = &[
    // English
    "article",
    "back",
    "check it out",
    "click",
    "click here",
    "click this",
    "click for more",
    "continue",
    "continue reading",
    "details",
    "discover more",
    "download",
    "find out more",
    "full article",
    "full story",
    "get started",
    "go",
    "go here",
    "here",
    "info",
    "information",
    "keep reading",
    "learn more",
    "link",
    "more",
    "more details",
    "more info",
    "more information",
    "next",
    "next page",
    "page",
    "prev",
    "previous",
    "previous page",
    "read",
    "read full article",
    "read more",
    "read on",
    "read this",
    "right here",
    "see details",
    "see more",
    "show more",
    "source",
    "this",
    "this article",
    "this link",
    "this page",
    "this post",
    "this site",
    "view",
    "view all",
    "view details",
    "view more",
    "visit",
    "visit website",
    "website",
    // German
    "hier",
    "hier klicken",
    "klick hier",
    "klicke hier",
    "klicken sie hier",
    "mehr",
    "mehr dazu",
    "mehr erfahren",
    "mehr infos",
    "mehr informationen",
    "mehr lesen",
    "weiter",
    "weiterlesen",
    "zurück",
    "zum artikel",
    "zur seite",
    // French
    "cliquez ici",
    "en savoir plus",
    "ici",
    "lire l'article",
    "lire la suite",
    "lire plus",
    "plus d'informations",
    "précédent",
    "suivant",
    "voir plus",
    // Spanish
    "aquí",
    "haga clic aquí",
    "haz clic aquí",
    "leer más",
    "más información",
    "saber más",
    "siguiente",
    "ver más",
    // Italian
    "clicca qui",
    "continua a leggere",
    "leggi di più",
    "leggi tutto",
    "qui",
    "scopri di più",
    // Dutch
    "klik hier",
    "lees meer",
    "lees verder",
    "meer",
    "meer informatie",
    "meer lezen",
    // Portuguese
    "aqui",
    "clique aqui",
    "leia mais",
    "saiba mais",
    "ver mais",
    // Polish
    "czytaj więcej",
    "dowiedz się więcej",
    "kliknij tutaj",
    "tutaj",
    "więcej",
    // Swedish, Danish, Norwegian, Finnish
    "klicka här",
    "läs mer",
    "läs vidare",
    "klik her",
    "læs mere",
    "klikk her",
    "les mer",
    "klikkaa tästä",
    "lue lisää",
    // Turkish
    "buraya tıklayın",
    "devamını oku",
    "tıklayın",
    // Russian, Ukrainian
    "здесь",
    "нажмите здесь",
    "подробнее",
    "узнать больше",
    "читать далее",
    "читать дальше",
    "детальніше",
    "читати далі",
    // Japanese, Chinese, Korean
    "こちら",
    "ここ",
    "ここをクリック",
    "もっと見る",
    "続きを読む",
    "詳しくはこちら",
    "詳細",
    "点击这里",
    "更多",
    "查看更多",
    "了解更多",
    "阅读更多",
    "閱讀更多",
    "더 보기",
    "더보기",
    "여기",
    "자세히 보기",
];

/// Digits of a text of nothing else that still says nothing, such as a footnote or the number of a page; four are a year.
const DIGITS: usize = 3;

/// Whether the text of a link says nothing of its target. A link without a text is another fault.
#[must_use]
pub fn is_generic(text: &str) -> bool {
    let text = text.trim();
    if text.is_empty() {
        return false;
    }
    let plain = text.trim_matches(|it: char| !it.is_alphanumeric()).to_lowercase().replace('’', "'");
    if !plain.chars().any(char::is_alphabetic) {
        // A sign, an arrow, `[1]`: whatever has no letter and is no longer number.
        return plain.chars().filter(char::is_ascii_digit).count() <= DIGITS;
    }
    GENERIC.contains(&plain.split_whitespace().collect::<Vec<_>>().join(" ").as_str())
}

#[cfg(test)]
mod tests {
    use super::is_generic;

    #[test]
    fn texts_that_fit_every_link_say_nothing_and_names_say_something() {
        let nothing = [
            "Read more",
            "read  more »",
            "here",
            "HERE.",
            "¶",
            "[1]",
            "#",
            "→",
            "1",
            "»",
            "Previous",
            "← Previous",
            "Weiterlesen …",
            "En savoir plus",
            "Lire l’article",
            "подробнее",
            "続きを読む",
            "[Link]",
            "tıklayın",
        ];
        for text in nothing {
            assert!(is_generic(text), "{text}");
        }
        let something = [
            "",
            "Start",
            "Brass lamps",
            "2024",
            "Read more about lamps",
            "C++",
            "Kontakt",
            "R",
            "日本語",
            "1984 (novel)",
            "Go language",
        ];
        for text in something {
            assert!(!is_generic(text), "{text}");
        }
    }
}
