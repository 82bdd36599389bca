//! Words beside a date that say what it is of, in the languages of most pages.

use super::Of;

/// Words that go before the date of the last change.
const MODIFIED: &[&str] = &[
    "updated",
    "update:",
    "modified",
    "edited",
    "revised",
    "revision",
    "reviewed",
    "last change",
    "aktualisiert",
    "geändert",
    "stand:",
    "mis à jour",
    "mise à jour",
    "modifié",
    "actualizado",
    "actualización",
    "modificado",
    "atualizado",
    "atualização",
    "aggiornato",
    "aggiornamento",
    "ultima modifica",
    "bijgewerkt",
    "gewijzigd",
    "uppdaterad",
    "ändrad",
    "opdateret",
    "oppdatert",
    "päivitetty",
    "muokattu",
    "обновлен",
    "изменен",
    "оновлен",
    "актуализиран",
    "zaktualizowan",
    "aktualizacja",
    "aktualizován",
    "aktualizováno",
    "upraven",
    "frissítve",
    "módosítva",
    "actualizat",
    "ενημέρωση",
    "ενημερώθηκε",
    "güncellen",
    "güncelleme",
    "diperbarui",
    "cập nhật",
    "تحديث",
    "עודכן",
    "अपडेट",
    "อัปเดต",
    "ปรับปรุง",
    "แก้ไข",
    "更新",
    "修改",
    "最后编辑",
    "最後編輯",
    "改訂",
    "改定",
    "수정",
    "업데이트",
    "갱신",
];

/// Words that go before the date of publication.
const PUBLISHED: &[&str] = &[
    "published",
    "posted",
    "veröffentlicht",
    "erschienen",
    "publié",
    "publicado",
    "publicación",
    "publicação",
    "pubblicato",
    "gepubliceerd",
    "geplaatst",
    "publicerad",
    "udgivet",
    "offentliggjort",
    "publisert",
    "julkaistu",
    "опубликован",
    "дата публикации",
    "опубліковано",
    "публикуван",
    "opublikowan",
    "data publikacji",
    "publikován",
    "zveřejněn",
    "közzétéve",
    "megjelent",
    "publicat",
    "δημοσιεύ",
    "yayınlan",
    "yayımlan",
    "yayın tarihi",
    "diterbitkan",
    "dipublikasikan",
    "đăng ngày",
    "ngày đăng",
    "xuất bản",
    "نشر",
    "פורסם",
    "प्रकाशित",
    "เผยแพร่",
    "โพสต์",
    "发布",
    "發布",
    "發佈",
    "发表",
    "發表",
    "刊登",
    "公開",
    "投稿",
    "掲載",
    "作成日",
    "작성",
    "게시",
    "등록",
    "입력",
    "발행",
];

/// Words before a date among which one says what it is of.
const NEAR: usize = 8;
/// Letters after a date among which one of these words has to begin.
const CLOSE: usize = 12;

/// Turkish has its verb at the end.
const UPDATED: [&str; 1] = ["güncellen"];
const ISSUED: [&str; 2] = ["yayınlan", "yayımlan"];

/// What the words before a date say it is of: the last of them that says it.
pub(super) fn before(text: &str) -> Option<Of> {
    let words: Vec<&str> = text.split(' ').collect();
    let near = folded(&words[words.len().saturating_sub(NEAR + 1)..].join(" "));
    let last = |of: &[&str]| of.iter().filter_map(|word| near.rfind(word)).max();
    match (last(PUBLISHED), last(MODIFIED)) {
        (None, None) => None,
        (published, modified) => Some(if modified > published { Of::Modified } else { Of::Published }),
    }
}

/// What the words after a date say it is of, as in `2024年3月1日 更新` and `1 Mart 2024 tarihinde güncellendi`. Before another
/// date they are of that one.
pub(super) fn after(text: &str, is_before_another: bool) -> Option<Of> {
    if is_before_another {
        return None;
    }
    let text = folded(text.trim_start_matches(|c: char| !c.is_alphanumeric()));
    let text = text.strip_prefix("tarihinde ").unwrap_or(&text);
    let near = text.char_indices().nth(CLOSE).map_or(text, |(end, _)| &text[..end]);
    // In English and its neighbours such a word begins what comes next.
    let first = |of: &[&str]| of.iter().filter(|word| !is_latin(word)).filter_map(|word| near.find(word)).min();
    let turkish = |of: &[&str]| of.iter().any(|it| text.starts_with(it));
    match (first(PUBLISHED), first(MODIFIED)) {
        (None, None) if turkish(&UPDATED) => Some(Of::Modified),
        (None, None) if turkish(&ISSUED) => Some(Of::Published),
        (None, None) => None,
        (Some(_), None) => Some(Of::Published),
        (None, Some(_)) => Some(Of::Modified),
        (Some(published), Some(modified)) => Some(if modified < published { Of::Modified } else { Of::Published }),
    }
}

fn is_latin(word: &str) -> bool {
    word.chars().next().is_some_and(|c| u32::from(c) < 0x250)
}

/// In lower case; in Russian with one letter for both, as most write it.
fn folded(text: &str) -> String {
    text.to_lowercase().replace('ё', "е")
}
