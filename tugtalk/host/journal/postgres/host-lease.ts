/**
 * This host among those that share the database. Its row says that it lives: as long as it is there,
 * no other host takes what this one holds. It is renewed within a third of the lease. A host that
 * cannot renew it ends its sessions before the lease is over, by a clock of its own. The others wait
 * longer, until every bridge that has not heard of its host must have ended.
 */
import type { SQL } from "bun";
import { ownProcesses } from "../../../src/base/processes.ts";
import { JournalError } from "../journal-error.ts";
import { postgresFailure } from "./connection.ts";
import { askedAfterMs, goneMs, type LeaseSettings } from "./lease-times.ts";
import { answered, type Pool } from "./replaceable-pool.ts";

/** Who this host is, for the others. */
export type HostIdentity = {
  readonly id: string;
  readonly machine: string;
  readonly version: string;
  /** Where it can start bridges, beside its own machine. */
  readonly places: readonly string[];
};

/** How soon a renewal that has failed is tried again. */
export const RETRY_MS = 250;
/** By how much earlier than the database this host counts its lease as over. */
const MARGIN = 1 / 6;
/** A database that has not answered for longer is one that does not. */
const MAX_ANSWER_MS = 2_000;

export type LeasePorts = {
  /** The lease is over, or another host has counted this one as gone. */
  readonly onOver: () => void;
  /** The lease is renewed: other hosts count this one as gone not before then, by the clock of this process. */
  readonly onExtended: (goneAt: number) => void;
  /** Whether the database answers, after each request; perhaps with what it has answered instead. */
  readonly onReached: (isReached: boolean, failure?: unknown) => void;
  /** Nothing comes by the connection any more: it is to be replaced, at which the request fails. */
  readonly onSilence: () => void;
};

export class HostLease {
  readonly #pool: Pool;
  readonly #host: HostIdentity;
  readonly #settings: LeaseSettings;
  readonly #ports: LeasePorts;
  /** When the last request was made that was granted. All times are by the clock of this process. */
  #extendedAt: number | undefined;
  #renewal: Timer | undefined;
  #end: Timer | undefined;
  /** An answer of the database after that counts for nothing. */
  #isEnded = false;

  constructor(pool: Pool, host: HostIdentity, settings: LeaseSettings, ports: LeasePorts) {
    this.#pool = pool;
    this.#host = host;
    this.#settings = settings;
    this.#ports = ports;
  }

  /** Whether this host may act for what it holds. */
  get isValid(): boolean {
    return this.leftMs > 0;
  }

  /** For how long this host may act for what it holds. */
  get leftMs(): number {
    return this.#isEnded ? 0 : Math.max(0, this.#validUntil - performance.now());
  }

  get #validUntil(): number {
    return (this.#extendedAt ?? Number.NEGATIVE_INFINITY) + this.#settings.leaseMs * (1 - MARGIN);
  }

  /** Makes the row of this host. Rejects with a `JournalError`. */
  async begin(): Promise<void> {
    const { id, machine, version, places } = this.#host;
    await this.#extend(
      `INSERT INTO hosts (id, machine, pid, version, places, processes, lease_until, gone_at)
       VALUES ($3, $4, $5, $6, $7, $8, ${LEASE_UNTIL}, ${GONE_AT})
       ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until, gone_at = excluded.gone_at
       RETURNING id`,
      [id, machine, process.pid, version, JSON.stringify(places), ownProcesses() ?? null],
    );
    this.#renewAfter(askedAfterMs(this.#settings));
  }

  /**
   * The others may take at once what this host has held: its Claudes have ended. Where one on a place has not
   * been heard to end, they wait as for a host that is lost.
   */
  async end(): Promise<void> {
    this.#stop();
    const deleted = answered(this.#pool, (sql) => sql.unsafe(DELETE_ENDED, [this.#host.id]));
    await deleted.catch(() => {
      // It runs out by itself.
    });
  }

  #stop(): void {
    this.#isEnded = true;
    clearTimeout(this.#renewal);
    clearTimeout(this.#end);
  }

  #renewAfter(ms: number): void {
    if (this.#isEnded) return;
    this.#renewal = setTimeout(() => void this.#renew(), ms);
  }

  async #renew(): Promise<void> {
    try {
      const isKnown = await this.#extend(
        `UPDATE hosts SET lease_until = ${LEASE_UNTIL}, gone_at = ${GONE_AT} WHERE id = $3 RETURNING id`,
        [this.#host.id],
      );
      if (isKnown) this.#renewAfter(askedAfterMs(this.#settings));
      else if (!this.#isEnded) this.#over();
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      this.#renewAfter(RETRY_MS);
    }
  }

  /** False where there is no such row. The lease counts from when it was asked for. */
  async #extend(statement: string, values: readonly unknown[]): Promise<boolean> {
    const asked = performance.now();
    const times = [this.#settings.leaseMs, goneMs(this.#settings)];
    const silentAfterMs = this.#silentAfterMs(asked);
    const stopWaiting = this.#watch(silentAfterMs);
    try {
      const extend = (sql: SQL) => sql.unsafe<unknown[]>(statement, [...times, ...values]);
      const rows = await answered(this.#pool, extend, silentAfterMs + MAX_ANSWER_MS);
      const isKnown = rows.length > 0;
      if (isKnown) this.#extendFrom(asked);
      this.#ports.onReached(true);
      return isKnown;
    } catch (error) {
      const failure = postgresFailure(error);
      this.#ports.onReached(false, failure);
      throw failure;
    } finally {
      stopWaiting();
    }
  }

  /** Early enough for another connection to renew the lease. */
  #silentAfterMs(asked: number): number {
    const { leaseMs } = this.#settings;
    return Math.max((this.#extendedAt ?? asked) - asked + leaseMs / 2, leaseMs / 4);
  }

  /** Tells of an answer that does not come. */
  #watch(silentAfterMs: number): () => void {
    const { onReached, onSilence } = this.#ports;
    const away = setTimeout(() => onReached(false), MAX_ANSWER_MS);
    const silent = setTimeout(onSilence, silentAfterMs);
    return () => {
      clearTimeout(away);
      clearTimeout(silent);
    };
  }

  #extendFrom(asked: number): void {
    if (this.#isEnded) return;
    this.#extendedAt = asked;
    clearTimeout(this.#end);
    this.#end = setTimeout(() => this.#over(), this.leftMs);
    this.#ports.onExtended(asked + goneMs(this.#settings));
  }

  #over(): void {
    this.#stop();
    this.#ports.onOver();
  }
}

/** The mark of a bridge on a place has `lingerMs`. That of a connection that was lost says itself how long to wait. */
const DELETE_ENDED = `
  DELETE FROM hosts WHERE id = $1 AND NOT EXISTS (
    SELECT 1 FROM sessions WHERE host = $1 AND strpos(row, '"lingerMs":') > 0
    AND strpos(row, '"state":"disconnected"') = 0
  )`;

const inMs = (parameter: string) =>
  `clock_timestamp() + ${parameter}::float8 * interval '1 millisecond'`;
const LEASE_UNTIL = inMs("$1");
const GONE_AT = inMs("$2");
