/** The sessions that this host holds: taken when it needs them, taken over when their host is gone, lost with its lease. */
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

/** Why a command is not carried out here: whoever takes the session may do so. */
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
  /** This host holds the session from now on, or not any more. */
  readonly onChange: (id: string) => void;
};

export class HeldSessions {
  readonly #ports: Ports;
  #takeovers = 0;
  /** By session: being taken, with what was left open closed. */
  readonly #taking = new Map<string, Promise<boolean>>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Whether this host holds the session, and has closed what was left open. */
  has(id: string): boolean {
    return this.#ports.journal.holds(id) && !this.#taking.has(id);
  }

  /** The session as this host holds it now. Throws a `DamagedSessionError`. */
  get(id: string): LiveSession | undefined {
    return this.has(id) ? this.#ports.sessions.get(id) : undefined;
  }

  /** The same; none where it is damaged, since nothing happens to such a session here. */
  whole(id: string): LiveSession | undefined {
    try {
      return this.get(id);
    } catch (error) {
      if (error instanceof DamagedSessionError) return undefined;
      throw error;
    }
  }

  /** As `get`, after taking it where nobody has it and it can run here. */
  async take(id: string): Promise<LiveSession | undefined> {
    const held = this.get(id);
    if (held !== undefined) return held;
    const known = this.#ports.rows.get(id);
    if (known === undefined || !this.canRun(known.row)) return undefined;
    return this.takeAnywhere(id);
  }

  /** The same also where it cannot run here. */
  async takeAnywhere(id: string): Promise<LiveSession | undefined> {
    await this.#take(id, undefined);
    return this.get(id);
  }

  /** Deletes it, for which neither a Claude nor a whole session is needed. False where another host holds it. */
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
    // Before it is answered: what comes meanwhile could not be written.
    this.#ports.sessions.lose(id, LOST);
    await released.finally(() => this.#ports.onChange(id));
  }

  /** How many sessions were taken from hosts that are gone. */
  get takeovers(): number {
    return this.#takeovers;
  }

  /** Whether this host can start a bridge for the session. */
  canRun(row: Pick<SessionRow, "place" | "machine">): boolean {
    return canRunAt(this.#ports.host(), row);
  }

  /** The lease was lost, or another host has taken the session. `isUnsure`: what is on its way may have been written. */
  lose(id: string, isUnsure: boolean): void {
    this.#ports.sessions.lose(id, LOST, isUnsure ? OUTCOME_UNKNOWN : LOST);
    this.#ports.onChange(id);
  }

  /** Takes over what hosts that are gone have left open. */
  async takeOver(): Promise<void> {
    const { journal, host, gone } = this.#ports;
    await gone.forget();
    for (const ended of endedHosts(await livingHosts(journal), host()))
      await this.#takeAll(await heldBy(journal, ended.id), ended.id);
    await this.#takeAll(await orphans(journal), undefined);
    // The answer was lost, or what was left open could not be closed.
    for (const id of await heldBy(journal, host().id))
      if (journal.isUnwanted(id)) await journal.discard(id);
      else await this.#take(id, undefined);
  }

  /** A session of a place may still have its Claude there: an ended host loses only those that ran on this machine. */
  async #takeAll(ids: readonly string[], ended: string | undefined): Promise<void> {
    for (const id of ids) {
      const row = this.#ports.rows.get(id)?.row;
      if (row === undefined || !this.canRun(row)) continue;
      const isNeeded = isLeftOpen(row) || goesOnAt(row) !== undefined;
      // One that was being moved to a place may have it there.
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
      // Nothing may happen to it before what was left open is closed: the next look tries again.
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
