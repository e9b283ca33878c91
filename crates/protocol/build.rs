//! Generates the gRPC code from `proto/`, without protoc: protox is a compiler for protocol files written in Rust.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use prost::Message;

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
    // The messages and the client; then the server, which reads what others send and says what is wrong with it.
    tonic_prost_build::configure().build_server(false).compile_fds(descriptors.clone())?;
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
