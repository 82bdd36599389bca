//! What a `User-Agent` says of its sender, as far as it tells a person from a program.

/// Words in the agents of programs that say what they are. Whoever hides is found by its behaviour, not here.
const PROGRAMS: [&str; 44] = [
    "bot",
    "crawl",
    "spider",
    "slurp",
    "preview",
    "facebookexternalhit",
    "facebookcatalog",
    "meta-externalagent",
    "whatsapp",
    "skypeuripreview",
    "embedly",
    "bitlybot",
    "vkshare",
    "outbrain",
    "mediapartners",
    "feedfetcher",
    "google-read-aloud",
    "google-safety",
    "googleimageproxy",
    "yahoomailproxy",
    "lighthouse",
    "pagespeed",
    "pingdom",
    "uptime",
    "monitor",
    "scanner",
    "validator",
    "headless",
    "phantomjs",
    "selenium",
    "puppeteer",
    "playwright",
    "curl/",
    "wget/",
    "httpie",
    "python-",
    "aiohttp",
    "go-http-client",
    "java/",
    "okhttp",
    "libwww",
    "node-fetch",
    "axios",
    "chatgpt-user",
];

/// Whether it says that it is a program. Nothing at all says so too: every browser sends one.
pub(super) fn is_program(agent: &str) -> bool {
    let agent = agent.to_ascii_lowercase();
    agent.trim().is_empty() || PROGRAMS.iter().any(|word| agent.contains(word))
}

/// A coarse class of device; one of the words of `wit/v1/links.wit`.
pub(super) fn device(agent: &str) -> &'static str {
    if is_program(agent) {
        return "program";
    }
    let has = |word: &str| agent.contains(word);
    if has("iPad") || has("Tablet") || (has("Android") && !has("Mobile")) {
        "tablet"
    } else if has("Mobi") || has("iPhone") {
        "mobile"
    } else if has("Windows NT") || has("Macintosh") || has("X11") || has("CrOS") {
        "desktop"
    } else {
        "other"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_told_apart_by_what_they_run_on() {
        let chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
        let iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";
        let pixel = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36";
        let tablet = "Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
        let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";
        for (agent, class) in
            [(chrome, "desktop"), (iphone, "mobile"), (pixel, "mobile"), (tablet, "tablet"), (firefox, "desktop")]
        {
            assert_eq!(device(agent), class, "{agent}");
        }
    }

    #[test]
    fn programs_that_say_so_are_believed() {
        for agent in [
            "",
            "curl/8.14.1",
            "python-requests/2.32.5",
            "Go-http-client/2.0",
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
            "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
            "WhatsApp/2.23.20.0",
            "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0.0.0 Safari/537.36",
        ] {
            assert!(is_program(agent), "{agent}");
            assert_eq!(device(agent), "program", "{agent}");
        }
    }
}
