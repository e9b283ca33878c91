use artoo_protocol::FILE_DESCRIPTOR_SET;

use super::{SLOW, longest};
use crate::grpc::service::ANSWER_WITHIN;

#[test]
fn the_slow_calls_exist_and_get_their_time() {
    let protocol = String::from_utf8_lossy(FILE_DESCRIPTOR_SET);
    for (path, within) in SLOW {
        let name = path.strip_prefix("/artoo.v1.ArtooService/").expect("it is one of artoo's");
        assert!(protocol.contains(name), "{name} is a call of the protocol");
        assert!(longest(path) == within && within > 2 * ANSWER_WITHIN, "{path}");
    }
    assert!(longest("/artoo.v1.ArtooService/GetTask") < 2 * ANSWER_WITHIN);
}
