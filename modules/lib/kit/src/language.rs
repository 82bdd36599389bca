//! In which language a text is written, by its trigrams.

use whatlang::{Detector, Lang};

/// ISO 639-3 codes of the languages that can be told apart, and the ISO 639-1 codes that pages declare.
const CODES: &[(Lang, &str)] = &[
    (Lang::Afr, "af"),
    (Lang::Aka, "ak"),
    (Lang::Amh, "am"),
    (Lang::Ara, "ar"),
    (Lang::Aze, "az"),
    (Lang::Bel, "be"),
    (Lang::Ben, "bn"),
    (Lang::Bul, "bg"),
    (Lang::Cat, "ca"),
    (Lang::Ces, "cs"),
    (Lang::Cym, "cy"),
    (Lang::Cmn, "zh"),
    (Lang::Dan, "da"),
    (Lang::Deu, "de"),
    (Lang::Ell, "el"),
    (Lang::Eng, "en"),
    (Lang::Epo, "eo"),
    (Lang::Est, "et"),
    (Lang::Fin, "fi"),
    (Lang::Fra, "fr"),
    (Lang::Guj, "gu"),
    (Lang::Heb, "he"),
    (Lang::Hin, "hi"),
    (Lang::Hrv, "hr"),
    (Lang::Hun, "hu"),
    (Lang::Hye, "hy"),
    (Lang::Ind, "id"),
    (Lang::Ita, "it"),
    (Lang::Jav, "jv"),
    (Lang::Jpn, "ja"),
    (Lang::Kan, "kn"),
    (Lang::Kat, "ka"),
    (Lang::Khm, "km"),
    (Lang::Kor, "ko"),
    (Lang::Lat, "la"),
    (Lang::Lav, "lv"),
    (Lang::Lit, "lt"),
    (Lang::Mal, "ml"),
    (Lang::Mar, "mr"),
    (Lang::Mkd, "mk"),
    (Lang::Mya, "my"),
    (Lang::Nep, "ne"),
    (Lang::Nld, "nl"),
    (Lang::Nob, "nb"),
    (Lang::Ori, "or"),
    (Lang::Pan, "pa"),
    (Lang::Pes, "fa"),
    (Lang::Pol, "pl"),
    (Lang::Por, "pt"),
    (Lang::Ron, "ro"),
    (Lang::Rus, "ru"),
    (Lang::Sin, "si"),
    (Lang::Slk, "sk"),
    (Lang::Slv, "sl"),
    (Lang::Sna, "sn"),
    (Lang::Spa, "es"),
    (Lang::Srp, "sr"),
    (Lang::Swe, "sv"),
    (Lang::Tam, "ta"),
    (Lang::Tel, "te"),
    (Lang::Tgl, "tl"),
    (Lang::Tha, "th"),
    (Lang::Tuk, "tk"),
    (Lang::Tur, "tr"),
    (Lang::Ukr, "uk"),
    (Lang::Urd, "ur"),
    (Lang::Uzb, "uz"),
    (Lang::Vie, "vi"),
    (Lang::Yid, "yi"),
    (Lang::Zul, "zu"),
];

/// The most bytes that are looked at: trigrams of more say the same.
const LOOKED_AT: usize = 20_000;

/// A language and how sure that is.
#[derive(Debug, Clone, PartialEq)]
pub struct Guess {
    /// ISO 639-1, such as `de`.
    pub language: &'static str,
    /// The English name.
    pub name: &'static str,
    /// From 0 to 1: how far it is ahead of the next.
    pub confidence: f64,
}

/// The language of a text; none without letters.
#[must_use]
pub fn detect(text: &str) -> Option<Guess> {
    guess(&Detector::new(), text)
}

/// The most likely languages, the best first: each is the best when those before it are left out.
#[must_use]
pub fn ranking(text: &str, most: usize) -> Vec<Guess> {
    let mut found: Vec<Guess> = Vec::new();
    let mut out: Vec<Lang> = Vec::new();
    while found.len() < most {
        let Some(next) = guess(&Detector::with_denylist(out.clone()), text) else { break };
        let Some(lang) = lang(next.language) else { break };
        if out.contains(&lang) {
            break;
        }
        out.push(lang);
        found.push(next);
    }
    found
}

fn guess(detector: &Detector, text: &str) -> Option<Guess> {
    let info = detector.detect(&text[..text.floor_char_boundary(LOOKED_AT)])?;
    let language = code(info.lang())?;
    Some(Guess { language, name: info.lang().eng_name(), confidence: info.confidence() })
}

fn code(lang: Lang) -> Option<&'static str> {
    CODES.iter().find(|(known, _)| *known == lang).map(|(_, code)| *code)
}

fn lang(code: &str) -> Option<Lang> {
    CODES.iter().find(|(_, known)| *known == code).map(|(lang, _)| *lang)
}

/// The language of a declared tag, for comparison: `pt` of `pt-BR`, `nb` of `no`, `he` of `iw`, `id` of `in`.
#[must_use]
pub fn primary(tag: &str) -> String {
    let first = tag.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    match first.as_str() {
        "no" | "nn" => "nb".to_owned(),
        "iw" => "he".to_owned(),
        "in" => "id".to_owned(),
        "ji" => "yi".to_owned(),
        _ => first,
    }
}

/// Whether this is the code of a language that can be told apart.
#[must_use]
pub fn is_known(code: &str) -> bool {
    lang(code).is_some()
}

#[cfg(test)]
mod tests;
