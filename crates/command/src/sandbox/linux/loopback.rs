//! A network of a command's own, in which nothing is but itself: what it starts can serve and be asked at 127.0.0.1 and ::1,
//! as many tests do, and no packet leaves it or comes in. It ends with the last of its processes.

use nix::sched::{CloneFlags, unshare};
use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with};

// Source: rtnetlink(7), netlink(7), `linux/rtnetlink.h`, `linux/netlink.h`, `linux/if.h`.
const RTM_NEWLINK: u16 = 16;
const NLMSG_ERROR: u16 = 2;
const NLM_F_REQUEST: u16 = 1;
const NLM_F_ACK: u16 = 4;
const IFF_UP: u32 = 1;
/// The loopback device is the first of every network.
const LOOPBACK: i32 = 1;
/// A header of 16 bytes, and one of 16 that names a device.
const LENGTH: u32 = 32;

/// Gives this thread, and what it starts, a network of its own whose one device is the loopback.
///
/// # Errors
/// When the system gives none; this thread may be in one without any device then.
pub(super) fn enter() -> std::io::Result<()> {
    unshare(CloneFlags::CLONE_NEWNET)?;
    let kernel = SocketAddrNetlink::new(0, 0);
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    sendto(&socket, &bring_up(), SendFlags::empty(), &kernel)?;
    let mut reply = [0; 128];
    let (_, length) = recv(&socket, &mut reply, RecvFlags::empty())?;
    match answer(&reply[..length.min(reply.len())]) {
        Some(0) => Ok(()),
        Some(error) => Err(std::io::Error::from_raw_os_error(-error)),
        None => Err(std::io::Error::other("the kernel answered something else")),
    }
}

/// The message that asks for the loopback to be up.
fn bring_up() -> Vec<u8> {
    let header =
        [&LENGTH.to_ne_bytes()[..], &RTM_NEWLINK.to_ne_bytes(), &(NLM_F_REQUEST | NLM_F_ACK).to_ne_bytes()];
    // Family, padding and type of the device are not said.
    let device = [&[0; 4][..], &LOOPBACK.to_ne_bytes(), &IFF_UP.to_ne_bytes(), &IFF_UP.to_ne_bytes()];
    // Number and sender of the message, 8 bytes, stay 0: one is sent, and one comes back.
    [header.concat(), vec![0; 8], device.concat()].concat()
}

/// What the kernel says to it: 0, or the negative number of an error. None if it is no such answer.
fn answer(reply: &[u8]) -> Option<i32> {
    let kind = u16::from_ne_bytes(reply.get(4..6)?.try_into().ok()?);
    let said = i32::from_ne_bytes(reply.get(16..20)?.try_into().ok()?);
    (kind == NLMSG_ERROR).then_some(said)
}

#[cfg(test)]
mod tests {
    use super::{LENGTH, answer, bring_up};

    #[test]
    fn the_message_has_its_length_and_an_answer_is_told_from_something_else() {
        assert_eq!(bring_up().len(), usize::try_from(LENGTH).unwrap());
        let mut reply = vec![0; 36];
        assert_eq!(answer(&reply), None);
        reply[4] = 2;
        assert_eq!(answer(&reply), Some(0));
        reply[16..20].copy_from_slice(&(-1_i32).to_ne_bytes());
        assert_eq!(answer(&reply), Some(-1));
        assert_eq!(answer(&reply[..12]), None);
    }
}
