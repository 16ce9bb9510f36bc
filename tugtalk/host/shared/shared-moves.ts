/**
 * Moves a session to another place or another machine: the host that gets the command does it, whoever holds
 * the session.
 */
import { logError } from "../api/host-log.ts";
import type { Move } from "../api/host-session.ts";
import { LOCAL } from "../bridges/places.ts";
import type { LiveSession } from "../sessions/live-session.ts";
import { checkMovable } from "../sessions/move-steps.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { type HeldSessions, LOST } from "./held-sessions.ts";
import { type SessionDirectory, unlessUnreachable } from "./session-directory.ts";
import type { SharedCommands } from "./shared-commands.ts";

/**
 * How often a move asks for the session, since another host of its machine may take it after it was handed
 * over.
 */
const MAX_HAND_OVERS = 3;

type Ports = {
  /** The sessions that this host holds. */
  readonly own: Sessions;
  readonly held: HeldSessions;
  readonly directory: SessionDirectory;
  readonly commands: SharedCommands;
  readonly machine: string;
  /** Resolves when this host knows the session's new place. */
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
      // The session has not left a place where this host cannot run it. A failure of the hand-over must not
      // hide the reason.
      if (!held.canRun(taken.row)) await held.handOver(id, true).catch(logError);
      await onMoved();
    }
  }

  /** Takes the session, even from another host, which then ends its Claude, or has died. */
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
