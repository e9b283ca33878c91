//! Opening the folder: settings, and errors that a person can act on.

use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use rocksdb::{
    BlockBasedIndexType, BlockBasedOptions, Cache, ColumnFamilyDescriptor, DB, DBCompressionType, LogLevel,
    Options,
};

use crate::disk::{Disk, Family};
use crate::error::StoreError;
use crate::schema::{check_schema, read_schema};

/// A memory that was opened, and may be of an older version.
pub(crate) struct OpenedMemory {
    pub(crate) disk: Disk,
    /// The schema of the truth in it.
    pub(crate) schema: (u32, u32),
    /// Whether it had the family of derived records before.
    pub(crate) had_derived: bool,
}

/// Opens the database in `folder` with both families.
pub(crate) fn open(folder: &Path) -> Result<OpenedMemory, StoreError> {
    make_folder(folder)?;
    let options = settings();
    // Without CURRENT there is no database yet. All families have to be named on opening, unknown ones included.
    let exists = folder.join("CURRENT").exists();
    let families = if exists {
        DB::list_cf(&options, folder).map_err(|error| explain(folder, error))?
    } else {
        vec![Family::Truth.name().to_owned()]
    };
    let cache = Cache::new_lru_cache(CACHE_BYTES);
    let descriptors: Vec<_> =
        families.iter().map(|name| ColumnFamilyDescriptor::new(name, family_settings(&cache))).collect();
    let mut db =
        DB::open_cf_descriptors(&options, folder, descriptors).map_err(|error| explain(folder, error))?;
    let schema = check_schema(&db, folder)?;
    let had_derived = db.cf_handle(Family::Derived.name()).is_some();
    if !had_derived {
        db.create_cf(Family::Derived.name(), &family_settings(&cache))
            .map_err(StoreError::database("create the derived records"))?;
    }
    Ok(OpenedMemory { disk: Disk::new(db), schema, had_derived })
}

/// Opens a copy of a memory, which stays as it is. It must have both families, as every memory that was opened once has.
pub(crate) fn open_to_read(folder: &Path) -> Result<Disk, StoreError> {
    let options = settings();
    let families = DB::list_cf(&options, folder).map_err(|error| explain(folder, error))?;
    let cache = Cache::new_lru_cache(CACHE_BYTES);
    let descriptors = families.iter().map(|name| ColumnFamilyDescriptor::new(name, family_settings(&cache)));
    let db = DB::open_cf_descriptors_read_only(&options, folder, descriptors, false)
        .map_err(|error| explain(folder, error))?;
    let is_memory = db.cf_handle(Family::Derived.name()).is_some() && read_schema(&db, folder)?.is_some();
    if is_memory { Ok(Disk::new(db)) } else { Err(StoreError::NotAMemory { folder: folder.to_owned() }) }
}

/// OpenStore by both families, with their indexes and filters in it.
const CACHE_BYTES: usize = 4 * 1024 * 1024;

/// Two buffers of 1 MiB for each family; both families together are held to 4 MiB.
const WRITE_BUFFER_BYTES: usize = 1024 * 1024;

/// Settings for a small footprint: a memory holds thousands of records, not billions.
fn settings() -> Options {
    let mut options = Options::default();
    options.create_if_missing(true);
    options.set_db_write_buffer_size(4 * 1024 * 1024);
    options.set_max_open_files(64);
    // Open files are kept in one list. In RocksDB's 64 lists of one file each, two files of one lookup could close one another
    // again and again, which made it ten times as slow.
    options.set_table_cache_num_shard_bits(0);
    options.set_max_total_wal_size(8 * 1024 * 1024);
    options.set_max_background_jobs(2);
    options.set_paranoid_checks(true);
    options.set_keep_log_file_num(2);
    options.set_max_log_file_size(1024 * 1024);
    options.set_log_level(LogLevel::Warn);
    // No periodic statistics: an idle daemon does not wake up for them.
    options.set_stats_dump_period_sec(0);
    options.set_stats_persist_period_sec(0);
    options
}

fn family_settings(cache: &Cache) -> Options {
    let mut table = BlockBasedOptions::default();
    table.set_block_cache(cache);
    table.set_cache_index_and_filter_blocks(true);
    // Indexes and filters in pieces of 4 KB: whole ones of a large memory would push one another out of the cache, and
    // each lookup would read hundreds of kilobytes.
    table.set_index_type(BlockBasedIndexType::TwoLevelIndexSearch);
    table.set_partition_filters(true);
    table.set_pin_top_level_index_and_filter(true);
    // 10 bits for each key: one lookup in a hundred for a missing key touches a block.
    table.set_bloom_filter(10.0, false);
    let mut options = Options::default();
    options.set_block_based_table_factory(&table);
    options.set_write_buffer_size(WRITE_BUFFER_BYTES);
    options.set_max_write_buffer_number(2);
    options.set_compression_type(DBCompressionType::Lz4);
    // Levels in proportion to the small buffers: with the default of 256 MB for the first, every few flushes would
    // rewrite the whole memory.
    options.set_max_bytes_for_level_base(8 * 1024 * 1024);
    options.set_target_file_size_base(4 * 1024 * 1024);
    options
}

/// Makes a folder that nobody else can read, with what is above it.
pub(crate) fn make_folder(folder: &Path) -> Result<(), StoreError> {
    let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|why| StoreError::NotWritable { folder: folder.to_owned(), why: why.to_string() })
}

/// What RocksDB's refusal means. It reports the system's words in its message alone.
fn explain(folder: &Path, error: rocksdb::Error) -> StoreError {
    let folder = folder.to_owned();
    let why = error.to_string();
    if ["Permission denied", "Read-only file system", "Operation not permitted"]
        .iter()
        .any(|no| why.contains(no))
    {
        StoreError::NotWritable { folder, why }
    } else if why.contains("/LOCK:") {
        StoreError::Locked { folder }
    } else {
        StoreError::Database { doing: "be opened", source: error }
    }
}
