//! Countries.

use std::str::FromStr;

use schemars::json_schema;

use super::string_value;

/// The officially assigned two-letter codes of ISO 3166-1, in order.
const CODES: &str = "ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZ\
    DEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKN\
    KPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPT\
    PWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSYEYTZAZM\
    ZW";

/// A country by its two-letter code of ISO 3166-1, read in either case, written in upper case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Country([u8; 2]);

impl Country {
    fn to_text(self) -> String {
        self.0.iter().map(|it| char::from(*it)).collect()
    }
}

impl FromStr for Country {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = text.to_ascii_uppercase();
        let known = CODES.as_bytes().chunks_exact(2).find(|it| *it == wanted.as_bytes());
        known
            .and_then(|it| <[u8; 2]>::try_from(it).ok())
            .map(Self)
            .ok_or_else(|| "must be a two-letter country code of ISO 3166-1, such as DE".to_owned())
    }
}

string_value!(
    Country,
    json_schema!({ "type": "string", "pattern": "^[A-Za-z]{2}$", "description": "ISO 3166-1 alpha-2, such as DE" })
);
