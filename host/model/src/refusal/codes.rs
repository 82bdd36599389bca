//! The table of codes: each word by which the host itself refuses, its class, when it comes and what to do then.
//! REST and MCP say the same; `host/web/ERRORS.md` is written from here. What a module refuses has a code of its own.

use super::Class;

/// Where a code is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doors {
    /// Over REST and over MCP, word for word.
    Both,
    /// Over REST: what it is about does not exist in MCP.
    Rest,
    /// Over MCP alone.
    Mcp,
    /// At the one-time address of an upload.
    Upload,
    /// In the trail and in notices: nobody has called.
    Inside,
}

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Stable and machine-readable.
    pub name: &'static str,
    /// Its class, and by it its status.
    pub class: Class,
    /// Where it is met.
    pub doors: Doors,
    /// When it comes.
    pub when: &'static str,
    /// What to do then.
    pub then: &'static str,
    /// The members of the envelope beside code and message, where it has them.
    pub members: &'static [&'static str],
}

macro_rules! codes {
    ($($id:ident $name:literal $class:ident $doors:ident [$($member:literal),*] $when:literal $then:literal)*) => {
        $(
            #[doc = $when]
            pub const $id: Code = Code {
                name: $name,
                class: Class::$class,
                doors: Doors::$doors,
                when: $when,
                then: $then,
                members: &[$($member),*],
            };
        )*
        /// The whole table, by class.
        pub const ALL: &[Code] = &[$($id),*];
    };
}

