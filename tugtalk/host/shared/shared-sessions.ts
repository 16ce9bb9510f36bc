/**
 * The sessions that many hosts share through a PostgreSQL database. One host at a time holds a session: it
 * runs the session's bridge and writes its journal. Any other host reads the session from the database, and
 * sends commands to the holder. If a host dies, another host that can run its sessions takes them over.
 */
import type { SessionInfo } from "../../client/host-api.ts";
import type { OpenPrompt } from "../../client/prompt-models.ts";
import { ALL_SESSIONS } from "../../client/transports/transport.ts";
import { unknownSession } from "../api/api-error.ts";
import { type DatabaseReach, reachFrame } from "../api/database-reach.ts";
import type { Frame } from "../api/frame.ts";
import { logError } from "../api/host-log.ts";
import type {
  HostSession,
  HostSessions,
  Move,
  NewSession,
  ReadableSession,
} from "../api/host-session.ts";
import type { BridgeStarter } from "../bridges/bridge.ts";
import type { CommitFigures } from "../journal/commit-figures.ts";
import type { Commit, SessionRow } from "../journal/journal.ts";
import { DamagedSessionError } from "../journal/journal-error.ts";
import { DOOR, ENTRIES, ROWS, rungFor } from "../journal/postgres/bell-names.ts";
import type { HostConnections } from "../journal/postgres/connection.ts";
import { PostgresJournal } from "../journal/postgres/postgres-journal.ts";
import type { Keys } from "../server/door.ts";
import { journalSession } from "../sessions/journal-session.ts";
import { Listeners } from "../sessions/listeners.ts";
import { forkOf, worktreeOf } from "../sessions/session-start.ts";
import { Sessions } from "../sessions/sessions.ts";
import { GoneHosts } from "./gone-hosts.ts";
import { HeldSessions } from "./held-sessions.ts";
import { HostGroup, type SharedHost } from "./host-group.ts";
import { SessionDirectory } from "./session-directory.ts";
import { SessionFeeds } from "./session-feeds.ts";
import type { SessionRows } from "./session-rows.ts";
import { SharedCommands } from "./shared-commands.ts";
import { SharedCreation } from "./shared-creation.ts";
import { SharedDoor } from "./shared-door.ts";
import type { SharedFigures } from "./shared-figures.ts";
import { SharedMoves } from "./shared-moves.ts";
import { SharedSession } from "./shared-session.ts";

export type SharedSessionsOptions = {
  readonly startBridge: BridgeStarter;
  readonly host: SharedHost;
  /** The first keys of the door, for a database that no host has opened. */
  readonly keys: Keys;
  readonly figures?: CommitFigures;
  /** Milliseconds since 1970, by the clock of this host. Decisions between hosts use the database's clock. */
  readonly now?: () => number;
};

/** Opens the sessions of the database. Rejects with a `JournalError`. */
export async function openSharedSessions(
  connections: HostConnections,
  options: SharedSessionsOptions,
): Promise<SharedSessions> {
  const sessions = new SharedSessions(connections, options);
  try {
    await sessions.begin();
  } catch (error) {
    // Otherwise the host would renew its lease forever.
    await sessions.close();
    throw error;
  }
  return sessions;
}

export class SharedSessions implements HostSessions {
  readonly journal: PostgresJournal;
  readonly door: SharedDoor;
  readonly #options: SharedSessionsOptions;
  readonly #group: HostGroup;
  readonly #directory: SessionDirectory;
  /** The sessions that this host holds. */
  readonly #own: Sessions;
  readonly #held: HeldSessions;
  readonly #commands: SharedCommands;
  readonly #creation: SharedCreation;
  readonly #feeds: SessionFeeds;
  readonly #listeners = new Listeners<Frame>();
  readonly #now = () => (this.#options.now ?? Date.now)() + this.door.aheadMs;
  readonly #tell = (frame: Frame) => this.#listeners.tell(frame);

