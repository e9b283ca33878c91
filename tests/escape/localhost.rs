//! A network of a box's own: what is started there serves and is asked, and nobody outside is reached by it.

use std::fs;
use std::net::{TcpListener, UdpSocket};

use artoo_types::evidence::CallEnd;

use crate::bench::Bench;
use crate::boxed::{repository, succeeded};
use crate::world::World;

/// A service with a test of its own, as projects have them: it listens, is asked, and ends.
const SERVICE_TEST: &str = "\
import http.server, threading, unittest, urllib.request

class Service(unittest.TestCase):
    def test_it_answers(self):
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with urllib.request.urlopen('http://127.0.0.1:%d/page.txt' % server.server_port) as reply:
            self.assertEqual(reply.status, 200)
        server.shutdown()

unittest.main()
";

/// Fails where the box refuses sockets, or its network has no address.
#[test]
fn tests_that_serve_and_ask_run_unasked() {
    let world = World::new();
    let work = repository(&world);
    fs::write(work.join("service_test.py"), SERVICE_TEST).expect("a file");
    fs::write(work.join("page.txt"), "a page\n").expect("a file");
    let bench = Bench::boxed(&world, "work");
    let receipt = bench.unasked("python3 service_test.py 2>&1");
    succeeded(&receipt);
    assert!(receipt.output.contains("Ran 1 test"), "{}", receipt.output);
    let receipt = bench.unasked(
        "python3 -m http.server 8765 >/dev/null 2>&1 & server=$!
         for i in $(seq 50); do curl -sf http://localhost:8765/page.txt && break; sleep 0.1; done
         kill \"$server\"; wait \"$server\"; echo ended",
    );
    succeeded(&receipt);
    assert!(receipt.output.contains("a page") && receipt.output.contains("ended"), "{}", receipt.output);
    for way in ["socket.AF_INET6, '::1'", "socket.AF_INET, '127.0.0.1'"] {
        let (family, address) = way.split_once(", ").expect("two parts");
        let program = format!(
            "import socket; s = socket.socket({family}, socket.SOCK_DGRAM); s.bind(({address}, 0)); \
             s.sendto(b'x', s.getsockname()); print(s.recv(1))"
        );
        succeeded(&bench.unasked(&format!("python3 -c \"{program}\" 2>&1")));
    }
}

/// Every address of this machine, from a box: none leads out of it. It fails where a box shares the network of others.
#[test]
fn who_listens_on_this_machine_is_not_reached_from_a_box() {
    let world = World::new();
    repository(&world);
    let bench = Bench::boxed(&world, "work");
    let tcp = TcpListener::bind("0.0.0.0:0").expect("a port");
    let udp = UdpSocket::bind("0.0.0.0:0").expect("a port");
    tcp.set_nonblocking(true).expect("it can be set");
    udp.set_nonblocking(true).expect("it can be set");
    let port = |address: std::io::Result<std::net::SocketAddr>| address.expect("it has one").port();
    let (stream, datagram) = (port(tcp.local_addr()), port(udp.local_addr()));
    let program = format!(
        "import socket
for address in ['127.0.0.1', '127.0.0.2', '0.0.0.0', '10.0.2.15', '192.168.1.1', '1.1.1.1']:
    try: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', (address, {datagram}))
    except OSError as error: print(error)
    try: socket.create_connection((address, {stream}), 2); print('reached', address)
    except OSError as error: print(error)
"
    );
    fs::write(world.path("probes/out.py"), program).expect("a file");
    let receipt = bench.unasked(&format!("python3 {} 2>&1", world.path("probes/out.py").display()));
    assert_eq!(receipt.end, CallEnd::Ran);
    assert!(!receipt.output.contains("reached"), "{}", receipt.output);
    assert!(tcp.accept().is_err(), "somebody came: {}", receipt.output);
    assert!(udp.recv(&mut [0; 8]).is_err(), "something came: {}", receipt.output);
    // Nor is a way out made: no device, no address, no route, no namespace of another process.
    for way in [
        "ip link add dummy0 type dummy",
        "ip addr add 10.9.8.7/24 dev lo",
        "ip route add default dev lo",
        "nsenter -n -t 1 true",
        "unshare -rn true",
    ] {
        let receipt = bench.unasked(&format!("python3 -c 'print(1)'; {way}"));
        assert!(receipt.exit != Some(0), "{way}: {receipt:?}");
    }
}
