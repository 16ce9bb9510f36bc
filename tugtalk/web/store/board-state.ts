/** What a host says of all its sessions, as the frames of the subscription to `*` change it. Pure. */
import type { PendingPrompt, SessionInfo } from "../../client/host-api.ts";
import type { HostFrame } from "../../client/session-input.ts";
import { type BoardPrompt, boardPrompt, promptName } from "./board-prompt.ts";

export type BoardState = {
  /** False before the first list. */
  readonly isLoaded: boolean;
  /** The database of the host cannot be reached; `lost`: it has ended its Claudes since. */
  readonly database?: "away" | "lost";
  /** Newest first. */
  readonly sessions: readonly SessionInfo[];
  /** The open prompts of all sessions, oldest first. */
  readonly pending: readonly BoardPrompt[];
};

export const EMPTY_BOARD: BoardState = { isLoaded: false, sessions: [], pending: [] };

const PROMPT_TYPES = {
  "approval-requested": "approval",
  "question-requested": "question",
  "elicitation-requested": "elicitation",
  "dialog-requested": "dialog",
} as const;

/** The state after one more frame. The host owns these shapes, so that they are not checked again. */
export function reduceBoard(state: BoardState, { t, d }: HostFrame): BoardState {
  switch (t) {
    case "sessions":
      return listed(d as SessionList);
    case "session_deleted":
      return withoutSession(state, (d as { id: string }).id);
    case "session_changed":
      return withSession(state, d as SessionInfo);
    case "approval-requested":
    case "question-requested":
    case "elicitation-requested":
    case "dialog-requested":
      return withPrompt(state, { ...(d as object), type: PROMPT_TYPES[t] } as PendingPrompt);
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

function withDatabase({ database: _, ...state }: BoardState): BoardState {
  return state;
}

type SessionList = Pick<BoardState, "sessions"> & { readonly pending: readonly PendingPrompt[] };

function listed({ sessions, pending }: SessionList): BoardState {
  return { isLoaded: true, sessions, pending: pending.map(boardPrompt) };
}

/** The newest is the one that was created last; a change does not move a session. */
function withSession(state: BoardState, session: SessionInfo): BoardState {
  const { sessions } = state;
  if (!sessions.some(({ id }) => id === session.id))
    return { ...state, sessions: [session, ...sessions] };
  return { ...state, sessions: sessions.map((old) => (old.id === session.id ? session : old)) };
}

function withoutSession(state: BoardState, id: string): BoardState {
  return {
    ...state,
    sessions: state.sessions.filter((session) => session.id !== id),
    pending: state.pending.filter(({ sessionId }) => sessionId !== id),
  };
}

function withPrompt(state: BoardState, pending: PendingPrompt): BoardState {
  const others = withoutPrompt(state, pending);
  return { ...others, pending: [...others.pending, boardPrompt(pending)] };
}

function withoutPrompt(state: BoardState, closed: Parameters<typeof promptName>[0]): BoardState {
  const name = promptName(closed);
  const pending = state.pending.filter((prompt) => promptName(prompt) !== name);
  return pending.length === state.pending.length ? state : { ...state, pending };
}
