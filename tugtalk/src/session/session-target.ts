/**
 * The conversation that the host asks for, at the start or by `session_command`, and where it is
 * resumed. Contract: `protocol_init.session`, `session_command`.
 */
import { TugtalkError } from "../messages/errors.ts";
import type { ResumePoint } from "../messages/history-messages.ts";
import type { SessionChoice } from "../messages/protocol-init.ts";
import type { SessionCommand } from "../types.ts";

/** Past conversations, as files show them. */
export type PastSessions = {
  /** The newest conversation of the folder, from Claude's transcripts. */
  readonly newestSessionId: () => Promise<string | undefined>;
  /** The conversation of the folder that a bridge used last. */
  readonly lastSessionId: () => Promise<string | undefined>;
  /** The point that a message names; `others` stand in for it, in order. Rejects where there is none. */
  readonly findResumePoint: (
    sessionId: string,
    messageId: string,
    ...others: readonly string[]
  ) => Promise<ResumePoint>;
  /** Whether Claude has answered since a conversation was resumed at a point. */
  readonly hasBranched: (sessionId: string, point: ResumePoint) => Promise<boolean>;
  /** Whether no folder has a transcript of a conversation, not even an empty one. */
  readonly isUnbegun: (sessionId: string) => Promise<boolean>;
};

export type SessionTarget = {
  readonly choice: SessionChoice;
  /** Where the conversation is resumed, if not at its end. */
  readonly resumePoint?: ResumePoint | undefined;
};

/** `source` is the conversation to resume or to fork. Undefined for a new one. */
export type ResolvedTarget = SessionTarget & { readonly source: string | undefined };

/** The current conversation, as a fork sees it. */
export type ForkSource = {
  /** Undefined where nothing was said in the current conversation. */
  readonly source: string | undefined;
  /** Where the current conversation ends, which may be before the end of the source. */
  readonly resumePoint: ResumePoint | undefined;
};

/** The conversation that a command asks for. `current` is undefined where there is none. Throws `resume_failed`. */
export function targetOf(
  { command, session_id, at_message }: SessionCommand,
  current: ForkSource | undefined,
): SessionTarget {
  switch (command) {
    case "new":
      return { choice: { mode: "new", session_id } };
    case "continue":
      return { choice: { mode: "continue", at_message } };
    case "fork":
      if (session_id === undefined) return forkOf(current, at_message);
      return { choice: { mode: "fork", session_id, at_message } };
    case "resume":
      return { choice: { mode: "resume", session_id, at_message } };
  }
}

/** Whether a command forks the current conversation at its end. */
export function forksCurrent({ command, session_id, at_message }: SessionCommand): boolean {
  return command === "fork" && session_id === undefined && at_message === undefined;
}

/** A fork of a conversation in which nothing was said is a new one. */
function forkOf(current: ForkSource | undefined, at_message: string | undefined): SessionTarget {
  if (current === undefined) throw failed("there is no current conversation to fork");
  const { source, resumePoint } = current;
  if (source !== undefined) {
    const choice = { mode: "fork", session_id: source, at_message } as const;
    return at_message === undefined ? { choice, resumePoint } : { choice };
  }
  if (at_message === undefined) return { choice: { mode: "new" } };
  throw failed("nothing was said in the current conversation");
}

/** The conversation that the host resumes by its id, at its end. It may never have begun. */
export function resumedId(choice: SessionChoice): string | undefined {
  return choice.mode === "resume" && choice.at_message === undefined
    ? choice.session_id
    : undefined;
}

/** The target of a choice that names it. Undefined where files must be read. */
export function namedTarget(choice: SessionChoice): ResolvedTarget | undefined {
  if (choice.mode === "new") return { choice, source: undefined };
  if (choice.mode === "continue" || choice.at_message !== undefined) return undefined;
  const { session_id: source } = choice;
  return source === undefined ? undefined : { choice, source };
}

/** Finds the source and the resume point. Rejects with `resume_failed`. */
export async function resolveTarget(
  { choice, resumePoint }: SessionTarget,
  past: PastSessions,
): Promise<ResolvedTarget> {
  if (choice.mode === "new") return { choice, source: undefined };
  const source = await sourceOf(choice, past);
  if (source === undefined) {
    const message = "there is no conversation in this folder to go on with";
    throw new TugtalkError("resume_failed", message, { reason: "no_such_session" });
  }
  if (choice.at_message === undefined) return { choice, source, resumePoint };
  const found = await past.findResumePoint(source, choice.at_message);
  if (found.at !== undefined) return { choice, source, resumePoint: found };
  // A fork of nothing is a new conversation.
  if (choice.mode === "fork") return { choice: { mode: "new" }, source: undefined };
  throw failed(`nothing stands before ${choice.at_message}: begin a new conversation instead`);
}

async function sourceOf(
  choice: Exclude<SessionChoice, { mode: "new" }>,
  past: PastSessions,
): Promise<string | undefined> {
  switch (choice.mode) {
    case "continue":
      return past.newestSessionId();
    case "fork":
      return choice.session_id ?? past.newestSessionId();
    case "resume":
      return choice.session_id ?? past.lastSessionId();
  }
}

function failed(message: string): TugtalkError {
  return new TugtalkError("resume_failed", message);
}
