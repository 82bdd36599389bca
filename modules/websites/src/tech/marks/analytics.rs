//! The fingerprints of what measures visitors, manages tags, or shows and measures advertising.

use super::super::mark::Category::{Advertising, Analytics, TagManager};
use super::super::mark::{Mark, attribute, cookie, embed, id, inline, mark, script};

pub(super) const MARKS: &[Mark] = &[
    mark(
        "Google Tag Manager",
        TagManager,
        &[
            script("googletagmanager.com/gtm.js", 98),
            inline("googletagmanager.com/gtm.js", 95),
            embed("googletagmanager.com/ns.html", 95),
        ],
    ),
    mark(
        "Google Analytics",
        Analytics,
        &[
            script("googletagmanager.com/gtag/js?id=g-", 97),
            script("google-analytics.com/analytics.js", 97),
            script("google-analytics.com/ga.js", 97),
            inline("google-analytics.com/analytics.js", 93),
            inline("google-analytics.com/ga.js", 93),
            inline("gtag('config', 'G-", 90),
            inline("gtag('config', 'UA-", 90),
            inline("gtag(\"config\",\"G-", 90),
            cookie("_ga", 80),
        ],
    ),
    mark(
        "Matomo",
        Analytics,
        &[
            script("matomo.js", 95),
            script("piwik.js", 95),
            inline("matomo.php", 93),
            inline("piwik.php", 93),
            embed("matomo.php?idsite=", 93),
            embed("piwik.php?idsite=", 93),
            cookie("_pk_id*", 90),
        ],
    ),
    mark("Plausible", Analytics, &[script("plausible.io/js", 98), script("/js/plausible", 85)]),
    mark("Fathom", Analytics, &[script("cdn.usefathom.com", 98)]),
    mark("Umami", Analytics, &[script("umami.is/script.js", 97), attribute("data-website-id", 40)]),
    mark("Simple Analytics", Analytics, &[script("simpleanalyticscdn.com", 98)]),
    mark("GoatCounter", Analytics, &[attribute("data-goatcounter", 97), script("gc.zgo.at/count.js", 97)]),
    mark("Cloudflare Web Analytics", Analytics, &[script("static.cloudflareinsights.com/beacon", 98)]),
    mark("Vercel Analytics", Analytics, &[script("/_vercel/insights/", 97)]),
    mark(
        "Adobe Analytics",
        Analytics,
        &[script("appmeasurement", 93), script("omtrdc.net", 93), cookie("s_cc", 50), cookie("AMCV_*", 85)],
    ),
    mark("Adobe Experience Platform Tags", TagManager, &[script("assets.adobedtm.com", 97)]),
    mark("Tealium", TagManager, &[script("tags.tiqcdn.com", 97), inline("utag_data", 80)]),
    mark("Matomo Tag Manager", TagManager, &[script("/js/container_", 75), inline("_mtm.push", 80)]),
    mark(
        "Segment",
        Analytics,
        &[script("cdn.segment.com/analytics.js", 97), inline("cdn.segment.com/analytics.js", 95)],
    ),
    mark("Mixpanel", Analytics, &[script("cdn.mxpnl.com", 96), inline("mixpanel.init", 88)]),
    mark("Amplitude", Analytics, &[script("cdn.amplitude.com", 96), inline("amplitude.getInstance", 85)]),
    mark("PostHog", Analytics, &[inline("posthog.init", 93), script("posthog.com/static", 95)]),
    mark("Hotjar", Analytics, &[script("static.hotjar.com", 97), inline("static.hotjar.com", 93)]),
    mark("Microsoft Clarity", Analytics, &[script("www.clarity.ms/tag", 97), inline("www.clarity.ms/tag", 95)]),
    mark("Yandex Metrica", Analytics, &[script("mc.yandex.ru/metrika", 97), inline("mc.yandex.ru/metrika", 95)]),
    mark("etracker", Analytics, &[script("code.etracker.com", 97), id("_etLoader", 95)]),
    mark(
        "Meta Pixel",
        Advertising,
        &[
            inline("connect.facebook.net/en_US/fbevents.js", 97),
            script("connect.facebook.net/en_us/fbevents.js", 97),
            embed("facebook.com/tr?id=", 95),
            cookie("_fbp", 85),
        ],
    ),
    mark(
        "LinkedIn Insight",
        Advertising,
        &[inline("snap.licdn.com/li.lms-analytics", 96), inline("_linkedin_partner_id", 93)],
    ),
    mark("TikTok Pixel", Advertising, &[inline("analytics.tiktok.com/i18n/pixel", 96)]),
    mark("Pinterest Tag", Advertising, &[inline("s.pinimg.com/ct/core.js", 96)]),
    mark("Microsoft Advertising", Advertising, &[inline("bat.bing.com/bat.js", 95), script("bat.bing.com/bat.js", 96)]),
    mark(
        "Google Ads",
        Advertising,
        &[
            script("googletagmanager.com/gtag/js?id=aw-", 97),
            script("googleadservices.com/pagead/conversion", 96),
            inline("gtag('config', 'AW-", 93),
        ],
    ),
    mark(
        "Google AdSense",
        Advertising,
        &[script("pagead2.googlesyndication.com/pagead/js/adsbygoogle.js", 98), attribute("data-ad-client", 80)],
    ),
    mark("Criteo", Advertising, &[script("static.criteo.net", 95), script("dynamic.criteo.com", 95)]),
];
