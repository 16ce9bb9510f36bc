/** Why a journal cannot be opened. The messages are for people. */

/** The file is no journal, is damaged, or is of a newer host. */
export class JournalError extends Error {
  override readonly name: string = "JournalError";
}

/** Another host has the journal open. */
export class JournalLockedError extends JournalError {
  override readonly name = "JournalLockedError";
}
