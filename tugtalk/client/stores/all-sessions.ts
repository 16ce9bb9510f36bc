/** The state of all sessions of a host, as the frames of the subscription to `*` change it. Pure. */
import { entryIn } from "../claude-value.ts";
import type { PendingPrompt, SessionInfo } from "../host-api.ts";
import type { HostFrame } from "../session-input.ts";
import type { CommandError } from "../transports/transport.ts";
import { promptName, type SessionPrompt, sessionPrompt } from "./session-prompt.ts";

export type AllSessions = {
  /** False before the first list. */
  readonly isLoaded: boolean;
  /** The database of the host cannot be reached; `lost`: it has ended its Claudes since. */
  readonly database?: "away" | "lost";
  /** Newest first. */
  readonly sessions: readonly SessionInfo[];
  /** Why the host refuses to tell more. */
  readonly error?: CommandError;
  /** The open prompts of all sessions, oldest first. */
  readonly pending: readonly SessionPrompt[];
};

export const NO_SESSIONS: AllSessions = { isLoaded: false, sessions: [], pending: [] };

const PROMPT_TYPES = {
  "approval-requested": "approval",
  "question-requested": "question",
  "elicitation-requested": "elicitation",
  "dialog-requested": "dialog",
} as const;

/** The state after one more frame. The host owns these shapes, so that they are not checked again. */
export function reduceAllSessions(state: AllSessions, { t, d }: HostFrame): AllSessions {
  const type = entryIn(PROMPT_TYPES, t);
  if (type !== undefined) return withPrompt(state, { ...(d as object), type } as PendingPrompt);
  switch (t) {
    case "sessions":
      return listed(d as SessionList);
    case "session_deleted":
      return withoutSession(state, (d as { id: string }).id);
    case "session_changed":
      return withSession(state, d as SessionInfo);
    case "approval-resolved":
    case "approval-cancelled":
      return withoutPrompt(state, d as PendingPrompt);
    case "database_away":
      return {
        ...state,
        database: (d as { claudes_ended: boolean }).claudes_ended ? "lost" : "away",
      };
    case "database_back":
      return withDatabase(state);
    default:
      return state;
  }
}

function withDatabase({ database: _, ...state }: AllSessions): AllSessions {
  return state;
}

type SessionList = Pick<AllSessions, "sessions"> & { readonly pending: readonly PendingPrompt[] };

function listed({ sessions, pending }: SessionList): AllSessions {
  return { isLoaded: true, sessions, pending: pending.map(sessionPrompt) };
}

/** The session that was created last is the first of the list. A change does not move a session. */
function withSession(state: AllSessions, session: SessionInfo): AllSessions {
  const { sessions } = state;
  if (!sessions.some(({ id }) => id === session.id))
    return { ...state, sessions: [session, ...sessions] };
  return { ...state, sessions: sessions.map((old) => (old.id === session.id ? session : old)) };
}

function withoutSession(state: AllSessions, id: string): AllSessions {
  return {
    ...state,
    sessions: state.sessions.filter((session) => session.id !== id),
    pending: state.pending.filter(({ sessionId }) => sessionId !== id),
  };
}

function withPrompt(state: AllSessions, pending: PendingPrompt): AllSessions {
  const others = withoutPrompt(state, pending);
  return { ...others, pending: [...others.pending, sessionPrompt(pending)] };
}

function withoutPrompt(state: AllSessions, closed: Parameters<typeof promptName>[0]): AllSessions {
  const name = promptName(closed);
  const pending = state.pending.filter((prompt) => promptName(prompt) !== name);
  return pending.length === state.pending.length ? state : { ...state, pending };
}
