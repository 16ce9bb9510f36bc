/** The sessions that a data folder keeps, for who has no page open: in the journal, or at the host that has it. */
import type { SessionInfo } from "../../client/host-api.ts";
import type { ExportFormat } from "../export/export-session.ts";
import type { SessionSize } from "../journal/journal.ts";

export type KeptSession = SessionInfo & Pick<SessionSize, "bytes" | "entries">;

/** All reject with an error for people. */
export type StoredSessions = {
  /** Changed last first. */
  list(): Promise<readonly KeptSession[]>;
  delete(id: string): Promise<void>;
  /** The text in pieces. */
  export(id: string, format: ExportFormat): Promise<AsyncIterable<string> | Iterable<string>>;
  /** Writes all of them to a new file, whose path is absolute. */
  backUp(file: string): Promise<void>;
  close(): void;
};

/** The sessions with what each takes. */
export function withSizes(
  sessions: readonly SessionInfo[],
  sizes: readonly SessionSize[],
): readonly KeptSession[] {
  const known = new Map(sizes.map((size) => [size.id, size]));
  return sessions
    .map((session) => ({ ...session, bytes: 0, entries: 0, ...known.get(session.id) }))
    .sort((one, other) => other.updated_at - one.updated_at);
}
