/** Why a journal cannot be opened or written. The messages are for people. */

/** The file is no journal, is damaged, is of a newer host, or its disk takes no more. */
export class JournalError extends Error {
  override readonly name: string = "JournalError";
}

/** Another host has the journal open. */
export class JournalLockedError extends JournalError {
  override readonly name = "JournalLockedError";
}
