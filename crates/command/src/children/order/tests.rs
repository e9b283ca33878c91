use std::io::{Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;

use super::{MAX_ORDER_BYTES, Order, receive, send_first, written};

fn order(text: &str) -> Order {
    Order {
        arguments: vec!["bash".to_owned(), "-c".to_owned(), text.to_owned()],
        folder: "/x".to_owned(),
        environment: [("A".to_owned(), "\n1".to_owned())].into(),
        scratch: "/tmp/x".into(),
        confinement: crate::sandbox::Confinement::Guarded(vec!["/home/\"\n".to_owned()]),
        has_input: false,
    }
}

#[test]
fn an_order_arrives_with_its_outputs() {
    let (ours, its) = UnixStream::pair().unwrap();
    let (mut out, writer) = std::io::pipe().unwrap();
    let sent = order(&"x".repeat(300_000));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (header, body) = written(&sent).unwrap();
            send_first(ours.as_fd(), &header, [writer.as_fd(), writer.as_fd()], None).unwrap();
            (&ours).write_all(&body).unwrap();
        });
        let (order, streams) = receive(&its).unwrap().expect("there is an order");
        assert_eq!(order, sent);
        assert!(streams.input.is_none());
        for output in streams.outputs {
            std::fs::File::from(output).write_all(b"said ").unwrap();
        }
    });
    drop(writer);
    let mut said = String::new();
    out.read_to_string(&mut said).unwrap();
    assert_eq!(said, "said said ", "both outputs are passed on, and nobody else holds them");
    drop(ours);
    assert!(receive(&its).unwrap().is_none(), "the other side is closed");
}

#[test]
fn an_input_is_passed_on_where_there_is_one() {
    let (ours, its) = UnixStream::pair().unwrap();
    let (reader, mut writer) = std::io::pipe().unwrap();
    let send = |order: &Order, has_pipe: bool| {
        let (header, body) = written(order).unwrap();
        let input = has_pipe.then(|| reader.as_fd());
        send_first(ours.as_fd(), &header, [ours.as_fd(), ours.as_fd()], input).unwrap();
        (&ours).write_all(&body).unwrap();
    };
    let fed = Order { has_input: true, ..order("cat") };
    send(&fed, true);
    let (received, streams) = receive(&its).unwrap().expect("there is an order");
    assert_eq!(received, fed);
    writer.write_all(b"words").unwrap();
    drop(writer);
    let mut said = String::new();
    std::fs::File::from(streams.input.expect("it has one")).read_to_string(&mut said).unwrap();
    assert_eq!(said, "words");
    send(&fed, false);
    assert!(receive(&its).is_err(), "its input is missing");
}

#[test]
fn what_is_no_order_is_refused() {
    let (ours, its) = UnixStream::pair().unwrap();
    (&ours).write_all(&[0; 8]).unwrap();
    assert!(receive(&its).is_err(), "it has no outputs");
    assert!(written(&order(&"x".repeat(MAX_ORDER_BYTES))).is_err());
    let (_, writer) = std::io::pipe().unwrap();
    send_first(ours.as_fd(), &u64::MAX.to_be_bytes(), [writer.as_fd(), writer.as_fd()], None).unwrap();
    assert!(receive(&its).is_err(), "its length is nonsense");
}
