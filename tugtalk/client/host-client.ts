/** A host for programs whose parts follow the same things: commands, and stores that readers share. */
import type { HostFrame } from "./session-input.ts";
import type { AllSessions } from "./stores/all-sessions.ts";
import { AllSessionsStore } from "./stores/all-sessions-store.ts";
import { FrameListeners } from "./stores/frame-listeners.ts";
import { onNextFrame } from "./stores/next-frame.ts";
import { SessionStore } from "./stores/session-store.ts";
import type { Schedule, Store } from "./stores/shared-store.ts";
import { ALL_SESSIONS, type Transport, type TransportStatus } from "./transports/transport.ts";

export type HostClientOptions = {
  /** When readers hear of a change. Absent: with the next frame that a page paints, within 250 ms where it is hidden, and elsewhere within 16 ms. */
  readonly schedule?: Schedule | undefined;
};

export type HostClient = {
  readonly command: Transport["command"];
  /** How the connection is. */
  readonly connection: Store<TransportStatus>;
  /** The list of sessions. */
  readonly sessions: Store<AllSessions>;
  /** The same store for the same id, as long as somebody has it. */
  readonly session: (id: string) => SessionStore;
  /**
   * Calls back with each frame of a session, or of `*`, that comes from now on; its store has it by then. It
   * is a reader of that store too. Gives the way to stop.
   */
  readonly onFrame: (session: string, onFrame: (frame: HostFrame) => void) => () => void;
};

/** One for a transport, whose subscriptions belong to the stores. Close the transport to end it. */
export function openHostClient(
  transport: Transport,
  { schedule = ownSchedule() }: HostClientOptions = {},
): HostClient {
  const listeners = new FrameListeners();
  const shared = listeners.beside(transport);
  const sessions = new AllSessionsStore(shared, schedule);
  // A store that no reader has any more is freed, with the transcript in it.
  const known = new Map<string, WeakRef<SessionStore>>();
  const session = (id: string) => {
    const store = known.get(id)?.deref() ?? new SessionStore(shared, id, schedule);
    known.set(id, new WeakRef(store));
    return store;
  };
  return {
    command: shared.command,
    connection: {
      get: () => transport.status,
      subscribe: (onChange) => transport.onStatus(onChange),
    },
    sessions,
    session,
    onFrame: (id, call) => {
      const store = id === ALL_SESSIONS ? sessions : session(id);
      const stops = [listeners.add({ session: id, call }), store.subscribe(() => {})];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** As often as screens are painted. */
const FRAME_MS = 16;

function ownSchedule(): Schedule {
  return "requestAnimationFrame" in globalThis ? onNextFrame : (run) => setTimeout(run, FRAME_MS);
}
