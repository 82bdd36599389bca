//! The operation `logs.source.save`.

use jiff::tz::TimeZone;
use sdk::prelude::*;
use sdk::{Next, Upload, UploadRequest, json};
use site::Site;

use crate::format::{Clock, Format, Reader, of_pattern};
use crate::given::MOST_SOURCES;
use crate::stored::{Ip, RealIp, Source};

/// Bytes of a file.
const MAX_BYTES: u64 = 1 << 30;
/// Seconds in which a file can be handed over.
const SECONDS: u32 = 86_400;
/// Kinds of files.
const MEDIA_TYPES: [&str; 6] = [
    "text/plain",
    "application/gzip",
    "application/x-gzip",
    "application/json",
    "application/x-ndjson",
    "application/octet-stream",
];

#[args]
pub(crate) struct Save {
    /// The website, as listed.
    site_id: Id<Site>,
    /// How the source is called: one stream of one server. Saving a name again changes that source.
    name: Text<1, 60>,
    /// The format of its lines; logs.format.detect tells it.
    format: Format,
    /// For `nginx` the text of `log_format`, for `apache` that of `LogFormat`, as they stand in the server's configuration;
    /// for `regex` an expression of RE2 with the groups `time`, `request` or `target`, `status`, and if there are any `ip`,
    /// `host`, `bytes`, `user_agent`, `referrer`, `seconds`, `milliseconds`.
    pattern: Option<Text<1, 1_000>>,
    /// The time zone of times without an offset, such as `Europe/Berlin`; UTC when left out. A time that stands twice, or not
    /// at all, when clocks are changed is the earlier one.
    timezone: Option<Text<1, 64>>,
    /// What is kept of the addresses of visitors. People are counted without theirs in any case.
    #[default("hash")]
    ip: Ip,
    /// Lines of these hosts alone are counted; those of the website, with and without `www.`, when left out. Lines that name
    /// no host are all counted.
    hosts: Option<List<Text<1, 253>, 1, 20>>,
    /// Query parameters that are left out of addresses, such as `sessionid`.
    ignore_params: Option<List<Text<1, 100>, 1, 50>>,
    /// Where the address of a visitor stands: behind a proxy it is in `X-Forwarded-For`.
    #[default("connection")]
    real_ip: RealIp,
    /// Addresses and ranges of the own proxies, which are no visitors.
    proxies: Option<List<Text<2, 50>, 1, 50>>,
    /// Open an upload for a file of this source.
    #[default(true)]
    open_upload: bool,
}

/// An upload to put a file to.
#[value]
pub(crate) struct Opened {
    upload_ref: Id<Upload>,
    /// Where the file is put, once, by PUT; plain or gzip, up to 1 GiB.
    #[own]
    url: String,
    expires_at: Moment,
    #[own]
    media_types: Vec<String>,
}

/// A saved source.
#[value]
pub(crate) struct Saved {
    source_ref: Id<Source>,
    /// Whether the source is new.
    created: bool,
    format: Format,
    /// What is read of a line; empty for JSON, whose members are found line by line.
    #[own]
    fields: Vec<String>,
    upload: Option<Opened>,
    next: Vec<Next>,
}

