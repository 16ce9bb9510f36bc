/** Why a journal cannot be opened or written. The messages are for people. */

/** The file is no journal, is damaged, is of a newer host, or its disk takes no more. */
export class JournalError extends Error {
  override readonly name: string = "JournalError";
}

/** Another host has the journal open. */
export class JournalLockedError extends JournalError {
  override readonly name = "JournalLockedError";
}

/** The disk of the journal, or the user, may only read it. */
export class JournalReadOnlyError extends JournalError {
  override readonly name = "JournalReadOnlyError";

  constructor(path: string, cause: Error) {
    super(`the journal ${path} can only be read: ${cause.message}`, { cause });
  }
}

/** Rows of one session cannot be read. */
export class DamagedSessionError extends JournalError {
  override readonly name = "DamagedSessionError";

  constructor(session: string, cause?: unknown) {
    const remedy = `print what is left with tugtalk host sessions export ${session}, then delete it, or put a backup back`;
    super(`the session ${session} is damaged in the journal: ${remedy}`, { cause });
  }
}

/** The database of the journal cannot be reached now. */
export class UnreachableJournalError extends JournalError {
  override readonly name = "UnreachableJournalError";
}

/** The search has taken too long. */
export class SlowSearchError extends JournalError {
  override readonly name = "SlowSearchError";

  constructor(limitMs: number) {
    super(
      `the search was ended after ${limitMs / 1_000} s: more words, or longer ones, are found sooner`,
    );
  }
}

/** This host does not hold the session any more: another one has taken it, or its lease is over. */
export class LostSessionError extends JournalError {
  override readonly name = "LostSessionError";

  constructor(session: string) {
    super(`this host does not hold the session ${session} any more`);
  }
}
