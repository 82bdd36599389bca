//! The fingerprints of tools that ask for consent.

use super::super::mark::Category::Consent;
use super::super::mark::{Mark, attribute, class, cookie, id, inline, mark, on, script};

pub(super) const MARKS: &[Mark] = &[
    mark("Cookiebot", Consent, &[script("consent.cookiebot.com", 98), id("Cookiebot", 95), attribute("data-cbid", 85)]),
    mark(
        "OneTrust",
        Consent,
        &[
            script("cdn.cookielaw.org", 97),
            script("otsdkstub.js", 97),
            id("onetrust-consent-sdk", 97),
            cookie("OptanonConsent", 93),
        ],
    ),
    mark(
        "Usercentrics",
        Consent,
        &[
            script("app.usercentrics.eu", 97),
            script("web.cmp.usercentrics.eu", 97),
            id("usercentrics-root", 95),
            id("usercentrics-cmp", 97),
        ],
    ),
    mark("consentmanager", Consent, &[script("consentmanager.net", 97), inline("cmp_id", 45)]),
    mark("Didomi", Consent, &[script("sdk.privacy-center.org", 97), inline("sdk.privacy-center.org", 93)]),
    mark("Quantcast Choice", Consent, &[script("cmp.quantcast.com", 95), script("quantcast.mgr.consensu.org", 95)]),
    mark("TrustArc", Consent, &[script("consent.trustarc.com", 97), id("teconsent", 90)]),
    mark("iubenda", Consent, &[script("cdn.iubenda.com", 95), inline("_iub.csConfiguration", 97)]),
    mark("Osano", Consent, &[script("cmp.osano.com", 98)]),
    mark("CookieYes", Consent, &[script("cdn-cookieyes.com", 98), id("cookieyes", 90)]),
    mark("Klaro", Consent, &[script("klaro", 75), attribute("data-klaro-config", 95), class("klaro", 60)]),
    on(
        "Borlabs Cookie",
        Consent,
        &["WordPress"],
        &[script("/plugins/borlabs-cookie/", 98), id("BorlabsCookieBox", 97), cookie("borlabs-cookie", 96)],
    ),
    on(
        "Complianz",
        Consent,
        &["WordPress"],
        &[
            script("/plugins/complianz-gdpr", 97),
            id("cmplz-cookiebanner-container", 96),
            class("cmplz-cookiebanner", 93),
        ],
    ),
    on("Real Cookie Banner", Consent, &["WordPress"], &[script("/plugins/real-cookie-banner", 98)]),
    mark("CCM19", Consent, &[script("ccm19.js", 96), script("/ccm19/", 93)]),
    mark(
        "Cookie Consent by Insites",
        Consent,
        &[script("cookieconsent.min.js", 85), inline("window.cookieconsent.initialise", 96)],
    ),
    mark("tarteaucitron", Consent, &[script("tarteaucitron", 97), inline("tarteaucitron.init", 97)]),
];
