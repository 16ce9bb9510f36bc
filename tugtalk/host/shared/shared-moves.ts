/** A session goes on at another place, or at another machine: this host moves it, whoever holds it. */
import { logError } from "../api/host-log.ts";
import type { Move } from "../api/host-session.ts";
import { LOCAL } from "../bridges/places.ts";
import type { LiveSession } from "../sessions/live-session.ts";
import { checkMovable } from "../sessions/move-steps.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { type HeldSessions, LOST } from "./held-sessions.ts";
import { type SessionDirectory, unlessUnreachable } from "./session-directory.ts";
import type { SharedCommands } from "./shared-commands.ts";

/** How often a session is asked for that is to be moved: a host of its machine may take what was handed over. */
const MAX_HAND_OVERS = 3;

type Ports = {
  /** Those that this host holds. */
  readonly own: Sessions;
  readonly held: HeldSessions;
  readonly directory: SessionDirectory;
  readonly commands: SharedCommands;
  readonly machine: string;
  /** Resolves when this host knows where it is. */
  readonly onMoved: () => Promise<void>;
};

export class SharedMoves {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async move(id: string, to: Move): Promise<void> {
    const { own, held, directory, commands, onMoved } = this.#ports;
    commands.checkLease();
    await directory.rows.refresh();
    checkMovable(directory.row(id), to.isForced);
    const machine = to.place === LOCAL ? this.#ports.machine : undefined;
    const taken = await this.#takeFrom(id, to.isForced);
    try {
      await own.move(id, { ...to, ...(machine !== undefined && { machine }) });
    } finally {
      // It has not gone away from where this host cannot run it. A failure of that would hide why.
      if (!held.canRun(taken.row)) await held.handOver(id, true).catch(logError);
      await onMoved();
    }
  }

  /** Also where another host holds it, which ends its Claude then, or has died since. */
  async #takeFrom(id: string, isForced: boolean): Promise<LiveSession> {
    const { held, commands } = this.#ports;
    for (let asked = 0; asked <= MAX_HAND_OVERS; asked += 1) {
      if (asked > 0) await commands.send(id, "hand_over", [isForced]).catch(unlessUnreachable);
      const free = await held.takeAnywhere(id);
      if (free !== undefined) return free;
    }
    throw LOST;
  }
}