/// Saves a log source: format or custom pattern, host filter, time zone, IP handling (hash, truncate, drop) and URL normalisation.
///
/// A source is one stream of one server, as lines that were sent again are told by it. Several equal servers can share one
/// source when each import names its `stream`.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["opens an upload for a log file"],
    needs = ["store"],
    phrasings = ["set up a log source", "add my server logs", "define my nginx log format", "connect access logs"],
    examples = [
        { "site_id": "4503599627370496", "name": "web-1", "format": "combined" },
        { "site_id": "4503599627370496", "name": "edge", "format": "nginx", "pattern": "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\" \"$http_user_agent\" $request_time", "ip": "truncate" },
    ]
)]
pub(crate) fn save(cx: &Cx, args: Save) -> Result<Saved> {
    let site = site::get(cx, &args.site_id)?;
    let pattern = args.pattern.as_ref().map(|it| it.as_str());
    match pattern {
        Some(pattern) if !args.format.is_own() => {
            let of = of_pattern(pattern);
            let message = format!("{} has no pattern; this one is of the format {}", args.format.name(), of.name());
            return Err(Fault::invalid("/pattern", "pattern_not_taken", message));
        }
        None if args.format.is_own() => {
            let message = format!("{} needs a pattern", args.format.name());
            return Err(Fault::invalid("/pattern", "pattern_required", message));
        }
        _ => {}
    }
    let reader = Reader::new(args.format, pattern, None, Clock::new(None, 0));
    let reader = reader.map_err(|why| Fault::invalid("/pattern", "pattern_unreadable", why))?;
    let timezone = args.timezone.as_ref().map(|it| it.as_str().to_owned());
    if let Some(name) = timezone.as_ref().filter(|it| TimeZone::get(it).is_err()) {
        let message = format!("there is no time zone {name}; names are those of the IANA, such as Europe/Berlin");
        return Err(Fault::invalid("/timezone", "unknown_timezone", message));
    }
    let texts =
        |list: Option<&[Text<1, 253>]>| list.unwrap_or_default().iter().map(|it| it.as_str().to_owned()).collect();
    let hosts: Vec<String> = texts(args.hosts.as_deref());
    let proxies: Vec<String> = args.proxies.iter().flat_map(|it| it.iter()).map(|it| it.as_str().to_owned()).collect();
    for (at, proxy) in proxies.iter().enumerate() {
        if bots::Ranges::of([proxy.as_str()]).is_err() {
            let message = "must be an address or a range, such as 192.0.2.0/24";
            return Err(Fault::invalid(format!("/proxies/{at}"), "not_a_range", message));
        }
    }
    let ignore_params =
        args.ignore_params.iter().flat_map(|it| it.iter()).map(|it| it.as_str().to_owned()).collect::<Vec<_>>();
    // Whoever only saves sources keeps no addresses for longer either.
    crate::import::work::tidy(cx, site.id.as_str())?;
    let sources = cx.records::<Source>();
    let before = sources.by("site_id_name").equals(&site.id).equals(args.name.as_str()).first();
    if before.is_none() && sources.by("site_id_created_ms").equals(&site.id).count() >= MOST_SOURCES as u64 {
        let message = format!(
            "a website has at most {MOST_SOURCES} sources; equal servers can share one when each import names its `stream`"
        );
        return Err(Fault::conflict("too_many_sources", message).at("/name"));
    }
    let mut source = before.as_ref().map(|it| (**it).clone()).unwrap_or_default();
    source.site_id = site.id.to_string();
    args.name.as_str().clone_into(&mut source.name);
    source.format = args.format;
    source.pattern = pattern.map(str::to_owned);
    source.timezone = timezone;
    (source.ip, source.real_ip) = (args.ip, args.real_ip);
    (source.hosts, source.proxies, source.ignore_params) = (hosts, proxies, ignore_params);
    let created = before.is_none();
    let source_ref = match before {
        Some(known) => sources.update(&known.id, |it| *it = source)?.id,
        None => {
            source.created_ms = cx.now().millis();
            sources.insert(source)?.id
        }
    };
    let upload = if args.open_upload { Some(opened(cx)?) } else { None };
    let mut next = Vec::new();
    if let Some(upload) = &upload {
        let run = json!({ "source_ref": source_ref, "upload_ref": upload.upload_ref });
        next.push(Next::new("logs.import.run", run, "imports the file once it was put to the address"));
    }
    let mut fields: Vec<String> =
        reader.fields().iter().map(|it| it.name().to_owned()).filter(|it| it != "other").collect();
    fields.dedup();
    Ok(Saved { source_ref, created, format: args.format, fields, upload, next })
}

fn opened(cx: &Cx) -> Result<Opened> {
    let request = UploadRequest::new("log", &MEDIA_TYPES).max_bytes(MAX_BYTES).seconds(SECONDS);
    let opened = cx.uploads().open(&request)?;
    let media_types = MEDIA_TYPES.iter().map(|it| (*it).to_owned()).collect();
    Ok(Opened { upload_ref: opened.id, url: opened.url, expires_at: opened.expires, media_types })
}
