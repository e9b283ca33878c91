//! Properties of programs, put together with `|`.

/// Properties of a program.
pub(crate) type Flags = u32;
/// None of them.
pub(crate) const NONE: Flags = 0;
/// It usually stands behind another program in a pipe, so that blame passes it by.
pub(crate) const FILTER: Flags = 1;
/// It brings text in from the network.
pub(crate) const FETCHES: Flags = 1 << 1;
/// It sends, whatever its effect is.
pub(crate) const SENDS: Flags = 1 << 2;
/// It deletes what it is given, in any way.
pub(crate) const DELETES: Flags = 1 << 3;
/// It moves what it is given away.
pub(crate) const MOVES: Flags = 1 << 4;
/// It ends processes, services or sessions.
pub(crate) const STOPS: Flags = 1 << 5;
/// It prints secrets.
pub(crate) const REVEALS: Flags = 1 << 6;
/// It talks to a machine that the person has a key for: naming a key in an option is not sending it.
pub(crate) const USES_KEYS: Flags = 1 << 7;
/// It writes over its operands, of which none may be a disk or a file that the machine needs.
pub(crate) const OVERWRITES: Flags = 1 << 8;
/// It runs text that it is given, beside what `runs` says.
pub(crate) const RUNS_TEXT: Flags = 1 << 9;
/// A word of it may be a whole command.
pub(crate) const QUOTED_COMMANDS: Flags = 1 << 10;
/// Its name in a string of another language makes the string look like a command.
pub(crate) const LOOKS_LIKE_COMMAND: Flags = 1 << 11;
/// It takes words out of the file behind an `@`.
pub(crate) const ARGUMENT_FILES: Flags = 1 << 12;
/// It reads whole folders when an option says so.
pub(crate) const RECURSES: Flags = 1 << 13;
/// It reads whole folders when an operand is one.
pub(crate) const READS_FOLDERS: Flags = 1 << 14;
/// It prints without an end.
pub(crate) const ENDLESS: Flags = 1 << 15;
/// It prints without an end what has none.
pub(crate) const COPIES: Flags = 1 << 16;
/// It prints its operands, or what is in them.
pub(crate) const LISTS: Flags = 1 << 17;
/// It passes whole lines on.
pub(crate) const PASSES_LINES: Flags = 1 << 18;
/// What it puts under a name that is free is new.
pub(crate) const MAKES_NEW: Flags = 1 << 19;
/// What it shows is in no file: the machine, its clock, its processes, what is installed.
pub(crate) const LIVE: Flags = 1 << 21;
/// It puts nothing in the place of another file with `-n`, or whenever all that it does is to make something new.
pub(crate) const SPARES: Flags = 1 << 22;
/// A word of it may be a mode that files get.
pub(crate) const SETS_MODES: Flags = 1 << 23;
/// It takes lines of its standard input into variables.
pub(crate) const READS_LINES: Flags = 1 << 24;
/// It prints the whole environment, which holds none of the person's secrets where a command runs.
pub(crate) const SHOWS_ENVIRONMENT: Flags = 1 << 25;
/// It prints numbers alone when its arguments are numbers.
pub(crate) const COUNTS: Flags = 1 << 26;
/// It ends when it has printed as much as an option says.
pub(crate) const ENDS: Flags = 1 << 27;
/// It makes files as large as an option says.
pub(crate) const RESERVES: Flags = 1 << 28;
/// It is a shell.
pub(crate) const SHELL: Flags = 1 << 20;
