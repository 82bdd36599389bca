//! Lines of JSON, whose fields are found by their names.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer as _, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::line::{Field, Found, Read, Reason};
use super::time::Clock;

/// Objects within objects that are looked into.
const DEPTH: usize = 4;

/// What a member holds, by its name in lower case without `_`, `-` and `@`: of Cloudflare, Fastly, nginx, Caddy, Traefik,
/// CloudFront, Google Cloud, Azure Front Door, Vercel, and what people call them. Parents stand before it with dots.
const NAMES: [(&str, Field); 98] = [
    ("clientip", Field::Address),
    ("remoteaddr", Field::Address),
    ("remoteip", Field::Address),
    ("remotehost", Field::Address),
    ("clienthost", Field::Address),
    ("clientaddr", Field::Address),
    ("ip", Field::Address),
    ("cip", Field::Address),
    ("host.ip", Field::Other),
    ("sourceip", Field::Address),
    ("request.clientip", Field::Address),
    ("request.remoteip", Field::Address),
    ("request.remoteaddr", Field::Address),
    ("httprequest.remoteip", Field::Address),
    ("properties.clientip", Field::Address),
    ("proxy.clientip", Field::Address),
    ("client.ip", Field::Address),
    ("source.ip", Field::Address),
    ("xforwardedfor", Field::Forwarded),
    ("httpxforwardedfor", Field::Forwarded),
    ("forwardedfor", Field::Forwarded),
    ("request.headers.xforwardedfor", Field::Forwarded),
    ("realip", Field::Forwarded),
    ("clientrequesthost", Field::Host),
    ("host", Field::Host),
    ("httphost", Field::Host),
    ("requesthost", Field::Host),
    ("servername", Field::Host),
    ("xhostheader", Field::Host),
    ("request.host", Field::Host),
    ("proxy.host", Field::Host),
    ("properties.hostname", Field::Host),
    ("url.domain", Field::Host),
    ("vhost", Field::Host),
    ("edgestarttimestamp", Field::Time),
    ("time", Field::Time),
    ("timestamp", Field::Time),
    ("ts", Field::Time),
    ("timelocal", Field::Time),
    ("timeiso8601", Field::Time),
    ("msec", Field::Time),
    ("starttime", Field::Time),
    ("startutc", Field::Time),
    ("startlocal", Field::Other),
    ("datetime", Field::Time),
    ("date", Field::Date),
    ("proxy.timestamp", Field::Time),
    ("request", Field::Request),
    ("clientrequestmethod", Field::Method),
    ("method", Field::Method),
    ("requestmethod", Field::Method),
    ("csmethod", Field::Method),
    ("request.method", Field::Method),
    ("httprequest.requestmethod", Field::Method),
    ("properties.httpmethod", Field::Method),
    ("proxy.method", Field::Method),
    ("http.request.method", Field::Method),
    ("clientrequesturi", Field::Target),
    ("requesturi", Field::Target),
    ("requesturl", Field::Target),
    ("url", Field::Target),
    ("uri", Field::Target),
    ("path", Field::Path),
    ("requestpath", Field::Target),
    ("csuristem", Field::Path),
    ("clientrequestpath", Field::Path),
    ("request.uri", Field::Target),
    ("request.url", Field::Target),
    ("httprequest.requesturl", Field::Target),
    ("properties.requesturi", Field::Target),
    ("proxy.path", Field::Target),
    ("url.original", Field::Target),
    ("query", Field::Query),
    ("querystring", Field::Query),
    ("args", Field::Query),
    ("csuriquery", Field::Query),
    ("edgeresponsestatus", Field::Status),
    ("status", Field::Status),
    ("statuscode", Field::Status),
    ("responsestatus", Field::Status),
    ("scstatus", Field::Status),
    ("downstreamstatus", Field::Status),
    ("httprequest.status", Field::Status),
    ("properties.httpstatuscode", Field::Status),
    ("proxy.statuscode", Field::Status),
    ("http.response.statuscode", Field::Status),
    ("edgeresponsebytes", Field::Bytes),
    ("bodybytessent", Field::Bytes),
    ("bytessent", Field::Bytes),
    ("bytes", Field::Bytes),
    ("size", Field::Bytes),
    ("responsesize", Field::Bytes),
    ("responsebodysize", Field::Bytes),
    ("scbytes", Field::Bytes),
    ("downstreamcontentsize", Field::Bytes),
    ("httprequest.responsesize", Field::Bytes),
    ("properties.responsebytes", Field::Bytes),
    ("http.response.bytes", Field::Bytes),
];

