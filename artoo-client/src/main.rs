//! The command `artoo`.

fn main() {
    // Threads that wait for standard input must not hold the process back, so it ends here and not by returning.
    std::process::exit(i32::from(artoo_client::run(std::env::args_os())));
}
