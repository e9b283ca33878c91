//! The same data in SQLite, as somebody would do it who wants the same answers: one table, an index on the tag that holds
//! all that the sums need (so that no row has to be looked up), and the sums made in this process.

use std::cell::RefCell;
use std::path::Path;

use artoo_memory::accumulator::{Event, naive};
use artoo_types::Timestamp;
use artoo_types::memory::{Megram, Potentials};
use artoo_types::rate::Rate;
use artoo_types::tag::Tag;
use rusqlite::{Connection, Statement, params};
use uuid::Uuid;

/// Its statements are prepared once, and refer to the connection. So that both can be held together, it is never given
/// back: a run opens some twenty.
pub(crate) struct Sqlite {
    pub(crate) connection: &'static Connection,
    insert: RefCell<Statement<'static>>,
    select: RefCell<Statement<'static>>,
}

impl Sqlite {
    /// A database in WAL mode, with this `synchronous`: NORMAL syncs at checkpoints, FULL at each commit.
    pub(crate) fn open(file: &Path, synchronous: &str) -> anyhow::Result<Self> {
        let connection: &Connection = Box::leak(Box::new(Connection::open(file)?));
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", synchronous)?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS megram (id BLOB PRIMARY KEY, space TEXT, entity TEXT, created_at INTEGER, \
             f REAL, sigma REAL, k REAL, json TEXT) WITHOUT ROWID;
             CREATE INDEX IF NOT EXISTS by_tag ON megram (space, entity, created_at, f, sigma, k);",
        )?;
        let insert = connection.prepare("INSERT INTO megram VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
        let select = connection
            .prepare("SELECT created_at, f, sigma, k FROM megram WHERE space = ?1 AND entity = ?2")?;
        Ok(Self { connection, insert: RefCell::new(insert), select: RefCell::new(select) })
    }

    /// One memory, in a transaction of its own unless one is open.
    pub(crate) fn insert(&self, megram: &Megram) -> anyhow::Result<()> {
        let json = serde_json::to_string(megram)?;
        let (id, tag, at) = (megram.id.as_bytes(), &megram.tag, megram.created_at.0);
        self.insert.borrow_mut().execute(params![
            id,
            tag.space,
            tag.entity,
            at,
            megram.f,
            megram.sigma,
            megram.k.per_day(),
            json
        ])?;
        Ok(())
    }

    pub(crate) fn fill(&self, megrams: impl Iterator<Item = Megram>) -> anyhow::Result<()> {
        self.connection.execute_batch("BEGIN")?;
        for megram in megrams {
            self.insert(&megram)?;
        }
        self.connection.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")?;
        Ok(())
    }

    /// The potentials of a tag.
    pub(crate) fn potentials(&self, tag: &Tag, now: Timestamp) -> anyhow::Result<Potentials> {
        let mut select = self.select.borrow_mut();
        let mut rows = select.query(params![tag.space, tag.entity])?;
        let mut events = Vec::new();
        while let Some(row) = rows.next()? {
            events.push(event((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))?);
        }
        Ok(naive(&events, now))
    }

    /// How many tags lie below `bound` at `now`, by a look at all of them.
    pub(crate) fn faded_tags(&self, now: Timestamp, bound: f64) -> anyhow::Result<u64> {
        let mut select = self
            .connection
            .prepare("SELECT space, entity, created_at, f, sigma, k FROM megram ORDER BY space, entity")?;
        let mut rows = select.query([])?;
        let (mut current, mut events, mut faded) = (None::<(String, String)>, Vec::new(), 0);
        let is_faded =
            |events: &[Event]| u64::from(!events.is_empty() && naive(events, now).attention < bound);
        while let Some(row) = rows.next()? {
            let (space, entity) = (row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_str()?);
            if current.as_ref().is_none_or(|(s, e)| s != space || e != entity) {
                faded += is_faded(&events);
                events.clear();
                current = Some((space.to_owned(), entity.to_owned()));
            }
            events.push(event((row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))?);
        }
        Ok(faded + is_faded(&events))
    }
}

fn event((at, f, sigma, k): (i64, f64, f64, f64)) -> anyhow::Result<Event> {
    let rate = Rate::try_from(k)?;
    Ok(Event { id: Uuid::nil(), at: Timestamp(at), rate, f, sigma })
}
