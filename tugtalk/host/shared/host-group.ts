/** This host among those that share a database: its lease, its bells, and its regular looks at the tables. */
import { randomUUID } from "node:crypto";
import type { DatabaseReach } from "../api/database-reach.ts";
import { logError, logLine } from "../api/host-log.ts";
import type { LineGate } from "../bridges/line-gate.ts";
import { JournalError } from "../journal/journal-error.ts";
import { Bells } from "../journal/postgres/bells.ts";
import type { HostConnections } from "../journal/postgres/connection.ts";
import { type HostIdentity, HostLease, RETRY_MS } from "../journal/postgres/host-lease.ts";
import type { LeaseSettings } from "../journal/postgres/lease-times.ts";
import { answered } from "../journal/postgres/replaceable-pool.ts";
import type { SharedFigures } from "./shared-figures.ts";

/** The longest time between two looks without a bell. */
const MAX_LOOK_MS = 2_500;
/** How long the end of the host waits for a running look. */
const MAX_END_MS = 2_000;

/** The identity of this host for the others, and the time for which they wait for it. */
export type SharedHost = Omit<HostIdentity, "id"> & {
  readonly lease: LeaseSettings;
  /** The gate for all lines to its bridges. */
  readonly gate: LineGate;
};

export type GroupPorts = {
  readonly host: SharedHost;
  readonly onRing: (name: string) => void;
  /** The lease is over: this host holds no session any more. */
  readonly onOver: () => void;
  /** The host can execute commands from now on, or cannot any more. */
  readonly onReach: (reach: DatabaseReach) => void;
  /** Called from time to time while the lease is valid. */
  readonly look: () => Promise<void>;
};

/** The line of the log for each state of the database. */
const REACH_LINES: Readonly<Record<DatabaseReach, string>> = {
  reached: "the database is reached again",
  away: "the database cannot be reached: commands are refused until it can",
  lost: "the lease of this host is over, since the database was not reached in time: its Claudes were ended",
};

export class HostGroup {
  readonly #connections: HostConnections;
  readonly #ports: GroupPorts;
  readonly #bells: Bells;
  #id = randomUUID();
  #lease: HostLease;
  #timer: Timer | undefined;
  #looking: Promise<void> | undefined;
  #isEnded = false;
  #isReached = true;
  #reach: DatabaseReach = "reached";
  #leasesLost = 0;

  constructor(connections: HostConnections, ports: GroupPorts) {
    this.#connections = connections;
    this.#ports = ports;
    this.#lease = this.#newLease();
    this.#bells = new Bells(connections.pool, (names) => {
      for (const name of names) ports.onRing(name);
    });
  }

  /** Each lease has another id. */
  get id(): string {
    return this.#id;
  }

  get reach(): DatabaseReach {
    return this.#reach;
  }

  get isValid(): boolean {
    return this.#lease.isValid;
  }

  /** Whether the database answers. */
  get isReached(): boolean {
    return this.#isReached;
  }

  get figures(): Pick<SharedFigures, "isReached" | "leaseSeconds" | "leasesLost" | "bells"> {
    return {
      isReached: this.isReached,
      leaseSeconds: this.#lease.leftMs / 1_000,
      leasesLost: this.#leasesLost,
      bells: this.#bells.counts,
    };
  }

  ring(name: string): void {
    this.#bells.ring(name);
  }

  /** Rejects with a `JournalError`. */
  async begin(): Promise<void> {
    await this.#lease.begin();
    await this.#bells.listen();
    const every = Math.min(this.#ports.host.lease.leaseMs / 3, MAX_LOOK_MS);
    this.#timer = setInterval(() => void this.#look(), every);
  }

  /** Ends the lease: other hosts may take the sessions of this host at once. */
  async end(): Promise<void> {
    this.#isEnded = true;
    clearInterval(this.#timer);
    const { pool } = this.#connections;
    await answered(pool, async () => this.#looking, MAX_END_MS).catch(() => {
      // The host does not wait for a late answer.
    });
    await Promise.all([this.#lease.end(), this.#bells.end()]);
  }

  #newLease(): HostLease {
    const { lease, gate, ...own } = this.#ports.host;
    return new HostLease(this.#connections.leasePool, { ...own, id: this.#id }, lease, {
      onOver: () => this.#over(),
      onExtended: (goneAt) => gate.setGoneAt(goneAt),
      onReached: (isReached, failure) => this.#setReached(isReached, failure),
      onSilence: () => this.#replaceConnections(),
    });
  }

  /** A beginning that fails is reported by who began. */
  #setReached(isReached: boolean, failure: unknown): void {
    if (this.#timer === undefined) return;
    if (this.#isReached === isReached || this.#isEnded) return;
    this.#isReached = isReached;
    this.#connections.pool.isAway = !isReached;
    if (!isReached) this.#setReach(this.#reach === "reached" ? "away" : this.#reach);
    else if (this.isValid) this.#setReach("reached");
    if (failure !== undefined) logError(failure);
    if (isReached) void this.#look();
  }

  #setReach(reach: DatabaseReach): void {
    if (this.#reach === reach) return;
    this.#reach = reach;
    logLine(`tugtalk host: ${REACH_LINES[reach]}`);
    this.#ports.onReach(reach);
  }

  /** Work that waits for an answer fails, and is tried again or refused. */
  #replaceConnections(): void {
    const { pool, leasePool } = this.#connections;
    leasePool.replace();
    pool.replace();
  }

  #over(): void {
    if (this.#isEnded) return;
    this.#leasesLost += 1;
    this.#ports.host.gate.drop();
    this.#ports.onOver();
    this.#setReach("lost");
    this.#id = randomUUID();
    this.#lease = this.#newLease();
    void this.#beginAgain();
  }

  /** Begins as a new host, as soon as the database answers. */
  async #beginAgain(): Promise<void> {
    while (!this.#isEnded) {
      try {
        await this.#lease.begin();
        this.#setReach("reached");
        await this.#look();
        return;
      } catch (error) {
        if (!(error instanceof JournalError)) throw error;
        await Bun.sleep(RETRY_MS);
      }
    }
  }

  async #look(): Promise<void> {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #lookNow(): Promise<void> {
    if (!this.#lease.isValid) return;
    try {
      await this.#bells.listen();
      await this.#ports.look();
    } catch (error) {
      // The database cannot be reached. The next look tries again.
      if (this.isReached) logError(error);
    }
  }
}