  constructor(connections: HostConnections, options: SharedSessionsOptions) {
    this.#options = options;
    const { host, startBridge } = options;
    this.#group = new HostGroup(connections, {
      host,
      onRing: (name) => this.#hear(name),
      onOver: () => this.journal.loseAll(),
      onReach: (reach) => this.#tellReach(reach),
      look: () => this.#look(),
    });
    this.journal = this.#openJournal(connections);
    const { journal } = this;
    this.#feeds = new SessionFeeds({ journal, held: (id) => this.#held.whole(id) });
    this.door = new SharedDoor(journal, options.keys, () => this.#group.ring(DOOR));
    const checkElsewhere: SessionDirectory["checkElsewhere"] = (...args) =>
      this.#directory.checkElsewhere(...args);
    this.#own = new Sessions({ journal, startBridge, now: this.#now, checkElsewhere }, []);
    this.#own.listen(this.#tell);
    this.#directory = new SessionDirectory({
      journal,
      own: this.#own,
      held: { get: (id) => this.#held.get(id), has: (id) => this.#held.has(id) },
      tell: this.#tell,
      onDeleted: (deleted) => this.#feeds.get(deleted.session)?.forget(deleted),
    });
    this.#held = new HeldSessions({
      journal,
      sessions: this.#own,
      rows: this.#directory.rows,
      gone: new GoneHosts(journal, host.lease),
      host: () => ({ ...host, id: this.#group.id }),
      onChange: (id) => this.#onHolder(id),
    });
    this.#commands = new SharedCommands({
      journal,
      group: this.#group,
      held: this.#held,
      directory: this.#directory,
      sessions: this,
    });
    this.#creation = this.#openCreation();
  }

  #openCreation(): SharedCreation {
    return new SharedCreation({
      journal: this.journal,
      own: this.#own,
      directory: this.#directory,
      machine: this.#options.host.machine,
      get: (id) => this.get(id),
      refresh: () => this.#directory.rows.refresh(),
      onChange: () => this.#group.ring(ROWS),
    });
  }

  #openJournal({ pool }: HostConnections): PostgresJournal {
    return new PostgresJournal(pool, {
      now: this.#now,
      figures: this.#options.figures,
      hostId: () => this.#group.id,
      onLost: (id, isUnsure) => this.#held.lose(id, isUnsure),
      onCommit: (id, change) => this.#ring(id, change),
      onHeldUp: logError,
    });
  }

  /** Rejects with a `JournalError`. */
  async begin(): Promise<void> {
    await this.#group.begin();
    await this.door.open();
    await this.#look();
  }

  /** Whether this host can execute commands. */
  get isReady(): boolean {
    return this.#group.isValid && this.#group.isReached;
  }

  get figures(): SharedFigures {
    const { takeovers } = this.#held;
    return { ...this.#group.figures, held: this.journal.held.length, takeovers };
  }

  get databaseReach(): DatabaseReach {
    return this.#group.reach;
  }

  list = (): readonly SessionInfo[] => this.#directory.list();

  openPrompts = (id: string): readonly OpenPrompt[] => this.#directory.openPrompts(id);

  async seek(id: string): Promise<void> {
    if (this.#directory.knows(id)) return;
    this.#commands.checkLease();
    await this.#directory.rows.refresh();
  }

  get(id: string): HostSession {
    this.#readableRow(id);
    return new SharedSession(id, {
      journal: this.journal,
      info: () => this.#directory.info(id),
      // Once the lease is over, another host may be writing.
      held: () => (this.#group.isValid ? this.#held.get(id) : undefined),
      call: (session, method, args) => this.#commands.call(session, method, args),
      listen: (session, onFrames) => this.#feeds.listen(session, onFrames),
    });
  }

  /** Throws `ApiError` 404, and a `DamagedSessionError`. */
  #readableRow(id: string): SessionRow {
    const row = this.#directory.row(id);
    if (row.isDamaged === true) throw new DamagedSessionError(id);
    return row;
  }

  async readable(id: string): Promise<ReadableSession> {
    return this.#held.has(id)
      ? this.#own.readable(id)
      : journalSession(this.journal, this.#directory.info(id));
  }

  async create(wanted: NewSession): Promise<HostSession> {
    this.#commands.checkLease();
    return this.#creation.create(wanted);
  }

  checkFree = (conversation: string): Promise<void> => this.#directory.checkFree(conversation);

  async fork(id: string, atMessage: string | undefined): Promise<HostSession> {
    await this.#directory.rows.refresh();
    const row = this.#directory.row(id);
    if (this.#held.canRun(row)) return this.create(forkOf(row, atMessage, this.list()));
    const forked = await this.#commands.send(id, "fork", [atMessage ?? null]);
    await this.#directory.rows.refresh();
    return this.get(String(forked));
  }

  worktreeOf = (id: string): string | undefined => worktreeOf(this.#readableRow(id));

  async move(id: string, to: Move): Promise<void> {
    const moves = new SharedMoves({
      own: this.#own,
      held: this.#held,
      directory: this.#directory,
      commands: this.#commands,
      machine: this.#options.host.machine,
      onMoved: () => {
        this.#group.ring(ROWS);
        return this.#refresh(this.#directory.rows);
      },
    });
    await moves.move(id, to);
  }

  async delete(id: string): Promise<void> {
    if (!this.#directory.knows(id)) throw unknownSession();
    this.#commands.checkLease();
    if (!(await this.#held.delete(id))) await this.#commands.send(id, "delete", []);
    this.#group.ring(ROWS);
    await this.#directory.rows.refresh();
  }

  listen(onFrame: (frame: Frame) => void): () => void {
    return this.#listeners.add(onFrame);
  }

  async close(): Promise<void> {
    await this.#own.close();
    await this.#group.end();
  }

  #ring(id: string, { entries, row }: Commit): void {
    if (entries?.length) this.#group.ring(`${ENTRIES}${id}`);
    if (row !== undefined) this.#group.ring(ROWS);
  }

  #hear(name: string): void {
    if (name === ROWS) void this.#refresh(this.#directory.rows);
    if (name === DOOR) void this.#refresh(this.door);
    this.#feeds.get(rungFor(ENTRIES, name) ?? "")?.wake();
    this.#commands.hear(name);
  }

  async #refresh(known: SessionRows | SharedDoor): Promise<void> {
    await known.refresh().catch((error: unknown) => {
      // The next look reads the row again.
      if (this.#group.isReached) logError(error);
    });
  }

  /** Looks for changes that no bell has announced. */
  async #look(): Promise<void> {
    await this.door.refresh();
    await this.#directory.rows.refresh();
    await this.#held.takeOver();
    await this.#directory.lookForHosts();
    this.#directory.tellRest();
    await this.#commands.look();
    for (const feed of this.#feeds.all()) feed.wake();
  }

  #tellReach(reach: DatabaseReach): void {
    this.#listeners.tell(reachFrame(ALL_SESSIONS, reach));
    for (const feed of this.#feeds.all()) feed.notify(reachFrame(feed.id, reach));
  }

  #onHolder(id: string): void {
    this.#feeds.get(id)?.refeed();
    this.#group.ring(ROWS);
    this.#commands.serve();
  }
}
