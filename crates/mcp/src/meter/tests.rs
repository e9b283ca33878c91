use std::time::{Duration, Instant};

use tokio::io::AsyncReadExt as _;

use super::{Allowance, Flooded, Metered};

#[test]
fn an_allowance_is_used_up_and_fills_again() {
    let start = Instant::now();
    let mut allowance = Allowance::new(10.0, 2.0, start);
    assert!(allowance.takes(10.0, start));
    assert!(!allowance.takes(1.0, start));
    let later = start + Duration::from_secs(3);
    assert!(allowance.takes(5.0, later), "six came back, one was owed");
    assert!(!allowance.takes(1.0, later));
    let much_later = start + Duration::from_secs(1_000);
    assert!(
        allowance.takes(10.0, much_later) && !allowance.takes(0.5, much_later),
        "never more than the most"
    );
}

#[tokio::test]
async fn a_reader_that_says_too_much_ends() {
    let flooded = Flooded::default();
    let mut reader = Metered::new(tokio::io::repeat(b'x'), flooded.clone());
    let mut sink = vec![0; 1 << 20];
    let mut read = 0;
    let error = loop {
        match reader.read(&mut sink).await {
            Ok(more) => read += more,
            Err(error) => break error,
        }
        assert!(read < 64 << 20, "it goes on for ever");
    };
    assert!(read >= 16 << 20, "{read}");
    assert_eq!(error.to_string(), "it says too much");
    assert!(flooded.load(std::sync::atomic::Ordering::Relaxed));
}
