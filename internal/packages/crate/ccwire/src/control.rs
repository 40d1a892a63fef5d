use crate::{ControlRequest, ControlResponse, AnyRequest, Error, ErrorResponse, Response, SuccessResponse, Wire};

/// A control request, and what the member `response` of a success holds.
pub trait Request: Wire {
    /// What tells it apart from others.
    const SUBTYPE: &'static str;
    /// The answer. Requests that are answered with nothing have `Option<serde_json::Value>`.
    type Response: Wire;
}

/// What a hook is told about an event, and what it may answer in `hook_specific_output`.
pub trait Hook: Wire {
    /// The name of the event.
    const EVENT: &'static str;
    /// The answer. Events that have none of their own have `Option<serde_json::Value>`.
    type Output: Wire;
}

/// The input of a built-in tool, and its result. Lines carry both as any JSON, beside the name of
/// the tool: read them with [`Wire::from_value`].
pub trait Tool: Wire {
    /// What the tool is and was called, today's name first.
    const NAMES: &'static [&'static str];
    /// The result; a tool whose result is not known has `serde_json::Value`.
    type Result: Wire;
}

/// Makes a request; the id is for the answer.
pub fn ask<R: Request + Into<AnyRequest>>(request_id: &str, request: R) -> ControlRequest {
    ControlRequest { request_id: request_id.to_string(), request: request.into(), ..Default::default() }
}

/// Answers a request. The request says which type the answer has.
pub fn answer<R: Request>(request_id: &str, _: &R, response: &R::Response) -> ControlResponse {
    let success =
        SuccessResponse { request_id: request_id.to_string(), response: Some(response.to_value()), ..Default::default() };
    ControlResponse { response: success.into(), ..Default::default() }
}

/// Answers a request with an error, as one must that has an unknown subtype.
pub fn refuse(request_id: &str, error: &str) -> ControlResponse {
    let error = ErrorResponse { request_id: request_id.to_string(), error: error.to_string(), ..Default::default() };
    ControlResponse { response: error.into(), ..Default::default() }
}

/// Reads the answer to a request. It is an error if the answer is one, or of another type.
pub fn read_answer<R: Request>(response: &ControlResponse) -> Result<R::Response, Error> {
    match &response.response {
        Response::Success(success) => match &success.response {
            Some(value) => R::Response::from_value(value),
            None => R::Response::from_value(&serde_json::Value::Null),
        }
        .map_err(|err| err.below("response").below("response")),
        Response::Error(refused) => Err(Error::new(refused.error.clone()).below("response")),
        Response::Unknown(_) => Err(Error::new("neither a success nor an error").below("response")),
    }
}
