/** Which sessions the list beside a session shows. Pure. */
import type { SessionInfo } from "../../client/host-api.ts";
import { columnOf } from "../store/session-columns.ts";

export type SessionListParts = {
  /** In the order of the host, so that none moves while it works. */
  readonly live: readonly SessionInfo[];
  /** The latest ones; all others are on the board. */
  readonly ended: readonly SessionInfo[];
};

const SHOWN_ENDED = 15;

export function sessionListParts(sessions: readonly SessionInfo[]): SessionListParts {
  const isEnded = (session: SessionInfo) => columnOf(session) === "ended";
  return {
    live: sessions.filter((session) => !isEnded(session)),
    ended: sessions
      .filter(isEnded)
      .sort((one, other) => other.updated_at - one.updated_at)
      .slice(0, SHOWN_ENDED),
  };
}
