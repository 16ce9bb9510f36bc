/** What a host says of all its sessions, as the frames of the subscription to `*` change it. Pure. */
import type { PendingPrompt, SessionInfo } from "../../client/host-api.ts";
import type { HostEvent, HostFrame } from "../../client/session-input.ts";

export type BoardState = {
  /** False before the first list. */
  readonly isLoaded: boolean;
  /** Newest first. */
  readonly sessions: readonly SessionInfo[];
  /** The open prompts of all sessions, oldest first. */
  readonly pending: readonly PendingPrompt[];
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
  if (t === "sessions")
    return { ...(d as Pick<BoardState, "sessions" | "pending">), isLoaded: true };
  if (t === "session-deleted") return withoutSession(state, (d as { id: string }).id);
  const event = { ...(d as object), type: t } as HostEvent;
  switch (event.type) {
    case "session-changed":
      return withSession(state, sessionOf(d as BoardSession));
    case "approval-requested":
    case "question-requested":
    case "elicitation-requested":
    case "dialog-requested":
      return withPrompt(state, { ...event, type: PROMPT_TYPES[event.type] } as PendingPrompt);
    case "approval-resolved":
    case "approval-cancelled":
      return withoutPrompt(state, event);
    default:
      return state;
  }
}

/** The whole session, as all that is told of it to those who follow all sessions. */
type BoardSession = SessionInfo & { readonly sessionId: string; readonly stageId: string };

function sessionOf({ sessionId: _id, stageId: _alias, ...session }: BoardSession): SessionInfo {
  return session;
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

function withPrompt(state: BoardState, prompt: PendingPrompt): BoardState {
  const others = withoutPrompt(state, prompt);
  return { ...others, pending: [...others.pending, prompt] };
}

type PromptName = Pick<PendingPrompt, "sessionId" | "requestId">;

/** The ids are Claude's: nothing keeps those of two sessions apart. */
function withoutPrompt(state: BoardState, { sessionId, requestId }: PromptName): BoardState {
  const pending = state.pending.filter(
    (prompt) => prompt.requestId !== requestId || prompt.sessionId !== sessionId,
  );
  return pending.length === state.pending.length ? state : { ...state, pending };
}
