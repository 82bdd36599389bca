//! Names of months, as dates write them.

use crate::text::is_spaceless;

/// Names whose first three or four letters are an abbreviation, of English, German, French, Spanish, Italian, Dutch and
/// Portuguese.
const CUT: [&[&str]; 12] = [
    &["january", "januar", "jänner", "janvier", "enero", "gennaio", "januari", "janeiro"],
    &["february", "februar", "février", "fevrier", "febrero", "febbraio", "februari", "fevereiro"],
    &["march", "märz", "maerz", "mars", "marzo", "maart", "mrt", "março"],
    &["april", "avril", "abril", "aprile"],
    &["may", "mai", "mayo", "maggio", "mei", "maio"],
    &["june", "juni", "juin", "junio", "giugno", "junho"],
    &["july", "juli", "juillet", "julio", "luglio", "julho"],
    &["august", "août", "aout", "agosto", "augustus"],
    &["september", "septembre", "septiembre", "setiembre", "settembre", "setembro"],
    &["october", "oktober", "octobre", "octubre", "ottobre", "outubro"],
    &["november", "novembre", "noviembre", "novembro"],
    &["december", "dezember", "décembre", "decembre", "diciembre", "dicembre", "dezembro"],
];

/// Names and abbreviations that stand as they are here, parted by spaces: of Swedish, Danish, Norwegian, Finnish, Russian,
/// Ukrainian, Bulgarian, Polish, Czech, Slovak, Hungarian, Romanian, Greek, Turkish, Catalan, Indonesian, Arabic, Hebrew,
/// Hindi and Thai, many of them in the genitive.
const WHOLE: [&str; 12] = [
    "tammikuuta tammikuu января январь янв січня січень січ януари stycznia styczeń sty ledna leden led január januára \
     ianuarie ιανουαρίου ιανουάριος ιαν ocak oca gener يناير ינואר בינואר जनवरी มกราคม ม.ค",
    "helmikuuta helmikuu февраля февраль февр фев лютого лютий лют февруари lutego luty lut února únor úno február februára \
     februarie φεβρουαρίου φεβρουάριος φεβ şubat subat şub febrer فبراير פברואר בפברואר फ़रवरी फरवरी กุมภาพันธ์ ก.พ",
    "marts maaliskuuta maaliskuu марта март мар березня березень бер marca marzec března březen bře marec március márc \
     martie μαρτίου μάρτιος μαρ mart març maret مارس מרץ במרץ मार्च มีนาคม มี.ค",
    "huhtikuuta huhtikuu апреля апрель апр квітня квітень квіт април kwietnia kwiecień kwi dubna duben dub apríla apríl április \
     ápr aprilie απριλίου απρίλιος απρ nisan nis أبريل ابريل إبريل אפריל באפריל अप्रैल เมษายน เม.ย",
    "maj toukokuuta toukokuu мая май травня травень трав maja května květen kvě mája máj május μαΐου μαίου μάιος μαϊ mayıs \
     mayis maig مايو מאי במאי मई พฤษภาคม พ.ค",
    "kesäkuuta kesäkuu июня июнь июн червня червень черв юни czerwca czerwiec cze června červen čvn júna jún június iunie \
     ιουνίου ιούνιος ιουν haziran haz juny يونيو יוני ביוני जून มิถุนายน มิ.ย",
    "heinäkuuta heinäkuu июля июль июл липня липень лип юли lipca lipiec lip července červenec čvc júla júl július iulie \
     ιουλίου ιούλιος ιουλ temmuz tem juliol يوليو יולי ביולי जुलाई กรกฎาคม ก.ค",
    "augusti elokuuta elokuu августа август авг серпня серпень серп sierpnia sierpień sie srpna srpen srp augusta augusztus \
     αυγούστου αύγουστος αυγ ağustos agustos ağu agost agustus أغسطس اغسطس אוגוסט באוגוסט अगस्त สิงหาคม ส.ค",
    "syyskuuta syyskuu сентября сентябрь сент сен вересня вересень вер септември września wrzesień wrz září zář septembra \
     szeptember szept septembrie σεπτεμβρίου σεπτέμβριος σεπ eylül eylul eyl setembre سبتمبر ספטמבר בספטמבר सितंबर सितम्बर \
     กันยายน ก.ย",
    "lokakuuta lokakuu октября октябрь окт жовтня жовтень жовт октомври października październik paź října říjen říj \
     októbra október octombrie οκτωβρίου οκτώβριος οκτ ekim eki أكتوبر اكتوبر אוקטובר באוקטובר अक्टूबर अक्तूबर ตุลาคม ต.ค",
    "marraskuuta marraskuu ноября ноябрь нояб ноя листопада листопад лист ноември listopada listopadu listopad lis novembra \
     noiembrie νοεμβρίου νοέμβριος νοε kasım kasim kas نوفمبر נובמבר בנובמבר नवंबर नवम्बर พฤศจิกายน พ.ย",
    "joulukuuta joulukuu декабря декабрь дек грудня грудень груд декември grudnia grudzień gru prosince prosinec decembra \
     decembrie δεκεμβρίου δεκέμβριος δεκ aralık aralik ara desember desembre ديسمبر דצמבר בדצמבר दिसंबर दिसम्बर ธันวาคม ธ.ค",
];

/// The month that a word names, from 1.
pub(super) fn month(word: &str) -> Option<u8> {
    // The last sign of a Thai name is no letter.
    let word = word.trim_matches(|c: char| !c.is_alphabetic() && !is_spaceless(c)).to_lowercase();
    let word = word.strip_prefix("d'").or_else(|| word.strip_prefix("d’")).unwrap_or(&word);
    let length = word.chars().count();
    // `maybe` begins like May, `marble` like March: nothing but an abbreviation may be less than the name.
    let is = |name: &str| name == word || ((3..=4).contains(&length) && name.starts_with(word));
    let cut = CUT.iter().position(|names| names.iter().any(|name| is(name)));
    let whole = || WHOLE.iter().position(|names| length > 1 && names.split(' ').any(|name| name == word));
    u8::try_from(cut.or_else(whole)? + 1).ok()
}
