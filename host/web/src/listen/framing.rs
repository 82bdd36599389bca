//! Where requests begin and end in what a client sends, and whether each line of a head ends as it must.
//!
//! The parser behind takes a bare line feed for the end of a line, which RFC 9112 (2.2) leaves to it; a proxy in front
//! may not, and then both see different requests. So a bare line feed is made a byte that no head may hold, and the
//! parser refuses the request with 400. This does nothing else to what it reads.

/// Bytes of a line that are kept to know its name and value.
const KEPT: usize = 256;

/// Where in a request the last byte was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Before the first byte of a head.
    Between,
    /// Within a head.
    Head,
    /// Within a body.
    Body,
}

/// Follows what comes on one connection.
#[derive(Debug, Default)]
pub(super) struct Framing {
    state: State,
    /// The beginning of the current line.
    line: Vec<u8>,
    /// Bytes of the current line, the end of it not counted.
    length: u64,
    after_cr: bool,
    /// Whether the request's first line is over.
    begun: bool,
    body: Body,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Head,
    /// So many bytes of a body are to come.
    Bytes(u64),
    ChunkSize,
    Chunk(u64),
    ChunkEnd,
    Trailer,
    /// Nothing is known of what follows: the parser refuses the request.
    Lost,
}

/// The body that the head announces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Body {
    #[default]
    None,
    Bytes(u64),
    Chunked,
}

impl Framing {
    /// Where the last byte was.
    pub(super) fn phase(&self) -> Phase {
        match self.state {
            State::Head if !self.begun && self.length == 0 && !self.after_cr => Phase::Between,
            State::Head => Phase::Head,
            _ => Phase::Body,
        }
    }

    /// Takes in the next bytes. A bare line feed in a head becomes a zero.
    pub(super) fn take(&mut self, bytes: &mut [u8]) {
        let mut at = 0;
        while at < bytes.len() {
            match &mut self.state {
                State::Lost => return,
                State::Bytes(left) | State::Chunk(left) => {
                    let step = usize::try_from(*left).unwrap_or(usize::MAX).min(bytes.len() - at);
                    *left -= step as u64;
                    at += step;
                    if *left == 0 {
                        self.state = if matches!(self.state, State::Chunk(_)) { State::ChunkEnd } else { State::Head };
                    }
                }
                State::Head | State::ChunkSize | State::ChunkEnd | State::Trailer => {
                    let rest = &mut bytes[at..];
                    let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
                        self.keep(rest);
                        return;
                    };
                    self.keep(&rest[..end]);
                    if !self.after_cr {
                        rest[end] = 0;
                        self.state = State::Lost;
                        return;
                    }
                    at += end + 1;
                    self.end_line();
                }
            }
        }
    }

    /// Takes in a part of a line, without its line feed.
    fn keep(&mut self, part: &[u8]) {
        let Some(last) = part.last() else { return };
        // A carriage return counts as part of the line unless it is the last byte before the line feed.
        self.length += part.len() as u64 + u64::from(self.after_cr) - u64::from(*last == b'\r');
        self.after_cr = *last == b'\r';
        let room = KEPT.saturating_sub(self.line.len());
        self.line.extend_from_slice(&part[..part.len().min(room)]);
    }

    fn end_line(&mut self) {
        let is_empty = self.length == 0;
        let line = std::mem::take(&mut self.line);
        (self.length, self.after_cr) = (0, false);
        self.state = match self.state {
            State::Head if is_empty && !self.begun => State::Head,
            State::Head if is_empty => {
                self.begun = false;
                match std::mem::take(&mut self.body) {
                    Body::None | Body::Bytes(0) => State::Head,
                    Body::Bytes(count) => State::Bytes(count),
                    Body::Chunked => State::ChunkSize,
                }
            }
            State::Head => {
                if self.begun {
                    self.field(&line);
                }
                self.begun = true;
                State::Head
            }
            State::ChunkSize => match size(&line) {
                Some(0) => State::Trailer,
                Some(size) => State::Chunk(size),
                None => State::Lost,
            },
            State::ChunkEnd if is_empty => State::ChunkSize,
            State::Trailer if is_empty => State::Head,
            State::Trailer => State::Trailer,
            _ => State::Lost,
        };
    }

    /// What a field of the head says of the body.
    fn field(&mut self, line: &[u8]) {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { return };
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        if name.eq_ignore_ascii_case(b"transfer-encoding") {
            // Other codings than this one are refused by the parser when they are last.
            self.body = Body::Chunked;
        } else if name.eq_ignore_ascii_case(b"content-length") && self.body != Body::Chunked {
            self.body = std::str::from_utf8(value).ok().and_then(|it| it.parse().ok()).map_or(Body::None, Body::Bytes);
        }
    }
}

