//! Countries by their three-letter codes, as Search Console names them.
//!
//! Source: ISO 3166-1 (pycountry 24.6); `xkk` is Kosovo, which has no code there and which Google reports so.

/// Three letters in lower case, then two in upper case, in order.
const CODES: &str = "abwAWafgAFagoAOaiaAIalaAXalbALandADareAEargARarmAMasmASataAQatfTFatgAGausAUautATazeAZbdiBIbelBEbenBJbesBQbfaBF\
    bgdBDbgrBGbhrBHbhsBSbihBAblmBLblrBYblzBZbmuBMbolBObraBRbrbBBbrnBNbtnBTbvtBVbwaBWcafCFcanCAcckCCcheCHchlCLchnCN\
    civCIcmrCMcodCDcogCGcokCKcolCOcomKMcpvCVcriCRcubCUcuwCWcxrCXcymKYcypCYczeCZdeuDEdjiDJdmaDMdnkDKdomDOdzaDZecuEC\
    egyEGeriEReshEHespESestEEethETfinFIfjiFJflkFKfraFRfroFOfsmFMgabGAgbrGBgeoGEggyGGghaGHgibGIginGNglpGPgmbGMgnbGW\
    gnqGQgrcGRgrdGDgrlGLgtmGTgufGFgumGUguyGYhkgHKhmdHMhndHNhrvHRhtiHThunHUidnIDimnIMindINiotIOirlIEirnIRirqIQislIS\
    isrILitaITjamJMjeyJEjorJOjpnJPkazKZkenKEkgzKGkhmKHkirKIknaKNkorKRkwtKWlaoLAlbnLBlbrLRlbyLYlcaLClieLIlkaLKlsoLS\
    ltuLTluxLUlvaLVmacMOmafMFmarMAmcoMCmdaMDmdgMGmdvMVmexMXmhlMHmkdMKmliMLmltMTmmrMMmneMEmngMNmnpMPmozMZmrtMRmsrMS\
    mtqMQmusMUmwiMWmysMYmytYTnamNAnclNCnerNEnfkNFngaNGnicNIniuNUnldNLnorNOnplNPnruNRnzlNZomnOMpakPKpanPApcnPNperPE\
    phlPHplwPWpngPGpolPLpriPRprkKPprtPTpryPYpsePSpyfPFqatQAreuRErouROrusRUrwaRWsauSAsdnSDsenSNsgpSGsgsGSshnSHsjmSJ\
    slbSBsleSLslvSVsmrSMsomSOspmPMsrbRSssdSSstpSTsurSRsvkSKsvnSIsweSEswzSZsxmSXsycSCsyrSYtcaTCtcdTDtgoTGthaTHtjkTJ\
    tklTKtkmTMtlsTLtonTOttoTTtunTNturTRtuvTVtwnTWtzaTZugaUGukrUAumiUMuryUYusaUSuzbUZvatVAvctVCvenVEvgbVGvirVIvnmVN\
    vutVUwlfWFwsmWSxkkXKyemYEzafZAzmbZMzweZW";

/// The two-letter code of a three-letter one, in any case: `deu` is `DE`. `None` for an unknown one, such as Google's `zzz`.
#[must_use]
pub fn alpha2(alpha3: &str) -> Option<&'static str> {
    let wanted = alpha3.to_ascii_lowercase();
    codes().find(|(three, _)| *three == wanted).map(|(_, two)| two)
}

/// The three-letter code, in lower case, of a two-letter one in any case.
#[must_use]
pub fn alpha3(alpha2: &str) -> Option<&'static str> {
    let wanted = alpha2.to_ascii_uppercase();
    codes().find(|(_, two)| *two == wanted).map(|(three, _)| three)
}

fn codes() -> impl Iterator<Item = (&'static str, &'static str)> {
    (0..CODES.len() / 5).map(|at| CODES[5 * at..5 * at + 5].split_at(3))
}

#[cfg(test)]
mod tests {
    use super::{alpha2, alpha3, codes};

    #[test]
    fn every_code_leads_to_the_other_and_back() {
        assert_eq!(codes().count(), 250);
        for (three, two) in codes() {
            assert_eq!((alpha2(three), alpha3(two)), (Some(two), Some(three)));
        }
        assert_eq!((alpha2("GBR"), alpha3("de"), alpha2("zzz"), alpha3("ZZ")), (Some("GB"), Some("deu"), None, None));
    }
}
