//! Reading the database: decoded records and bounded scans, live or as of one moment.

use artoo_memory::key::{self, Key};
use artoo_memory::record::{ALWAYS, ClusterRecord};
use artoo_types::Timestamp;
use artoo_types::memory::{Level, Megram};
use artoo_types::tag::Tag;
use rocksdb::{DB, Direction, IteratorMode, PrefixRange, ReadOptions, Snapshot};
use uuid::Uuid;

use crate::disk::{Disk, Family};
use crate::error::StoreError;

/// What can be read.
pub(crate) struct View<'a> {
    disk: &'a Disk,
    db: &'a DB,
    moment: Option<Snapshot<'a>>,
}

impl<'a> View<'a> {
    /// Sees every write as it happens.
    pub(crate) fn live(disk: &'a Disk, db: &'a DB) -> Self {
        Self { disk, db, moment: None }
    }

    /// Sees nothing that is written after this.
    pub(crate) fn frozen(disk: &'a Disk, db: &'a DB) -> Self {
        Self { disk, db, moment: Some(db.snapshot()) }
    }

    /// The value of a key.
    pub(crate) fn value(&self, key: &Key) -> Result<Option<Vec<u8>>, StoreError> {
        let family = self.disk.family(Family::of(key));
        let value = match &self.moment {
            None => self.db.get_cf(family, key.encode()),
            Some(moment) => moment.get_cf(family, key.encode()),
        };
        value.map_err(StoreError::database("read"))
    }

    /// Whether a key is set.
    pub(crate) fn has(&self, key: &Key) -> Result<bool, StoreError> {
        Ok(self.value(key)?.is_some())
    }

    /// A memory as it is stored; knowledge with when it was last recalled, from where its decay begins.
    pub(crate) fn megram(&self, id: Uuid) -> Result<Option<Megram>, StoreError> {
        let key = Key::Megram(id);
        let Some(value) = self.value(&key)? else { return Ok(None) };
        let mut megram = decode_megram(&key.encode(), &value)?;
        if megram.level == Level::K {
            megram.last_recalled_at = self.recalled(id)?;
        }
        Ok(Some(megram))
    }

    /// When a memory was last recalled.
    pub(crate) fn recalled(&self, id: Uuid) -> Result<Option<Timestamp>, StoreError> {
        let key = Key::Recalled(id);
        let Some(value) = self.value(&key)? else { return Ok(None) };
        let text = String::from_utf8_lossy(&value);
        let time: jiff::Timestamp = text.parse().map_err(StoreError::damaged(&key.encode()))?;
        Ok(Some(Timestamp(time.as_millisecond())))
    }

    /// The accumulators of a tag; empty ones when there are none.
    pub(crate) fn cluster(&self, tag: &Tag) -> Result<ClusterRecord, StoreError> {
        let key = Key::Cluster(tag.clone());
        match self.value(&key)? {
            None => Ok(ClusterRecord::default()),
            Some(value) => ClusterRecord::decode(&value).map_err(StoreError::damaged(&key.encode())),
        }
    }

    /// Since when evidence of a tag may become a new rule.
    pub(crate) fn since(&self, tag: &Tag) -> Result<Timestamp, StoreError> {
        let key = Key::Since(tag.clone());
        self.value(&key)?.map_or(Ok(ALWAYS), |value| decode_time(&key, &value))
    }

    /// The keys and values in `family` that begin with `prefix`, in order, after `after` when it is given. A key that
    /// is none of ours is damage.
    pub(crate) fn scan<'s>(
        &'s self,
        family: Family,
        prefix: &[u8],
        after: Option<&[u8]>,
    ) -> impl Iterator<Item = Result<(Key, Box<[u8]>), StoreError>> + use<'s, 'a> {
        self.raw_scan(family, prefix, after).map(|entry| {
            let (key, value) = entry?;
            match Key::decode(&key) {
                Some(decoded) => Ok((decoded, value)),
                None => Err(StoreError::damaged(&key)("not a key of the memory")),
            }
        })
    }

    /// Like [`View::scan`], with keys as they are.
    pub(crate) fn raw_scan<'s>(
        &'s self,
        family: Family,
        prefix: &[u8],
        after: Option<&[u8]>,
    ) -> impl Iterator<Item = Result<RawEntry, StoreError>> + use<'s, 'a> {
        let mut options = ReadOptions::default();
        options.set_iterate_range(PrefixRange(prefix));
        let mode = IteratorMode::From(after.unwrap_or(prefix), Direction::Forward);
        let family = self.disk.family(family);
        let entries = match &self.moment {
            None => self.db.iterator_cf_opt(family, options, mode),
            Some(moment) => moment.iterator_cf_opt(family, options, mode),
        };
        let after = after.map(<[u8]>::to_vec);
        entries.map(|entry| entry.map_err(StoreError::database("scan"))).skip_while(
            move |entry| matches!((entry, &after), (Ok((key, _)), Some(after)) if **key == **after),
        )
    }

    /// The memories on levels M and K of a tag, in the order of their ids.
    pub(crate) fn evidence<'s>(
        &'s self,
        tag: &Tag,
    ) -> impl Iterator<Item = Result<Megram, StoreError>> + use<'s, 'a> {
        let all = self.scan(Family::Derived, &key::tagged(tag), None).map(|entry| self.indexed(&entry?.0));
        all.filter(|megram| !matches!(megram, Ok(megram) if is_rule(megram)))
    }

    /// The rules (levels C and T) of a tag.
    pub(crate) fn rules<'s>(
        &'s self,
        tag: &Tag,
    ) -> impl Iterator<Item = Result<Megram, StoreError>> + use<'s, 'a> {
        self.scan(Family::Derived, &key::rules(tag), None).map(|entry| self.indexed(&entry?.0))
    }

    /// The memory that an index key leads to.
    pub(crate) fn indexed(&self, key: &Key) -> Result<Megram, StoreError> {
        let id = match key {
            Key::Tagged(_, id) | Key::Level(_, id) | Key::Rule(_, id) | Key::Megram(id) => Some(*id),
            Key::Recalled(_)
            | Key::Tombstone(_)
            | Key::Since(_)
            | Key::Separated(_)
            | Key::Meta(_)
            | Key::Cluster(_)
            | Key::Due(..)
            | Key::Ripe(_) => None,
        };
        let megram = id.map(|id| self.megram(id)).transpose()?.flatten();
        megram.ok_or_else(|| StoreError::damaged(&key.encode())("it leads to no memory"))
    }
}

/// A key and its value as they lie in the database.
pub(crate) type RawEntry = (Box<[u8]>, Box<[u8]>);

/// Whether a memory is a rule rather than evidence.
pub(crate) fn is_rule(megram: &Megram) -> bool {
    match megram.level {
        Level::C | Level::T => true,
        Level::M | Level::K => false,
    }
}

/// A memory from its JSON.
pub(crate) fn decode_megram(key: &[u8], value: &[u8]) -> Result<Megram, StoreError> {
    serde_json::from_slice(value).map_err(StoreError::damaged(key))
}

/// A time from its eight bytes.
pub(crate) fn decode_time(key: &Key, value: &[u8]) -> Result<Timestamp, StoreError> {
    let bytes = value.try_into().map_err(StoreError::damaged(&key.encode()))?;
    Ok(Timestamp(i64::from_be_bytes(bytes)))
}
