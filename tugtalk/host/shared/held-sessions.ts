/**
 * The sessions that this host holds: it takes them on demand, takes them over from lost hosts, and loses them
 * with its lease.
 */
import { ApiError } from "../api/api-error.ts";
import { logError } from "../api/host-log.ts";
import { isOnMachine, LOCAL, SIMULATOR } from "../bridges/places.ts";
import type { SessionRow } from "../journal/journal.ts";
import { DamagedSessionError } from "../journal/journal-error.ts";
import type { PostgresJournal } from "../journal/postgres/postgres-journal.ts";
import type { LiveSession } from "../sessions/live-session.ts";
import { isLeftOpen } from "../sessions/recovery.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { goesOnAt } from "../sessions/usage-limit.ts";
import type { GoneHosts } from "./gone-hosts.ts";
import { OUTCOME_UNKNOWN } from "./remote-calls.ts";
import type { SessionRows } from "./session-rows.ts";
import { endedHosts, heldBy, type LivingHost, livingHosts, orphans } from "./takeover.ts";

/** The refusal of a command that the next holder of the session may execute. */
export const LOST = new ApiError(
  503,
  "host_changed",
  "another host has the session now: try again",
);

type Ports = {
  readonly journal: PostgresJournal;
  readonly sessions: Sessions;
  readonly rows: SessionRows;
  readonly gone: Pick<GoneHosts, "forget">;
  readonly host: () => Pick<LivingHost, "id" | "machine" | "places">;
  /** This host has begun or ceased to hold the session. */
  readonly onChange: (id: string) => void;
};

export class HeldSessions {
  readonly #ports: Ports;
  #takeovers = 0;
  /** By session: its take, which also closes the work that was left open. */
  readonly #taking = new Map<string, Promise<boolean>>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Whether this host holds the session, and has closed the work that was left open. */
  has(id: string): boolean {
    return this.#ports.journal.holds(id) && !this.#taking.has(id);
  }

  /** The session if this host holds it. Throws a `DamagedSessionError`. */
  get(id: string): LiveSession | undefined {
    return this.has(id) ? this.#ports.sessions.get(id) : undefined;
  }

  /**
   * The session if this host holds it; undefined if it is damaged, since a damaged session takes no input.
   */
  whole(id: string): LiveSession | undefined {
    try {
      return this.get(id);
    } catch (error) {
      if (error instanceof DamagedSessionError) return undefined;
      throw error;
    }
  }

  /** The session, after taking it if nobody has it and this host can run it. */
  async take(id: string): Promise<LiveSession | undefined> {
    const held = this.get(id);
    if (held !== undefined) return held;
    const known = this.#ports.rows.get(id);
    if (known === undefined || !this.canRun(known.row)) return undefined;
    return this.takeAnywhere(id);
  }

  /** The session, after taking it even if this host cannot run it. */
  async takeAnywhere(id: string): Promise<LiveSession | undefined> {
    await this.#take(id, undefined);
    return this.get(id);
  }

  /** Deletes a session, which needs neither a Claude nor an undamaged row. False if another host holds it. */
  async delete(id: string): Promise<boolean> {
    await this.#take(id, undefined);
    if (!this.has(id)) return false;
    await this.#ports.sessions.delete(id);
    return true;
  }

  /** Ends its Claude, so that another host can take the session at once. Rejects with an `ApiError`. */
  async handOver(id: string, isForced: boolean): Promise<void> {
    await this.#ports.sessions.handOver(id, isForced);
    const released = this.#ports.journal.release(id);
    // Before the release is answered, since later inputs could not be written.
    this.#ports.sessions.lose(id, LOST);
    await released.finally(() => this.#ports.onChange(id));
  }

  /** The number of sessions that were taken from lost hosts. */
  get takeovers(): number {
    return this.#takeovers;
  }

  /** Whether this host can start a bridge for the session. */
  canRun(row: Pick<SessionRow, "place" | "machine">): boolean {
    return canRunAt(this.#ports.host(), row);
  }

  /**
   * The lease was lost, or another host has taken the session. `isUnsure`: the commit on its way may have
   * been written.
   */
  lose(id: string, isUnsure: boolean): void {
    this.#ports.sessions.lose(id, LOST, isUnsure ? OUTCOME_UNKNOWN : LOST);
    this.#ports.onChange(id);
  }

  /** Takes over the sessions that lost hosts have left open. */
  async takeOver(): Promise<void> {
    const { journal, host, gone } = this.#ports;
    await gone.forget();
    for (const ended of endedHosts(await livingHosts(journal), host()))
      await this.#takeAll(await heldBy(journal, ended.id), ended.id);
    await this.#takeAll(await orphans(journal), undefined);
    // These takes got no answer, or their open work could not be closed.
    for (const id of await heldBy(journal, host().id))
      if (journal.isUnwanted(id)) await journal.discard(id);
      else await this.#take(id, undefined);
  }

  /**
   * Takes those of a host's sessions that this host can run. A session of a place may still have its Claude
   * there: an ended host loses only the sessions whose Claude ran on this machine.
   */
  async #takeAll(ids: readonly string[], ended: string | undefined): Promise<void> {
    for (const id of ids) {
      const row = this.#ports.rows.get(id)?.row;
      if (row === undefined || !this.canRun(row)) continue;
      const isNeeded = isLeftOpen(row) || goesOnAt(row) !== undefined;
      // A session that was moving to a place may have its Claude there.
      const isHere = isOnMachine(row.place) && row.bridge?.lingerMs === undefined;
      if (ended === undefined ? isNeeded : isHere) await this.#take(id, ended);
    }
  }

  async #take(id: string, ended: string | undefined): Promise<void> {
    if (this.#ports.journal.holds(id) && !this.#taking.has(id)) return;
    const taking = this.#taking.get(id) ?? this.#takeNow(id, ended);
    this.#taking.set(id, taking);
    const isTaken = await taking.finally(() => {
      if (this.#taking.get(id) === taking) this.#taking.delete(id);
    });
    if (isTaken) this.#ports.onChange(id);
  }

  async #takeNow(id: string, ended: string | undefined): Promise<boolean> {
    const { journal, sessions } = this.#ports;
    const hasHolder = this.#ports.rows.get(id)?.host !== undefined;
    const row = await journal.take(id, ended);
    if (row === undefined) return false;
    if (hasHolder) this.#takeovers += 1;
    try {
      await sessions.adopt(row);
    } catch (error) {
      logError(error);
      // No input may reach the session before its open work is closed. The next look tries again.
      journal.giveUp(id);
    }
    return journal.holds(id);
  }
}

/** Whether a host can start a bridge for a session. */
export function canRunAt(
  host: Pick<LivingHost, "machine" | "places">,
  { place, machine }: Pick<SessionRow, "place" | "machine">,
): boolean {
  if (place === LOCAL) return machine === undefined || machine === host.machine;
  return place === SIMULATOR || host.places.includes(place);
}
