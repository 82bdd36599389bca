//! Rules about scripts of others and forms that give away what is typed.

use kit::page::{PageFacts, Resource};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::fact::host;

rules! {
    "security.hostile_host" Security Error Page Low 97 Page(hostile_host);
    title "The page runs a script from a host that was taken over";
    why "The host passed into other hands in 2024 and sent visitors of the sites that load it elsewhere.";
    fix "cms.content.update" "Remove the script at once, or load it from your own host.";
    see "https://sansec.io/research/polyfill-supply-chain-attack";

    "security.old_library" Security Warning Page Medium 80 Page(old_library);
    title "The page runs an old library with known holes";
    why "Holes in old versions of jQuery, Bootstrap and AngularJS are public, and scanners look for them.";
    fix "monitoring.page_weight.check" "Load the newest version.";
    see "https://owasp.org/www-project-top-ten/2017/A9_2017-Using_Components_with_Known_Vulnerabilities";

    "security.integrity_missing" Security Notice Page Medium 60 Page(integrity_missing);
    title "Scripts of others run unchecked";
    why "Whoever changes the file on the other host changes your pages; a checksum in integrity stops that for files that do not change.";
    fix "cms.content.update" "Add integrity and crossorigin to scripts with a version in their address, or host them yourself.";
    see "https://www.w3.org/TR/SRI/";

    "security.password_in_address" Security Warning Page Low 90 Page(password_in_address);
    title "A form sends a password in the address";
    why "Addresses stand in histories, in logs and in the referrer; passwords do not belong there.";
    fix "cms.content.update" "Write method=post.";
    see "https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#attr-fs-method";
}

fn scripts(page: &PageFacts) -> impl Iterator<Item = &Resource> {
    page.resources.iter().filter(|it| it.kind == "script")
}

/// Hosts that went into hostile hands together with the polyfill service (Sansec, June 2024).
const HOSTILE: [&str; 7] =
    ["polyfill.io", "bootcss.com", "bootcdn.net", "staticfile.net", "staticfile.org", "unionadjs.com", "xhsbpza.com"];

fn hostile_host(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let hostile = |url: &str| {
        let host = host(url).unwrap_or_default();
        HOSTILE.iter().any(|bad| host == *bad || host.strip_suffix(bad).is_some_and(|rest| rest.ends_with('.')))
    };
    let script = scripts(page).find(|it| hostile(&it.url))?;
    Some(Evidence::at("<script src>", &script.url).expected("no such script"))
}

/// Libraries with the first version that has no published hole: name, and major, minor and patch.
const LIBRARIES: [(&str, [u32; 3]); 4] =
    [("jquery", [3, 5, 0]), ("bootstrap", [3, 4, 1]), ("angular", [1, 8, 3]), ("lodash", [4, 17, 21])];

/// The version after the name of a library in an address, such as 1.12.4 in `/jquery-1.12.4.min.js`.
fn version(url: &str, library: &str) -> Option<[u32; 3]> {
    let folded = url.to_lowercase();
    let path = folded.split('#').next().unwrap_or_default();
    let file = path.split('?').next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    let named = file.strip_prefix(library)?;
    // `jquery.validate.js` and `jquery-ui.js` are other things.
    let plain = named.starts_with(['.', '-'])
        && (named.starts_with("-1") || named.starts_with("-2") || named.starts_with("-3") || named.starts_with("-4"));
    let own = plain || matches!(named, ".js" | ".min.js" | ".slim.js" | ".slim.min.js" | ".bundle.min.js");
    let numbers = |text: &str| -> Option<[u32; 3]> {
        let mut parts = text.trim_start_matches(['-', 'v', '@']).split(['.', '-', '_', '/']);
        let mut next = || parts.next().and_then(|part| part.parse::<u32>().ok());
        Some([next()?, next()?, next().unwrap_or(0)])
    };
    let inside = || path.rsplit('/').skip(1).find_map(|part| numbers(part.rsplit('@').next().unwrap_or_default()));
    let asked = || numbers(path.split_once("ver=").or_else(|| path.split_once("v="))?.1.split('&').next()?);
    if plain { numbers(named) } else { own.then(|| inside().or_else(asked)).flatten() }
}

fn old_library(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    scripts(page).find_map(|script| {
        let (name, [major, minor, patch]) = LIBRARIES.into_iter().find_map(|(name, safe)| {
            version(&script.url, name).filter(|found| *found < safe && found[0] > 0).map(|_| (name, safe))
        })?;
        Some(Evidence::at("<script src>", &script.url).expected(format!("{name} {major}.{minor}.{patch} or newer")))
    })
}

fn integrity_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // Files that their hosts change at will cannot have a checksum: only those with a version in their address.
    const FIXED: [&str; 6] = [
        "cdnjs.cloudflare.com",
        "cdn.jsdelivr.net",
        "unpkg.com",
        "code.jquery.com",
        "ajax.googleapis.com",
        "stackpath.bootstrapcdn.com",
    ];
    let bare = |it: &&Resource| !it.integrity && host(&it.url).is_some_and(|host| FIXED.contains(&host));
    let count = scripts(page).filter(bare).count();
    // Pages read before checksums were kept say nothing of them.
    let first = scripts(page).find(bare).filter(|_| page.markup.mains.is_some())?;
    Some(Evidence::at("<script src>", &first.url).expected("integrity with a checksum").count(count))
}

fn password_in_address(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // Pages read before the method was kept say nothing of it.
    let form = page.forms.iter().find(|it| it.password && !it.post).filter(|_| page.markup.mains.is_some())?;
    Some(Evidence::at("<form>", &form.action).expected("method=post"))
}
