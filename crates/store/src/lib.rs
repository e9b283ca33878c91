//! RocksDB behind one reader and one writer.
