/**
 * Opens the storage of a host's sessions: its data folder, or a shared database. The folder is locked in both
 * cases.
 */
import packageJson from "../../package.json" with { type: "json" };
import type { HostSessions } from "./api/host-session.ts";
import type { BridgeStarter, Place } from "./bridges/bridge.ts";
import type { LineGate } from "./bridges/line-gate.ts";
import type { HostFlags } from "./host-flags.ts";
import { CommitFigures } from "./journal/commit-figures.ts";
import type { Journal } from "./journal/journal.ts";
import { JournalLockedError } from "./journal/journal-error.ts";
import { connectHost } from "./journal/postgres/connection.ts";
import { openJournal } from "./journal/sqlite-journal.ts";
import type { CommandPorts } from "./server/command-ports.ts";
import { journalFile, readHostRecord, readToken } from "./server/data-folder.ts";
import { type DatabaseFlags, databaseUrl } from "./server/database-flags.ts";
import { type Door, type Keys, OwnDoor } from "./server/door.ts";
import { FolderLockedError, lockFolder } from "./server/folder-lock.ts";
import { newSecret } from "./server/secret.ts";
import { openSessions } from "./sessions/sessions.ts";
import { leaseOf } from "./shared/lease-settings.ts";
import { ofMachine } from "./shared/machine-trust.ts";
import type { SharedFigures } from "./shared/shared-figures.ts";
import { openSharedSessions } from "./shared/shared-sessions.ts";

export type HostStorage = {
  readonly sessions: HostSessions;
  readonly journal: CommandPorts["journal"];
  readonly door: Door;
  readonly commits: CommitFigures;
  /** Releases the data folder. */
  readonly unlock: () => void;
  /** Set for a host that shares a database. */
  readonly shared?: { readonly isReady: boolean; readonly figures: SharedFigures };
};

type StoragePorts = { readonly places: readonly Place[]; readonly gate: LineGate };

/** Opens the sessions in the data folder, or in a database. */
export async function openHostStorage(
  { data, database }: HostFlags,
  startBridge: BridgeStarter,
  ports: StoragePorts,
): Promise<HostStorage> {
  if (database !== undefined)
    return locked(data, (unlock) =>
      openDatabase(data, database, { ...ports, startBridge, unlock }),
    );
  const commits = new CommitFigures();
  const journal = lockJournal(data, commits);
  // After the journal, which reports more about a full disk.
  return locked(data, async (unlock) => {
    const sessions = await openSessions({ journal, startBridge });
    return { sessions, journal, door: await openDoor(data, sessions), commits, unlock };
  });
}

type DatabasePorts = StoragePorts &
  Pick<HostStorage, "unlock"> & { readonly startBridge: BridgeStarter };

async function openDatabase(
  data: string,
  database: DatabaseFlags,
  { startBridge, places, gate, unlock }: DatabasePorts,
): Promise<HostStorage> {
  const commits = new CommitFigures();
  const { machine } = database;
  const sessions = await openSharedSessions(await connectHost(databaseUrl(database)), {
    startBridge,
    keys: firstKeys(data),
    figures: commits,
    host: {
      machine,
      gate,
      version: packageJson.version,
      places: places.map(({ name }) => name),
      lease: leaseOf(database, places),
    },
  });
  const { door } = sessions;
  const journal = ofMachine(sessions.journal, machine);
  return { sessions, journal, door, commits, unlock, shared: sessions };
}

async function openDoor(data: string, sessions: HostSessions): Promise<Door> {
  try {
    return new OwnDoor({ ...firstKeys(data), now: Date.now });
  } catch (error) {
    await sessions.close();
    throw error;
  }
}

function firstKeys(data: string): Keys {
  return { token: readToken(data), codeKey: newSecret() };
}

function lockJournal(folder: string, figures: CommitFigures): Journal {
  return orTaken(folder, () => openJournal(journalFile(folder), { figures }));
}

/** Opens the storage under the lock of the folder, which is released if that fails. */
async function locked(
  folder: string,
  open: (unlock: () => void) => Promise<HostStorage>,
): Promise<HostStorage> {
  const unlock = orTaken(folder, () => lockFolder(folder));
  try {
    return await open(unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Throws an error for people if another host, or a program that moves its sessions, has the folder. */
function orTaken<Locked>(folder: string, lock: () => Locked): Locked {
  const other = readHostRecord(folder);
  try {
    return lock();
  } catch (error) {
    if (!(error instanceof FolderLockedError || error instanceof JournalLockedError)) throw error;
    const who =
      other === undefined ? "another host" : `the host at ${other.origin} (pid ${other.pid})`;
    const message = `${who} has the data folder ${folder}; stop it, or name another folder with --data`;
    throw new Error(message, { cause: error });
  }
}
