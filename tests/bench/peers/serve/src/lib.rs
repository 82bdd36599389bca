//! Answers each request with a few bytes.

use std::io::Write as _;

use wasip2::http::types::{Fields, IncomingRequest, OutgoingBody, OutgoingResponse, ResponseOutparam};

struct Hello;

impl wasip2::exports::http::incoming_handler::Guest for Hello {
    fn handle(_request: IncomingRequest, outparam: ResponseOutparam) {
        let response = OutgoingResponse::new(Fields::new());
        let body = response.body().expect("a new response has a body");
        ResponseOutparam::set(outparam, Ok(response));
        let mut stream = body.write().expect("a new body can be written");
        stream.write_all(br#"{"said":"hello"}"#).expect("the host reads");
        drop(stream);
        OutgoingBody::finish(body, None).expect("nothing is missing");
    }
}

wasip2::http::proxy::export!(Hello);
