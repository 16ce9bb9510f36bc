/**
 * The subscription to all sessions, for a list of them and for the prompts of any. It has no cursor: it
 * begins with the list, and begins again if the client was too slow for the frames.
 */
import { reachFrame } from "../api/database-reach.ts";
import type { Frame, Outlet } from "../api/frame.ts";
import type { HostSessions } from "../api/host-session.ts";
import { pendingPrompt } from "../prompts/plan-prompts.ts";

/** The name of this subscription, in the place of a session's id. */
export const BOARD = "*";

/** The sessions as the board needs them. */
export type BoardSource = Pick<HostSessions, "list" | "openPrompts" | "listen" | "databaseReach">;

/**
 * Sends the list and all open prompts as one frame, `sessions`, and then the host's events of all sessions.
 * Gives the function that ends it.
 */
export function subscribeBoard(sessions: BoardSource, outlet: Outlet): () => void {
  const board = new BoardSubscription(sessions, outlet);
  board.begin();
  return () => board.end();
}

class BoardSubscription {
  readonly #sessions: BoardSource;
  readonly #outlet: Outlet;
  #stopListening = () => {};
  #hasRoom = false;
  #hasMissed = false;
  #isEnded = false;

  constructor(sessions: BoardSource, outlet: Outlet) {
    this.#sessions = sessions;
    this.#outlet = outlet;
  }

  begin(): void {
    this.#sendList();
    this.#stopListening = this.#sessions.listen((frame) => this.#onFrame(frame));
  }

  end(): void {
    this.#isEnded = true;
    this.#stopListening();
  }

  #onFrame(frame: Frame): void {
    // Without room the frame is left out. The list has the same content once there is room.
    if (!this.#hasRoom) this.#hasMissed = true;
    else {
      try {
        this.#send(frame);
      } catch {
        // The connection is closed, which must not keep the frame from the other listeners.
        this.end();
      }
    }
  }

  #sendList(): void {
    this.#hasMissed = false;
    const { databaseReach = "reached" } = this.#sessions;
    const list = listFrame(this.#sessions);
    this.#send(
      ...(databaseReach === "reached" ? [list] : [list, reachFrame(BOARD, databaseReach)]),
    );
  }

  #send(...frames: readonly Frame[]): void {
    this.#hasRoom = this.#outlet.send(frames);
    if (!this.#hasRoom) this.#outlet.onRoom(() => this.#onRoom());
  }

  #onRoom(): void {
    if (this.#isEnded) return;
    if (this.#hasMissed) this.#sendList();
    else this.#hasRoom = true;
  }
}

function listFrame(board: BoardSource): Frame {
  const sessions = board.list();
  const asking = sessions.flatMap(({ id }) =>
    board.openPrompts(id).map((one) => [id, one] as const),
  );
  const pending = asking.map(([id, prompt]) => pendingPrompt(id, prompt));
  return { session: BOARD, type: "sessions", data: JSON.stringify({ sessions, pending }) };
}
