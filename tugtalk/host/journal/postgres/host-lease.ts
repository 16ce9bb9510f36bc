/**
 * This host's row among the hosts that share the database. As long as the row is there, no other host takes
 * the sessions of this one. The host renews its lease within a third of the lease's time. A host that cannot
 * renew it ends its sessions before the lease is over, by a clock of its own. The other hosts wait longer,
 * until every bridge that has lost its host must have ended.
 */
import type { SQL } from "bun";
import { ownProcesses } from "../../../src/base/processes.ts";
import { JournalError } from "../journal-error.ts";
import { postgresFailure } from "./connection.ts";
import { askedAfterMs, goneMs, type LeaseSettings } from "./lease-times.ts";
import { answered, type Pool } from "./replaceable-pool.ts";

/** The identity that the other hosts see. */
export type HostIdentity = {
  readonly id: string;
  readonly machine: string;
  readonly version: string;
  /** The places where the host can start bridges, beside its own machine. */
  readonly places: readonly string[];
};

/** The wait before a failed renewal is tried again. */
export const RETRY_MS = 250;
/** By how much earlier than the database this host counts its lease as over. */
const MARGIN = 1 / 6;
/** After this time without an answer the database counts as unreachable. */
const MAX_ANSWER_MS = 2_000;

export type LeasePorts = {
  /** The lease is over, or another host has declared this one gone. */
  readonly onOver: () => void;
  /**
   * The lease is renewed: no other host declares this one gone before `goneAt`, by the clock of this process.
   */
  readonly onExtended: (goneAt: number) => void;
  /**
   * Called after each request, with whether the database answered; `failure` is an error that it answered.
   */
  readonly onReached: (isReached: boolean, failure?: unknown) => void;
  /** The connection is silent and has to be replaced, at which its request fails. */
  readonly onSilence: () => void;
};

export class HostLease {
  readonly #pool: Pool;
  readonly #host: HostIdentity;
  readonly #settings: LeaseSettings;
  readonly #ports: LeasePorts;
  /** The time of the last request that the database granted. All times are by the clock of this process. */
  #extendedAt: number | undefined;
  #renewal: Timer | undefined;
  #end: Timer | undefined;
  /** Later answers of the database are ignored. */
  #isEnded = false;

  constructor(pool: Pool, host: HostIdentity, settings: LeaseSettings, ports: LeasePorts) {
    this.#pool = pool;
    this.#host = host;
    this.#settings = settings;
    this.#ports = ports;
  }

  /** Whether this host may act for its sessions. */
  get isValid(): boolean {
    return this.leftMs > 0;
  }

  /** For how long this host may act for its sessions. */
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
   * Lets the other hosts take the sessions of this one at once, since its Claudes have ended. If the host has
   * not seen the end of a Claude on a place, the others wait as for a lost host.
   */
  async end(): Promise<void> {
    this.#stop();
    const deleted = answered(this.#pool, (sql) => sql.unsafe(DELETE_ENDED, [this.#host.id]));
    await deleted.catch(() => {
      // The lease runs out by itself.
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

  /** False if the row is gone. The lease counts from the time of the request. */
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

  /** The time after which the connection counts as silent: early enough to renew the lease by another one. */
  #silentAfterMs(asked: number): number {
    const { leaseMs } = this.#settings;
    return Math.max((this.#extendedAt ?? asked) - asked + leaseMs / 2, leaseMs / 4);
  }

  /** Calls `onReached(false)` and `onSilence` if no answer comes. */
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

/**
 * A bridge on a place has a mark with `lingerMs`. A lost connection has a mark that says how long to wait.
 */
const DELETE_ENDED = `
  DELETE FROM hosts WHERE id = $1 AND NOT EXISTS (
    SELECT 1 FROM sessions WHERE host = $1 AND strpos(row, '"lingerMs":') > 0
    AND strpos(row, '"state":"disconnected"') = 0
  )`;

const inMs = (parameter: string) =>
  `clock_timestamp() + ${parameter}::float8 * interval '1 millisecond'`;
const LEASE_UNTIL = inMs("$1");
const GONE_AT = inMs("$2");
