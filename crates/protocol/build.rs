//! Generates the gRPC code from `proto/`, without protoc: protox is a compiler for protocol files written in Rust.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use prost::Message;
use prost_types::FileDescriptorSet;

fn main() -> Result<(), Box<dyn Error>> {
    let proto = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    println!("cargo::rerun-if-changed={}", proto.display());
    let mut files: Vec<PathBuf> = fs::read_dir(proto.join("artoo/v1"))?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "proto"));
    files.sort();
    let descriptors = protox::compile(&files, [&proto])?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("artoo.v1.bin"), descriptors.encode_to_vec())?;
    fs::write(out.join("payload_name.rs"), payload_name(&descriptors))?;
    // The messages and the client; then the server, which reads what others send and says what is wrong with it.
    let mut messages = prost_build::Config::new();
    messages.enable_type_names();
    tonic_prost_build::configure()
        .build_server(false)
        .compile_fds_with_config(descriptors.clone(), messages)?;
    let server = out.join("server");
    fs::create_dir_all(&server)?;
    tonic_prost_build::configure()
        .build_client(false)
        .codec_path("crate::request_codec::RequestCodec")
        .extern_path(".artoo.v1", "crate::v1")
        .out_dir(server)
        .compile_fds(descriptors)?;
    Ok(())
}

/// A function from the payload of an event to its name: that of its field in the protocol.
fn payload_name(descriptors: &FileDescriptorSet) -> String {
    let event = descriptors.file.iter().flat_map(|file| &file.message_type).find(|m| m.name() == "Event");
    let fields = event.into_iter().flat_map(|event| &event.field).filter(|field| field.oneof_index.is_some());
    let arms: String = fields
        .map(|field| {
            let variant: String = field.name().split('_').map(capitalised).collect();
            format!("{variant}(_) => {:?},", field.name())
        })
        .collect();
    format!(
        "fn payload_name(payload: &crate::v1::event::Payload) -> &'static str {{
            use crate::v1::event::Payload::*;
            match payload {{ {arms} }}
        }}"
    )
}

fn capitalised(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}