/// The same for user agents, referrers and durations.
const MORE: [(&str, Field); 34] = [
    ("clientrequestuseragent", Field::Agent),
    ("useragent", Field::Agent),
    ("httpuseragent", Field::Agent),
    ("requestuseragent", Field::Agent),
    ("csuseragent", Field::Agent),
    ("cs(useragent)", Field::Agent),
    ("agent", Field::Agent),
    ("ua", Field::Agent),
    ("request.useragent", Field::Agent),
    ("request.headers.useragent", Field::Agent),
    ("httprequest.useragent", Field::Agent),
    ("properties.useragent", Field::Agent),
    ("proxy.useragent", Field::Agent),
    ("useragent.original", Field::Agent),
    ("clientrequestreferer", Field::Referrer),
    ("referer", Field::Referrer),
    ("referrer", Field::Referrer),
    ("httpreferer", Field::Referrer),
    ("requestreferer", Field::Referrer),
    ("csreferer", Field::Referrer),
    ("cs(referer)", Field::Referrer),
    ("request.referer", Field::Referrer),
    ("request.headers.referer", Field::Referrer),
    ("httprequest.referer", Field::Referrer),
    ("properties.referer", Field::Referrer),
    ("proxy.referer", Field::Referrer),
    ("originresponsedurationms", Field::Milliseconds),
    ("edgetimetofirstbytems", Field::Other),
    ("durationms", Field::Milliseconds),
    ("requesttime", Field::Seconds),
    ("httprequest.latency", Field::Seconds),
    ("properties.timetaken", Field::Seconds),
    ("timetaken", Field::Seconds),
    ("timeelapsed", Field::Microseconds),
];

/// Reads a line of JSON.
pub(crate) fn read<'a>(line: &'a [u8], clock: &mut Clock) -> Read<'a> {
    let Some((found, _)) = fields(line) else { return Read::Rejected(Reason::OtherForm) };
    match found.read(clock) {
        Read::Line(mut line) => {
            if let Some((host, target)) = super::fields::whole(&line.target) {
                (line.host, line.target) = (Cow::Owned(host), Cow::Owned(target));
            }
            Read::Line(line)
        }
        other => other,
    }
}

/// The fields of a line, and which member is which, for people.
pub(crate) fn fields(line: &[u8]) -> Option<(Found<'_>, Vec<(String, Field)>)> {
    let mut reading = Reading { found: Found::default(), members: Vec::new(), path: String::new(), depth: 0 };
    let mut json = serde_json::Deserializer::from_slice(line);
    json.deserialize_map(&mut reading).ok()?;
    json.end().ok()?;
    if !reading.members.iter().any(|(_, field)| *field == Field::Status) {
        return None;
    }
    Some((reading.found, reading.members))
}

struct Reading<'a> {
    found: Found<'a>,
    members: Vec<(String, Field)>,
    path: String,
    depth: usize,
}

impl<'a> Reading<'a> {
    fn take(&mut self, value: Cow<'a, [u8]>) {
        let field = field(&self.path);
        // The first member of a kind holds: others are those of servers behind.
        let known = self.members.iter().any(|(_, it)| *it == field);
        if field != Field::Other && !known && !value.is_empty() && self.found.take(field, value) {
            self.members.push((self.path.clone(), field));
        }
    }
}

/// What a member holds. Durations that are named `duration` are nanoseconds in whole numbers, or seconds.
fn field(path: &str) -> Field {
    let plain: String = path.chars().filter(|it| !matches!(it, '_' | '-' | '@')).flat_map(char::to_lowercase).collect();
    NAMES.iter().chain(&MORE).find(|(name, _)| *name == plain).map_or(Field::Other, |(_, field)| *field)
}

impl<'de> Visitor<'de> for &mut Reading<'de> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a request")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        if self.depth == DEPTH {
            return Err(A::Error::custom("too deep"));
        }
        self.depth += 1;
        let before = self.path.len();
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            if before > 0 {
                self.path.push('.');
            }
            self.path.push_str(&name);
            if self.depth == DEPTH || name.len() > 64 {
                map.next_value::<IgnoredAny>()?;
            } else {
                map.next_value_seed(&mut *self)?;
            }
            self.path.truncate(before);
        }
        self.depth -= 1;
        Ok(())
    }

    /// Headers can come several times: the first one holds.
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        if self.depth < DEPTH {
            self.depth += 1;
            list.next_element_seed(&mut *self)?;
            self.depth -= 1;
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<(), E> {
        self.take(Cow::Borrowed(text.as_bytes()));
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.take(Cow::Owned(text.as_bytes().to_vec()));
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        if is_duration(&self.path) {
            self.found.take(Field::Nanoseconds, Cow::Owned(number.to_string().into_bytes()));
        } else {
            self.take(Cow::Owned(number.to_string().into_bytes()));
        }
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.take(Cow::Owned(number.to_string().into_bytes()));
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        if is_duration(&self.path) {
            self.found.take(Field::Seconds, Cow::Owned(number.to_string().into_bytes()));
        } else {
            self.take(Cow::Owned(format!("{number:.3}").into_bytes()));
        }
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

/// `duration` of Caddy (seconds with a fraction) and `Duration` of Traefik (whole nanoseconds).
fn is_duration(path: &str) -> bool {
    path.eq_ignore_ascii_case("duration")
}

impl<'de> DeserializeSeed<'de> for &mut Reading<'de> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}
