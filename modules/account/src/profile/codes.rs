//! Names of time zones and codes of languages and currencies.

/// Every name of the IANA time zone database, those for older clocks too, in order; release 2025b (public domain).
const ZONES: &str = include_str!("zones.txt");

/// ISO 639-1, without the codes that were withdrawn.
const LANGUAGES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en \
eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km \
kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi \
pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz \
ve vi vo wa wo xh yi yo za zh zu";

/// ISO 4217, list one: currencies, funds and metals in use in 2026. XXX and XTS, which stand for no currency, are left out.
const CURRENCIES: &str = "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY \
COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD \
IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN \
MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD \
SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA \
XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XUA YER ZAR ZMW ZWG";

/// The name of a time zone as the database writes it, given in either case.
pub(super) fn time_zone(name: &str) -> Option<&'static str> {
    ZONES.lines().find(|it| it.eq_ignore_ascii_case(name))
}

/// Names of time zones with the same place in them: `Berlin`, `germany/berlin` and `Europe/berlin` all mean one.
pub(super) fn similar(name: &str) -> Vec<&'static str> {
    let place = name.rsplit('/').next().unwrap_or_default().trim().replace(' ', "_").to_ascii_lowercase();
    if place.len() < 3 {
        return Vec::new();
    }
    ZONES.lines().filter(|it| it.to_ascii_lowercase().contains(&place)).take(5).collect()
}

/// Whether a code, in lower case, is a language of ISO 639-1.
pub(super) fn is_language(code: &str) -> bool {
    LANGUAGES.split(' ').any(|it| it == code)
}

/// A code of a currency in upper case, given in either.
pub(super) fn currency(code: &str) -> Option<String> {
    let code = code.to_ascii_uppercase();
    CURRENCIES.split(' ').any(|it| it == code).then_some(code)
}
