//! The words of the lint, folded: stems at the beginning of words, and parts where words have no spaces between them.

use super::Asking::{self, Click, Rating, Review, Search};

/// Words between the first and the last stem of a rule, at most.
const WITHIN: usize = 6;

/// What is asked for by stems that follow one another within a few words. `word=` is the whole word.
pub(super) const STEMS: &[(Asking, &[&str])] = &[
    // Names of search engines and what is done there, in any language.
    (Search, &["google"]),
    (Search, &["goog=", "le="]),
    (Search, &["googel"]),
    (Search, &["ergoogl"]),
    (Search, &["bing="]),
    (Search, &["yahoo"]),
    (Search, &["duckduckgo"]),
    (Search, &["yandex"]),
    (Search, &["baidu"]),
    (Search, &["ecosia"]),
    (Search, &["serp="]),
    (Search, &["serps="]),
    (Search, &["keyword"]),
    (Search, &["querie"]),
    (Search, &["query"]),
    // English.
    (Search, &["search"]),
    (Search, &["look=", "up="]),
    (Search, &["find=", "us=", "on="]),
    (Click, &["click"]),
    (Click, &["tap=", "result"]),
    (Click, &["open", "result"]),
    (Click, &["result", "page="]),
    (Rating, &["rate="]),
    (Rating, &["rating"]),
    (Rating, &["upvote"]),
    (Rating, &["star=", "rat"]),
    (Rating, &["five=", "star="]),
    (Rating, &["five=", "stars="]),
    (Rating, &["5=", "star="]),
    (Rating, &["5=", "stars="]),
    (Rating, &["give", "stars="]),
    (Review, &["review"]),
    (Review, &["testimonial"]),
    (Review, &["feedback=", "on=", "maps="]),
    (Review, &["leave=", "feedback"]),
    (Review, &["trustpilot"]),
    (Review, &["tripadvisor"]),
    (Review, &["yelp="]),
    // German; folding makes ü u, and people write ue.
    (Search, &["such="]),
    (Search, &["suche="]),
    (Search, &["suchen="]),
    (Search, &["sucht="]),
    (Search, &["gesucht"]),
    (Search, &["suchmaschin"]),
    (Search, &["suchergebnis"]),
    (Search, &["suchbegriff"]),
    (Click, &["klick"]),
    (Click, &["anklick"]),
    (Click, &["angeklickt"]),
    (Click, &["draufklick"]),
    (Rating, &["bewert"]),
    (Rating, &["sterne"]),
    (Rating, &["benot"]),
    (Review, &["rezension"]),
    (Review, &["rezensier"]),
    (Review, &["erfahrungsbericht"]),
    // French.
    (Search, &["recherch"]),
    (Search, &["cherche"]),
    (Search, &["cherchez"]),
    (Search, &["chercher"]),
    (Click, &["cliqu"]),
    (Click, &["clic="]),
    (Click, &["clics="]),
    (Rating, &["notez"]),
    (Rating, &["noter="]),
    (Rating, &["note=", "nous="]),
    (Rating, &["etoile"]),
    (Review, &["avis="]),
    (Review, &["temoignage"]),
    (Review, &["commentaire", "positif"]),
    // Spanish.
    (Search, &["busca="]),
    (Search, &["buscar"]),
    (Search, &["busque"]),
    (Search, &["buscad"]),
    (Search, &["buscador"]),
    (Search, &["busqueda"]),
    (Click, &["clica="]),
    (Click, &["clicar"]),
    (Click, &["clique"]),
    (Click, &["pincha"]),
    (Rating, &["califica"]),
    (Rating, &["puntua"]),
    (Rating, &["puntue"]),
    (Rating, &["valora"]),
    (Rating, &["estrella"]),
    (Review, &["resena"]),
    (Review, &["opinion", "positiva"]),
    (Review, &["deja", "opinion"]),
    // Italian.
    (Search, &["cerca=", "su="]),
    (Search, &["cerca=", "il="]),
    (Search, &["cercare="]),
    (Search, &["cercate="]),
    (Search, &["ricerca="]),
    (Search, &["ricerche="]),
    (Click, &["clicca"]),
    (Rating, &["valuta="]),
    (Rating, &["valutare"]),
    (Rating, &["valutazion"]),
    (Rating, &["stelle="]),
    (Rating, &["vota="]),
    (Review, &["recension"]),
    (Review, &["recensi"]),
    // Portuguese.
    (Search, &["pesquis"]),
    (Search, &["procure="]),
    (Search, &["procura", "por="]),
    (Rating, &["avalie"]),
    (Rating, &["avaliac"]),
    (Rating, &["avaliar"]),
    (Rating, &["estrela"]),
    (Review, &["resenha"]),
    (Review, &["depoimento"]),
    // Dutch.
    (Search, &["zoek"]),
    (Search, &["opzoek"]),
    (Search, &["gezocht"]),
    (Click, &["klik"]),
    (Rating, &["beoorde"]),
    (Rating, &["sterren"]),
    (Rating, &["waardering"]),
    (Review, &["recensie"]),
    // Polish.
    (Search, &["szukaj"]),
    (Search, &["wyszuk"]),
    (Search, &["wpisz"]),
    (Rating, &["ocen="]),
    (Rating, &["ocene="]),
    (Rating, &["ocencie"]),
    (Rating, &["gwiazd"]),
    (Review, &["recenzj"]),
    (Review, &["opinie="]),
    (Review, &["opini="]),
    // Russian and Ukrainian.
    (Search, &["поиск"]),
    (Search, &["поищ"]),
    (Search, &["найдите"]),
    (Search, &["гугл"]),
    (Search, &["яндекс"]),
    (Search, &["пошук"]),
    (Click, &["клик"]),
    (Click, &["нажм"]),
    (Click, &["натисн"]),
    (Rating, &["оцен"]),
    (Rating, &["звезд"]),
    (Rating, &["оцін"]),
    (Review, &["отзыв"]),
    (Review, &["відгук"]),
    // Turkish.
    (Search, &["arat="]),
    (Search, &["aratin="]),
    (Click, &["tikla"]),
    (Rating, &["puan="]),
    (Rating, &["yildiz"]),
    (Review, &["yorum="]),
    (Review, &["degerlendir"]),
];

/// What is asked for wherever these letters stand.
pub(super) const PARTS: &[(Asking, &[&str])] = &[
    (Search, &["検索", "ググ", "グーグル", "搜索", "搜一", "百度", "谷歌", "검색", "구글"]),
    (Click, &["クリック", "点击", "點擊", "클릭"]),
    (Rating, &["評価", "评价", "評價", "评分", "好评", "五星", "星5", "별점", "평가"]),
    (Review, &["レビュー", "口コミ", "クチコミ", "评论", "評論", "点评", "리뷰", "후기"]),
];

/// The words that a rule matches at the beginning of `words`, if it does.
pub(super) fn at(stems: &[&str], words: &[&str]) -> Option<String> {
    let (first, rest) = stems.split_first()?;
    let mut end = usize::from(fits(first, words.first()?));
    if end == 0 {
        return None;
    }
    for stem in rest {
        let window = words.iter().take(WITHIN.min(words.len())).enumerate().skip(end);
        end = window.into_iter().find(|(_, word)| fits(stem, word)).map(|(at, _)| at + 1)?;
    }
    Some(words[..end].join(" "))
}

fn fits(stem: &str, word: &str) -> bool {
    stem.strip_suffix('=').map_or_else(|| word.starts_with(stem), |whole| word == whole)
}
