//! A server on loopback whose certificate an authority of its own signed. The key protects nothing: it is for this test alone.

use std::process::{Child, Command, Stdio};

use artoo_testing::Home;

/// The authority.
pub(super) const AUTHORITY: &str = "\
-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUYD9X3X4GqDWQgC4BE1p1Ap60VTUwCgYIKoZIzj0EAwIw
HzEdMBsGA1UEAwwUYXJ0b28gdGVzdCBhdXRob3JpdHkwIBcNMjYxMTIzMDUwNzMx
WhgPMjEyNjEwMzAwNTA3MzFaMB8xHTAbBgNVBAMMFGFydG9vIHRlc3QgYXV0aG9y
aXR5MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEbF2C9xwJyVB0RLi6+ZNzeECn
aPNxuvAr1Hjpzb/PrVYPpSympppFLNtL486daqi7KOqJ1sMWhAM1mbtYMXp11KNT
MFEwHQYDVR0OBBYEFJOo3m5JAwot6/kGx6l+i7Rz9ZwLMB8GA1UdIwQYMBaAFJOo
3m5JAwot6/kGx6l+i7Rz9ZwLMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwID
RwAwRAIge+xekDtMLWTHtRxohDwSPKUZygMTJWKyWRME3Gy5bEkCIGoElpjHEeTF
e51gJ1u3c8FtnO0Z7VWSWdDGHbd+emCN
-----END CERTIFICATE-----
";
/// What it signed, for 127.0.0.1 and localhost, with the key.
const SERVER: &str = "\
-----BEGIN CERTIFICATE-----
MIIBtDCCAVugAwIBAgIUUFkWYtivA7P2r5VztOaFJr9kuBUwCgYIKoZIzj0EAwIw
HzEdMBsGA1UEAwwUYXJ0b28gdGVzdCBhdXRob3JpdHkwIBcNMjYxMTIzMDUwNzMx
WhgPMjEyNjEwMzAwNTA3MzFaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqG
SM49AgEGCCqGSM49AwEHA0IABJEhnUg6pNV2hrbHQZ3tLsNY2kxpCJZ9Rn53a51u
gNZOz32XWHag5ctSi2ZD91CxaeNiHuNhKFd3Et1cKwIIpZ6jfjB8MBoGA1UdEQQT
MBGHBH8AAAGCCWxvY2FsaG9zdDAJBgNVHRMEAjAAMBMGA1UdJQQMMAoGCCsGAQUF
BwMBMB0GA1UdDgQWBBTQoAw9rie0JmbOyhmTOQN4iSXgjTAfBgNVHSMEGDAWgBST
qN5uSQMKLev5Bsepfou0c/WcCzAKBggqhkjOPQQDAgNHADBEAiBlAwbTP13HDgAK
0y5sM6Jud/KhiLOKlvDwXqTcK2tX5gIgJn2rXeyLfl1Q8IrHcMI2PQIptdJ73llc
9WwW9P3mcLY=
-----END CERTIFICATE-----
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/J9NdPiL/rNuhUZB
S2NO6qGnIYZCpnxusB7l7TLI40ShRANCAASRIZ1IOqTVdoa2x0Gd7S7DWNpMaQiW
fUZ+d2udboDWTs99l1h2oOXLUotmQ/dQsWnjYh7jYShXdxLdXCsCCKWe
-----END PRIVATE KEY-----
";

/// Speaks TLS on a port that the system gives, and passes everything on to another one.
const FORWARDER: &str = r#"
import socket, ssl, sys, threading
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[2])
def pump(a, b):
    try:
        while data := a.recv(65536):
            b.sendall(data)
        b.shutdown(socket.SHUT_WR)
    except OSError:
        pass
def serve(client):
    try:
        client = context.wrap_socket(client, server_side=True)
    except OSError:
        return
    server = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    threading.Thread(target=pump, args=(client, server), daemon=True).start()
    pump(server, client)
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    client, _ = listener.accept()
    threading.Thread(target=serve, args=(client,), daemon=True).start()
"#;

/// The running forwarder. It ends with this.
pub(super) struct TlsServer {
    child: Child,
    /// Its address.
    pub(super) url: String,
}

impl TlsServer {
    /// Before the plain server at this address.
    pub(super) fn before(home: &Home, plain: &str) -> Self {
        let (script, certificate) = (home.root().join("tls.py"), home.root().join("server.pem"));
        std::fs::write(&script, FORWARDER).expect("the home can be written");
        std::fs::write(&certificate, SERVER).expect("the home can be written");
        let port = plain.trim_end_matches("/v1").rsplit(':').next().expect("an address has a port");
        let mut command = Command::new("python3");
        command.arg(script).arg(port).arg(certificate).stdout(Stdio::piped());
        let mut child = command.spawn().expect("python3 can be run");
        let mut said = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
        let mut port = String::new();
        std::io::BufRead::read_line(&mut said, &mut port).expect("it says its port");
        Self { child, url: format!("https://127.0.0.1:{}/v1", port.trim()) }
    }
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
