/** The host for clients in its own process: `openDirectTransport` of `tugtalk/client` takes it. */
import type { HostFrame } from "../../client/session-input.ts";
import type { DirectHost, DirectListener } from "../../client/transports/direct-transport.ts";
import type { CommandRunner } from "../api/command.ts";
import type { Frame, Outlet } from "../api/frame.ts";
import type { HostSessions } from "../api/host-session.ts";
import { BOARD, subscribeBoard } from "./board.ts";
import { subscribe } from "./subscription.ts";

export function directHost(
  sessions: Pick<HostSessions, "get" | "list" | "listen">,
  run: CommandRunner,
): DirectHost {
  return {
    runCommand: async (name, fields, caller) => {
      const { status, body } = await run(name, fields, caller);
      return { status, body: { ...body } };
    },
    subscribe: (session, after, listener) => {
      const outlet = outletTo(listener);
      if (session === BOARD) return subscribeBoard(sessions, outlet);
      return subscribe(sessions.get(session), after === 0 ? "start" : after, outlet);
    },
  };
}

/** There is always room: a frame is taken at once. */
function outletTo({ onFrame, onCutOff }: DirectListener): Outlet {
  return {
    hasRoom: true,
    send: (frames) => {
      for (const frame of frames) onFrame(frameFor(frame));
      return true;
    },
    onRoom: () => {},
    cutOff: onCutOff,
  };
}

function frameFor({ session, cursor, type, data }: Frame): HostFrame {
  const frame = { s: session, t: type, d: JSON.parse(data) as unknown };
  return cursor === undefined ? frame : { ...frame, e: cursor.epoch, q: cursor.seq };
}
