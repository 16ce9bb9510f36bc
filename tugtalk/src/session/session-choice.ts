/** What a `session_command` means, given the conversation that is in hand when it is carried out. */
import { TugtalkError } from "../messages/errors.ts";
import type { ResumePoint } from "../messages/history-messages.ts";
import type { SessionChoice } from "../messages/protocol-init.ts";
import type { SessionCommand } from "../types.ts";

/** The conversation in hand, as a branch of it sees it. */
export type CurrentSession = {
  /** The conversation that a branch starts from; nothing where nothing was said in the one in hand. */
  readonly source: string | undefined;
  /** Where the conversation in hand ends, which may be before the end of the source. */
  readonly place: ResumePoint | undefined;
};

/** The conversation that is asked for, and where it is taken up, where that is known already. */
export type WantedSession = {
  readonly choice: SessionChoice;
  readonly place?: ResumePoint | undefined;
};

/** The conversation that a command asks for. Throws where that cannot be had. */
export function wantedBy(
  { command, session_id, at_message }: SessionCommand,
  current: CurrentSession | undefined,
): WantedSession {
  switch (command) {
    case "new":
      return { choice: { mode: "new", session_id } };
    case "continue":
      return { choice: { mode: "continue", at_message } };
    case "fork":
      if (session_id === undefined) return branchOf(current, at_message);
      return { choice: { mode: "fork", session_id, at_message } };
    case "resume":
      return { choice: { mode: "resume", session_id, at_message } };
  }
}

/** Whether a command is about the conversation in hand, from where it ends. */
export function branchesInHand({ command, session_id, at_message }: SessionCommand): boolean {
  return command === "fork" && session_id === undefined && at_message === undefined;
}

/** A branch of a conversation in which nothing was said is a new one. */
function branchOf(
  current: CurrentSession | undefined,
  at_message: string | undefined,
): WantedSession {
  if (current === undefined)
    throw new TugtalkError("resume_failed", "no conversation is in hand to branch off");
  const { source, place } = current;
  if (source !== undefined) {
    const choice = { mode: "fork", session_id: source, at_message } as const;
    return at_message === undefined ? { choice, place } : { choice };
  }
  if (at_message === undefined) return { choice: { mode: "new" } };
  throw new TugtalkError("resume_failed", "nothing was said in the conversation in hand");
}