/// The size of a chunk: hexadecimal, and an extension that says nothing here.
fn size(line: &[u8]) -> Option<u64> {
    let digits = line.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    //! Tests of `framing`.

    use super::*;

    const WHOLE: &[u8] = b"\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n\
        POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\none\ntwo\nend\
        POST /c HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n5;x=1\r\na\nb\nc\r\nA\r\n0123456\n89\r\n0\r\nEtag: 1\r\n\r\n\
        GET /d HTTP/1.1\r\nHost: a\r\n\r\n";

    fn take(parts: &[&[u8]]) -> (Vec<u8>, Phase) {
        let mut framing = Framing::default();
        let mut seen = Vec::new();
        for part in parts {
            let mut part = part.to_vec();
            framing.take(&mut part);
            seen.extend(part);
        }
        (seen, framing.phase())
    }

    #[test]
    fn what_ends_its_lines_as_it_must_stays_as_it_is_however_it_arrives() {
        assert_eq!(take(&[WHOLE]), (WHOLE.to_vec(), Phase::Between));
        for cut in 0..=WHOLE.len() {
            let (head, tail) = WHOLE.split_at(cut);
            assert_eq!(take(&[head, tail]), (WHOLE.to_vec(), Phase::Between), "cut at {cut}");
        }
        let single: Vec<&[u8]> = WHOLE.chunks(1).collect();
        assert_eq!(take(&single), (WHOLE.to_vec(), Phase::Between));
    }

    #[test]
    fn a_bare_line_feed_is_spoiled_in_each_line_of_a_head_and_in_what_frames_a_body() {
        let bare: [&[u8]; 7] = [
            b"GET / HTTP/1.1\nHost: a\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: a\n\r\n",
            b"GET / HTTP/1.1\r\nHost: a\r\n\n",
            b"\nGET / HTTP/1.1\r\n\r\n",
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n",
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\n0\r\n\r\n",
            b"POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\naGET / HTTP/1.1\nHost: a\r\n\r\n",
        ];
        for text in bare {
            for cut in 0..text.len() {
                let (head, tail) = text.split_at(cut);
                let (seen, _) = take(&[head, tail]);
                let zeros = seen.iter().filter(|byte| **byte == 0).count();
                assert_eq!(zeros, 1, "{} cut at {cut}", String::from_utf8_lossy(text));
            }
        }
    }

    #[test]
    fn the_phase_says_what_is_waited_for() {
        for (text, phase) in [
            ("", Phase::Between),
            ("\r\n", Phase::Between),
            ("G", Phase::Head),
            ("GET / HTTP/1.1\r\nHost: a\r\n", Phase::Head),
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", Phase::Between),
            ("POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nab", Phase::Body),
            ("POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabc", Phase::Between),
            ("POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nab", Phase::Body),
        ] {
            assert_eq!(take(&[text.as_bytes()]).1, phase, "{text:?}");
        }
    }

    #[test]
    fn long_lines_take_no_memory() {
        let mut framing = Framing::default();
        for _ in 0..1_000 {
            framing.take(&mut [b'a'; 1_024]);
        }
        assert_eq!((framing.line.len(), framing.length), (KEPT, 1_024_000));
    }
}
