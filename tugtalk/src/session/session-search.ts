/**
 * Finds the conversation that a choice means: the one that it names or the one that only files tell,
 * and the place in it where it is to be taken up. Contract: `protocol_init.session`, `session_command`.
 */
import { TugtalkError } from "../messages/errors.ts";
import type { ResumePoint } from "../messages/history-messages.ts";
import type { SessionChoice } from "../messages/protocol-init.ts";

/** What files tell of past conversations. */
export type PastSessions = {
  /** The newest conversation of the folder, from Claude's transcripts. */
  readonly newestSessionId: () => Promise<string | undefined>;
  /** The conversation of the folder that a bridge was in last. */
  readonly lastSessionId: () => Promise<string | undefined>;
  /** The place that a message names; `others` stand in for it, in order. Rejects where there is none. */
  readonly findPlace: (
    sessionId: string,
    messageId: string,
    ...others: readonly string[]
  ) => Promise<ResumePoint>;
  /** Whether Claude has answered since a conversation was taken up at a place. */
  readonly hasBranched: (sessionId: string, place: ResumePoint) => Promise<boolean>;
};

/** A conversation that was found. */
export type FoundSession = {
  readonly choice: SessionChoice;
  /** The conversation to go on with or to branch off. */
  readonly source: string | undefined;
  readonly place?: ResumePoint | undefined;
};

/** The conversation that a choice means; nothing where only files tell. */
export function namedSession(choice: SessionChoice): FoundSession | undefined {
  if (choice.mode === "new") return { choice, source: undefined };
  const source = choice.mode === "continue" ? undefined : choice.session_id;
  return source === undefined || choice.at_message !== undefined ? undefined : { choice, source };
}

/** The same with the help of files. Rejects with `resume_failed` where there is nothing to go on with. */
export async function findSession(
  choice: SessionChoice,
  past: PastSessions,
): Promise<FoundSession> {
  const named = namedSession(choice);
  if (named !== undefined || choice.mode === "new") return named ?? { choice, source: undefined };
  const source = await sourceOf(choice, past);
  if (source === undefined) {
    const words = "there is no conversation in this folder to go on with";
    throw new TugtalkError("resume_failed", words, { reason: "no_such_session" });
  }
  if (choice.at_message === undefined) return { choice, source };
  const place = await past.findPlace(source, choice.at_message);
  if (place.at !== undefined) return { choice, source, place };
  // Nothing is left of it: a branch of nothing is a new conversation.
  if (choice.mode === "fork") return { choice: { mode: "new" }, source: undefined };
  const words = `nothing stands before ${choice.at_message}: begin a new conversation instead`;
  throw new TugtalkError("resume_failed", words);
}

type Past = Exclude<SessionChoice, { mode: "new" }>;

async function sourceOf(choice: Past, past: PastSessions): Promise<string | undefined> {
  switch (choice.mode) {
    case "continue":
      return past.newestSessionId();
    case "fork":
      return choice.session_id ?? past.newestSessionId();
    case "resume":
      return choice.session_id ?? past.lastSessionId();
  }
}
