//! The formats of log lines, and readers for them.

mod apache;
pub(crate) mod detect;
mod expression;
mod fields;
mod json;
mod line;
mod nginx;
mod template;
mod time;

#[cfg(test)]
mod tests;

use expression::Expression;
use fields::Columns;
pub(crate) use fields::whole;
pub(crate) use line::{Field, Line, Read, Reason};
use sdk::prelude::*;
use template::Template;
pub(crate) use time::Clock;

/// The most bytes of a line.
pub(crate) const MAX_LINE: usize = 64 << 10;

const COMMON: &str = r#"%h %l %u %t "%r" %>s %b"#;
const COMBINED: &str = r#"%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i""#;
const VHOST: &str = r#"%v %h %l %u %t "%r" %>s %b"#;
const VHOST_COMBINED: &str = r#"%v %h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i""#;

/// The format of log lines.
#[value]
#[derive(Default)]
pub(crate) enum Format {
    /// Common log format of Apache and others.
    Common,
    /// The same with referrer and user agent: what Apache and nginx write unless told otherwise.
    #[default]
    Combined,
    /// The virtual host, then common.
    Vhost,
    /// The virtual host, then combined.
    VhostCombined,
    /// A `log_format` of nginx in `pattern`.
    Nginx,
    /// A `LogFormat` of Apache in `pattern`.
    Apache,
    /// W3C extended log of IIS.
    Iis,
    /// Standard log of Amazon CloudFront.
    Cloudfront,
    /// Access log of an AWS application load balancer.
    Alb,
    /// HTTP requests of Cloudflare Logpush.
    Cloudflare,
    /// JSON of Fastly.
    Fastly,
    /// JSON of others: members are found by their names.
    Json,
    /// A regular expression with named groups in `pattern`.
    Regex,
}

impl Format {
    /// All of them, the more specific first.
    pub(crate) const ALL: [Self; 13] = [
        Self::VhostCombined,
        Self::Combined,
        Self::Vhost,
        Self::Common,
        Self::Cloudfront,
        Self::Iis,
        Self::Alb,
        Self::Cloudflare,
        Self::Fastly,
        Self::Json,
        Self::Nginx,
        Self::Apache,
        Self::Regex,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Common => "common",
            Self::Combined => "combined",
            Self::Vhost => "vhost",
            Self::VhostCombined => "vhost_combined",
            Self::Nginx => "nginx",
            Self::Apache => "apache",
            Self::Iis => "iis",
            Self::Cloudfront => "cloudfront",
            Self::Alb => "alb",
            Self::Cloudflare => "cloudflare",
            Self::Fastly => "fastly",
            Self::Json => "json",
            Self::Regex => "regex",
        }
    }

    /// Whether it needs a `pattern`.
    pub(crate) fn is_own(self) -> bool {
        matches!(self, Self::Nginx | Self::Apache | Self::Regex)
    }
}

/// Reads lines of one format.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    kind: Kind,
    clock: Clock,
}

#[derive(Debug, Clone)]
enum Kind {
    Template(Template),
    Columns(Columns),
    Balancer,
    Json,
    Expression(Box<Expression>),
}

impl Reader {
    /// A reader; `header` are the fields that a header named before, where a file is read on from its middle.
    ///
    /// # Errors
    /// The words of what is wrong with the pattern.
    pub(crate) fn new(
        format: Format,
        pattern: Option<&str>,
        header: Option<&str>,
        clock: Clock,
    ) -> Result<Self, String> {
        let own =
            || pattern.filter(|it| !it.trim().is_empty()).ok_or_else(|| format!("{} needs a pattern", format.name()));
        let known = |text: &str| {
            apache::template(text).map(Kind::Template).ok_or_else(|| "the format does not read".to_owned())
        };
        let kind = match format {
            Format::Common => known(COMMON)?,
            Format::Combined => known(COMBINED)?,
            Format::Vhost => known(VHOST)?,
            Format::VhostCombined => known(VHOST_COMBINED)?,
            Format::Nginx => Kind::Template(
                nginx::template(own()?)
                    .ok_or("a variable of this log_format has no name, or its brace does not close")?,
            ),
            Format::Apache => Kind::Template(
                apache::template(own()?).ok_or("a directive of this LogFormat is unknown, or does not end")?,
            ),
            Format::Iis => Kind::Columns(Columns::new(false, header)),
            Format::Cloudfront => Kind::Columns(Columns::new(true, header)),
            Format::Alb => Kind::Balancer,
            Format::Cloudflare | Format::Fastly | Format::Json => Kind::Json,
            Format::Regex => Kind::Expression(Box::new(Expression::new(own()?)?)),
        };
        let reader = Self { kind, clock };
        if format.is_own() {
            reader.is_enough()?;
        }
        Ok(reader)
    }

    /// What lines must say: when, what was asked for, and what was answered.
    fn is_enough(&self) -> Result<(), String> {
        let fields = self.fields();
        let has = |any: &[Field]| any.iter().any(|it| fields.contains(it));
        let missing = [
            (has(&[Field::Time]) || (has(&[Field::Date]) && has(&[Field::Clock])), "the time"),
            (has(&[Field::Request, Field::Target, Field::Path]), "the address that was asked for"),
            (has(&[Field::Status]), "the status"),
        ];
        match missing.iter().find(|(there, _)| !there) {
            Some((_, what)) => Err(format!("this pattern does not say {what} of a request")),
            None => Ok(()),
        }
    }

    /// Which fields its lines have; those of JSON are found line by line.
    pub(crate) fn fields(&self) -> Vec<Field> {
        match &self.kind {
            Kind::Template(it) => it.fields().collect(),
            Kind::Columns(it) => it.fields().to_vec(),
            Kind::Expression(it) => it.fields().collect(),
            Kind::Balancer => fields::ALB.to_vec(),
            Kind::Json => Vec::new(),
        }
    }

    /// The header that is in force, of formats that have one.
    pub(crate) fn header(&self) -> Option<String> {
        if let Kind::Columns(it) = &self.kind { Some(it.header.clone()) } else { None }
    }

    /// Reads a line, which has no line break.
    pub(crate) fn read<'a>(&mut self, line: &'a [u8]) -> Read<'a> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.trim_ascii().is_empty() {
            return Read::Header;
        }
        if line.len() > MAX_LINE {
            return Read::Rejected(Reason::TooLong);
        }
        match &mut self.kind {
            Kind::Template(it) => {
                // Blanks behind the last quote.
                it.read(line.trim_ascii_end(), &mut self.clock)
            }
            Kind::Columns(it) => it.read(line, &mut self.clock),
            Kind::Balancer => fields::balancer(line, &mut self.clock),
            Kind::Json => json::read(line, &mut self.clock),
            Kind::Expression(it) => it.read(line, &mut self.clock),
        }
    }
}

/// Which of the formats with a pattern this one is.
pub(crate) fn of_pattern(pattern: &str) -> Format {
    if pattern.contains("(?P<") || pattern.contains("(?<") {
        Format::Regex
    } else if pattern.contains('$') {
        Format::Nginx
    } else {
        Format::Apache
    }
}
