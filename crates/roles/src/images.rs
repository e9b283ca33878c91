//! The pictures that go with a prompt.

use artoo_types::chat::ChatImage;
use artoo_types::evidence::Receipt;

/// Pictures in one prompt: each costs a model as much as a page or two of text.
const MAX_IMAGES: usize = 4;
/// Bytes of all of them: with a third more in Base64 they stay below what servers take.
const MAX_BYTES: u64 = 12 << 20;

/// The last pictures that these receipts show, each once, in the order of the receipts.
pub(crate) fn shown_images<'a>(receipts: impl DoubleEndedIterator<Item = &'a Receipt>) -> Vec<ChatImage> {
    let mut images: Vec<ChatImage> = Vec::new();
    let mut bytes = 0;
    for receipt in receipts.rev() {
        let Some(shown) = &receipt.act.image else { continue };
        if images.iter().any(|image| image.shown.handle == shown.handle) {
            continue;
        }
        bytes += shown.bytes;
        if images.len() == MAX_IMAGES || bytes > MAX_BYTES {
            break;
        }
        images.push(ChatImage { receipt: receipt.id.clone(), shown: shown.clone(), data: None });
    }
    images.reverse();
    images
}

#[cfg(test)]
mod tests {
    use artoo_types::EvidenceId;
    use artoo_types::evidence::{CallAct, Receipt, ShownImage};

    use super::{MAX_BYTES, MAX_IMAGES, shown_images};

    fn receipt(id: usize, handle: &str, bytes: u64) -> Receipt {
        let image = ShownImage { handle: handle.to_owned(), media_type: "image/png".to_owned(), bytes };
        let act = CallAct { image: Some(image), ..CallAct::default() };
        Receipt { act, ..Receipt::quiet(EvidenceId(format!("r{id}")), "read_file") }
    }

    #[track_caller]
    fn check(receipts: &[Receipt], expected: &[&str]) {
        let images = shown_images(receipts.iter());
        assert_eq!(images.iter().map(|image| image.receipt.0.as_str()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_last_pictures_go_with_a_prompt_each_once() {
        let text = Receipt::quiet(EvidenceId("r2".to_owned()), "glob");
        check(&[receipt(1, "a", 1), text, receipt(3, "b", 1), receipt(4, "a", 1)], &["r3", "r4"]);
        let many: Vec<Receipt> = (0..MAX_IMAGES + 2).map(|id| receipt(id, &id.to_string(), 1)).collect();
        check(&many, &["r2", "r3", "r4", "r5"]);
        check(&[receipt(1, "a", MAX_BYTES), receipt(2, "b", 1)], &["r2"]);
    }
}
