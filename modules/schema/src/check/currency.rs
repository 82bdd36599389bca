//! The currencies of ISO 4217 that are in use, and the signs that shops write for them.

/// Active codes of ISO 4217, list one, without funds, metals and test codes.
const CODES: &str = "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF \
CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS \
INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR \
MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP \
SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF \
XPF YER ZAR ZMW ZWG BGN";

/// Signs and words with the code they mean; those that several currencies share mean the one they are used for the most.
const SIGNS: &[(&str, &str)] = &[
    ("US$", "USD"),
    ("CA$", "CAD"),
    ("C$", "CAD"),
    ("A$", "AUD"),
    ("AU$", "AUD"),
    ("NZ$", "NZD"),
    ("HK$", "HKD"),
    ("S$", "SGD"),
    ("R$", "BRL"),
    ("MX$", "MXN"),
    ("€", "EUR"),
    ("£", "GBP"),
    ("¥", "JPY"),
    ("₹", "INR"),
    ("₽", "RUB"),
    ("₺", "TRY"),
    ("₩", "KRW"),
    ("₴", "UAH"),
    ("₪", "ILS"),
    ("₫", "VND"),
    ("฿", "THB"),
    ("zł", "PLN"),
    ("Kč", "CZK"),
    ("Ft", "HUF"),
    ("lei", "RON"),
    ("Fr.", "CHF"),
    ("kr", "SEK"),
    ("$", "USD"),
];

/// Whether a text is a code of ISO 4217, in capital letters.
pub(crate) fn is_known(text: &str) -> bool {
    text.len() == 3 && CODES.split(' ').any(|it| it == text)
}

/// The currency that a text with a price names, by code or by sign.
pub(crate) fn named(text: &str) -> Option<&'static str> {
    let word =
        |code: &&str| text.split(|it: char| !it.is_ascii_alphabetic()).any(|word| word.eq_ignore_ascii_case(code));
    let code = CODES.split(' ').find(word);
    code.or_else(|| SIGNS.iter().find(|(sign, _)| text.contains(sign)).map(|(_, code)| *code))
}

/// How many digits stand behind the point of an amount (ISO 4217, minor units).
pub(crate) fn digits(code: &str) -> u32 {
    match code {
        "BIF" | "CLP" | "DJF" | "GNF" | "ISK" | "JPY" | "KMF" | "KRW" | "PYG" | "RWF" | "UGX" | "VND" | "VUV"
        | "XAF" | "XOF" | "XPF" => 0,
        "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "OMR" | "TND" => 3,
        _ => 2,
    }
}
