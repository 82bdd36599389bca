//! The two audits that look at `<a>` elements: what they say, and whether a crawler can follow them.

use kit::dom::{Dom, NodeId};
use kit::url::Url;

use super::Item;
use super::audits::{Served, item, tag};

/// Texts that say nothing of where a link leads, by language (Lighthouse, `link-text`).
const SAYS_NOTHING: [(&str, &[&str]); 9] = [
    (
        "en",
        &[
            "click here",
            "click this",
            "go",
            "here",
            "information",
            "learn more",
            "more",
            "more info",
            "more information",
            "right here",
            "read more",
            "see more",
            "start",
            "this",
        ],
    ),
    ("ja", &["ここをクリック", "こちらをクリック", "リンク", "続きを読む", "続く", "全文表示"]),
    (
        "es",
        &[
            "click aquí",
            "click aqui",
            "clicka aquí",
            "clicka aqui",
            "pincha aquí",
            "pincha aqui",
            "aquí",
            "aqui",
            "más",
            "mas",
            "más información",
            "más informacion",
            "mas información",
            "mas informacion",
            "este",
            "enlace",
            "este enlace",
            "empezar",
        ],
    ),
    ("pt", &["clique aqui", "ir", "mais informação", "mais informações", "mais", "veja mais"]),
    ("ko", &["여기", "여기를 클릭", "클릭", "링크", "자세히", "자세히 보기", "계속", "이동", "전체 보기"]),
    ("sv", &["här", "klicka här", "läs mer", "mer", "mer info", "mer information"]),
    ("de", &["klicke hier", "hier klicken", "hier", "mehr", "siehe", "dies", "das", "weiterlesen"]),
    (
        "ta",
        &[
            "அடுத்த பக்கம்",
            "மறுபக்கம்",
            "முந்தைய பக்கம்",
            "முன்பக்கம்",
            "மேலும் அறிக",
            "மேலும் தகவலுக்கு",
            "மேலும் தரவுகளுக்கு",
            "தயவுசெய்து இங்கே அழுத்தவும்",
            "இங்கே கிளிக் செய்யவும்",
        ],
    ),
    (
        "fa",
        &[
            "اطلاعات بیشتر",
            "اطلاعات",
            "این",
            "اینجا بزنید",
            "اینجا کلیک کنید",
            "اینجا",
            "برو",
            "بیشتر بخوانید",
            "بیشتر بدانید",
            "بیشتر",
            "شروع",
        ],
    ),
];

/// Links whose text is one of those; which language counts is the one that the link declares, else all count.
pub(super) fn text(served: &Served<'_>) -> Vec<Item> {
    let dom = served.dom;
    let plain = |url: &Url| url.as_str().split('#').next().unwrap_or_default().to_owned();
    let own = plain(served.base);
    let failing = dom.elements("a").filter(|id| {
        let Some(href) = dom.attribute(*id, "href") else { return false };
        let rel = dom.attribute(*id, "rel").unwrap_or_default();
        let Some(url) = served.resolve(href) else { return false };
        if rel.contains("nofollow") || matches!(url.scheme(), "javascript" | "mailto") || plain(&url) == own {
            return false;
        }
        let text = dom.text(*id).trim().to_lowercase();
        let tongue = language(dom, *id);
        let counts = |name: &str| tongue.as_deref().is_none_or(|it| it.split('-').next() == Some(name));
        !text.is_empty() && SAYS_NOTHING.iter().any(|(name, texts)| counts(name) && texts.contains(&text.as_str()))
    });
    failing.map(|id| item(tag(dom, id), format!("its text is {}", dom.text(id)))).collect()
}

/// The language of a link's text: that of what is in it when it is one, else that of what it is in.
fn language(dom: &Dom, link: NodeId) -> Option<String> {
    let declared = |id: NodeId| {
        let mut around = std::iter::once(id).chain(dom.ancestors(id));
        around.find_map(|it| dom.attribute(it, "lang")).filter(|it| !it.is_empty())
    };
    let mut found: Option<&str> = None;
    for child in dom.descendants(link).filter(|id| *id != link && !dom.name(*id).is_empty()) {
        let Some(tongue) = declared(child).filter(|_| !dom.text(child).is_empty()) else { continue };
        match found {
            None => found = Some(tongue),
            Some(first) if first.split('-').next() != tongue.split('-').next() => return None,
            Some(_) => {}
        }
    }
    found.or_else(|| declared(link)).map(str::to_owned)
}

/// Attributes that make no sense without `href` (HTML, "The a element").
const OF_A_LINK: [&str; 7] = ["target", "download", "ping", "rel", "hreflang", "type", "referrerpolicy"];

/// Links that a crawler cannot follow.
pub(super) fn crawlable(served: &Served<'_>) -> Vec<Item> {
    let dom = served.dom;
    dom.elements("a").filter_map(|id| Some(item(tag(dom, id), hindrance(served, id)?))).collect()
}

fn hindrance(served: &Served<'_>, id: NodeId) -> Option<&'static str> {
    let dom = served.dom;
    let value = |name: &str| dom.attribute(id, name).unwrap_or_default().trim().to_owned();
    let has = |name: &str| dom.attribute(id, name).is_some();
    let href: String = value("href").chars().filter(|letter| !letter.is_whitespace()).collect();
    let anchor = href.is_empty() && !value("id").is_empty();
    if !value("role").is_empty() || href.starts_with("mailto:") || anchor {
        return None;
    }
    if href.starts_with("file:") {
        return Some("it leads to a file of the reader's machine");
    }
    if !value("name").is_empty() {
        return None;
    }
    if !has("href") && OF_A_LINK.iter().all(|name| !has(name)) {
        // A place for a link, unless a script makes it one.
        let acts = dom.attributes(id).iter().any(|it| it.name.local.starts_with("on"));
        return acts.then_some("it has no href and acts by script");
    }
    // An empty `href` is the page itself; without one there is no address.
    if !has("href") {
        return Some("it has no href");
    }
    if ["javascript:void0", "javascript:void(0", "javascript:void0)", "javascript:void(0)"]
        .iter()
        .any(|it| href.contains(it))
    {
        return Some("its href does nothing");
    }
    served.resolve(&href).is_none().then_some("its href is no address")
}