codes! {
    MALFORMED_REQUEST "malformed_request" Malformed Both []
        "The path, the query, a header or the body cannot be read; or a token stands in the address."
        "Mend the request. Over MCP a body that is not JSON is the protocol's own error -32700."
    UNAUTHENTICATED "unauthenticated" Unauthenticated Both []
        "No bearer token came."
        "Sign in; `WWW-Authenticate` names the metadata."
    INVALID_TOKEN "invalid_token" Unauthenticated Both []
        "The token is expired, revoked, unknown or for another service."
        "Refresh it, or sign in again."
    POINTS_EXHAUSTED "points_exhausted" Payment Both ["needed", "short", "included_remaining", "paid_remaining", "renews_at"]
        "The day's included points and the paid ones do not cover the most that the call can cost."
        "Wait for `renews_at`, buy points, or ask for less."
    CREDITS_EXHAUSTED "credits_exhausted" Payment Both ["needed_credits", "available_credits"]
        "The credits do not cover the native price."
        "Add credits, or ask for less work."
    BUDGET_EXHAUSTED "budget_exhausted" Payment Both ["budget", "cap", "used", "needed", "renews_at"]
        "A budget that the customer has set does not cover the call."
        "Wait for `renews_at`, or raise the budget."
    INSUFFICIENT_SCOPE "insufficient_scope" Forbidden Both ["required_scopes", "missing_scopes"]
        "The grant lacks a scope of the route or the operation."
        "Connect again and ask for `missing_scopes` too."
    ACCESS_INACTIVE "access_inactive" Forbidden Both []
        "External access was never activated, or the account is shut."
        "Activate it in the portal."
    OPERATION_OFF "operation_off" Forbidden Both ["family"]
        "The operator of this service has switched off the family of operations that this one belongs to."
        "Only the operator can switch it on. What runs can still be read and stopped."
    ORIGIN_NOT_ALLOWED "origin_not_allowed" Forbidden Mcp []
        "A page of an origin that is not configured sent the message."
        "Call from a server, or have the operator add the origin."
    ROUTE_NOT_FOUND "route_not_found" NotFound Rest []
        "There is no such route."
        "Read `/v1/openapi.json`."
    OPERATION_NOT_FOUND "operation_not_found" NotFound Both ["nearest"]
        "The catalog in force has no operation of this id."
        "Take one of `nearest`, or search for one by its goal."
    UPLOAD_NOT_FOUND "upload_not_found" NotFound Upload []
        "There is no such upload, or its time is over."
        "Ask for another upload."
    METHOD_NOT_ALLOWED "method_not_allowed" Method Both ["allowed"]
        "The route exists and answers another method."
        "Use the method of `Allow`."
    IDEMPOTENCY_KEY_CONFLICT "idempotency_key_conflict" Conflict Both ["first_request_id"]
        "The key was used with other arguments or for another operation."
        "Use a new key for a new request."
    IDEMPOTENCY_IN_PROGRESS "idempotency_in_progress" Conflict Both []
        "A call with this key still runs."
        "Ask again with the same key after `Retry-After`."
    CONTRACT_CHANGED "contract_changed" Conflict Both ["operation_id", "contract_digest"]
        "The contract is not the one whose digest was sent."
        "Read it again, then call with the new digest."
    OUTCOME_UNKNOWN "outcome_unknown" Conflict Both []
        "A provider may have received what an interrupted call sent; it was not sent again."
        "Look at the provider; a new key does it once more."
    UPLOAD_IN_PROGRESS "upload_in_progress" Conflict Upload []
        "Another transfer to this address runs."
        "Wait for its end, or as long as `Retry-After` says."
    UPLOAD_COMPLETE "upload_complete" Conflict Upload []
        "The file of this upload is here already."
        "Ask for another upload."
    UPLOAD_TAKEN_OVER "upload_taken_over" Conflict Upload []
        "The transfer was silent for too long, and another one began."
        "Look whether the other one ended; else send again."
    BODY_TOO_LARGE "body_too_large" TooLarge Both ["most"]
        "The body has more bytes than the route or the upload takes."
        "Send less; what is large goes as an upload."
    ARGUMENTS_TOO_LARGE "arguments_too_large" TooLarge Both []
        "The arguments have more bytes than the operation takes."
        "Send fewer at once, or an upload's reference."
    UPLOADS_FULL "uploads_full" TooLarge Upload []
        "The files that are kept leave no room for this one."
        "Wait: they go by themselves after some days."
    UNSUPPORTED_MEDIA_TYPE "unsupported_media_type" Media Both []
        "The body is not declared as what the route takes."
        "Send JSON as `application/json`; an upload as it was announced."
    INVALID_ARGUMENTS "invalid_arguments" Invalid Both ["pointer", "allowed", "nearest", "errors"]
        "A parameter, a header or an argument violates the contract."
        "`pointer` leads to the first; where there is a choice, `allowed` has it. `errors` has all, at most 20, each with `pointer` and `message`."
    IDEMPOTENCY_KEY_REQUIRED "idempotency_key_required" Invalid Both ["pointer"]
        "The operation changes something and came without a key."
        "Send a new key, and the same one to repeat the request."
    TOO_MUCH_AT_ONCE "too_much_at_once" Invalid Both ["limit"]
        "What the call has to read or make is more than one call may: a very large page, very many rows. Nothing was written and nothing was charged."
        "Ask for less at once: a smaller page, fewer of them, a shorter list, or the queued operation for the whole."
    UPLOAD_EMPTY "upload_empty" Invalid Upload []
        "The file has no bytes."
        "Send it again."
    DIGEST_MISMATCH "digest_mismatch" Invalid Upload []
        "The bytes are not those of `Content-Digest`."
        "Send them again."
    RESULT_MISSING "result_missing" Invalid Inside []
        "A scheduled call takes a member of an earlier result which that does not have."
        "Change the schedule."
    RATE_LIMITED "rate_limited" Limited Both ["limit", "quota", "window_seconds"]
        "The request, heavy-operation, catalog-enumeration or feedback limit is reached."
        "Wait as long as `Retry-After` says. Over MCP the request limit is a JSON-RPC error of code 429 with this envelope as `data`."
    TOO_MANY_RUNNING "too_many_running" Limited Both []
        "Too many operations run at once."
        "Try again after `Retry-After`."
    TOO_MANY_JOBS "too_many_jobs" Limited Both []
        "The customer has as many open jobs as one may have."
        "Wait until one has ended, or end one with `account.job.cancel`; then try again with the same key."
    INTERNAL_ERROR "internal_error" Internal Both []
        "Something broke on our side; nothing was charged."
        "Try again with the same key; report the `request_id`."
    OPERATION_FAILED "operation_failed" Internal Both []
        "The sandbox stopped the operation; nothing was written and nothing was charged."
        "Try again with the same key; report the `request_id`."
    UNAVAILABLE "unavailable" Unavailable Both []
        "The database or another part of the service cannot be reached; nothing was done."
        "Try again with the same key after `Retry-After`."
    OPERATION_RESTING "operation_resting" Unavailable Both []
        "This operation failed several times in a row and is given a rest; others work."
        "Try again after `Retry-After`."
    CONTENTION "contention" Unavailable Both []
        "Other calls kept changing the same records; nothing was done."
        "Try again with the same key."
    CONNECTIONS_LOCKED "connections_locked" Unavailable Both []
        "The key that opens the customer's connections is not available; nothing was done."
        "Try again later; the operator has to bring it back."
    CLOCK_REGRESSED "clock_regressed" Unavailable Both []
        "The host's clock is behind what it has recorded; nothing was done."
        "Try again later."
    LEDGER_INCONSISTENT "ledger_inconsistent" Unavailable Both []
        "The books failed their verification; nothing is done and nothing is charged until they are right."
        "Try again later."
}
