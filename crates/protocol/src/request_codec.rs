//! How the server reads requests: bytes that are no request are the caller's mistake, and the caller is told so.

use std::marker::PhantomData;

use prost::{DecodeError, Message};
use tonic::codec::{Codec, DecodeBuf, Decoder};
use tonic::{Code, Status};
use tonic_prost::ProstEncoder;
use tonic_types::{ErrorDetails, StatusExt};

/// Writes answers as every codec for protocol buffers does. A request that cannot be read is INVALID_ARGUMENT, where the
/// usual codec says INTERNAL, as if the server were broken.
#[derive(Debug)]
pub(crate) struct RequestCodec<T, U>(PhantomData<(T, U)>);

impl<T, U> Default for RequestCodec<T, U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T: Message + Send + 'static, U: Message + Default + Send + 'static> Codec for RequestCodec<T, U> {
    type Encode = T;
    type Decode = U;
    type Encoder = ProstEncoder<T>;
    type Decoder = RequestDecoder<U>;

    fn encoder(&mut self) -> Self::Encoder {
        ProstEncoder::default()
    }

    fn decoder(&mut self) -> Self::Decoder {
        RequestDecoder(PhantomData)
    }
}

/// Reads one request.
#[derive(Debug)]
pub(crate) struct RequestDecoder<U>(PhantomData<U>);

impl<U: Message + Default> Decoder for RequestDecoder<U> {
    type Item = U;
    type Error = Status;

    fn decode(&mut self, bytes: &mut DecodeBuf<'_>) -> Result<Option<U>, Status> {
        U::decode(bytes).map(Some).map_err(|error| unreadable(&error))
    }
}

/// The text of the error names the message and its field.
fn unreadable(error: &DecodeError) -> Status {
    let message =
        format!("the request cannot be read: {error}; send a message of artoo.v1 with text in UTF-8");
    let mut details = ErrorDetails::with_error_info("UNREADABLE_REQUEST", "artoo", []);
    details.add_bad_request_violation("request", &message);
    Status::with_error_details(Code::InvalidArgument, message, details)
}
