/** What a `session_command` means, given the conversation that is in hand when it is carried out. */
import { TugtalkError } from "./errors.ts";
import type { SessionChoice, SessionCommand } from "./types.ts";

/** The conversation that a command asks for. Throws where that cannot be had. */
export function choiceOf(
  { command, session_id, at_message }: SessionCommand,
  current: string | undefined,
): SessionChoice {
  switch (command) {
    case "new":
      return { mode: "new", session_id };
    case "continue":
      return { mode: "continue", at_message };
    case "fork":
      return forkOf(session_id ?? current, at_message);
    case "resume":
      return { mode: "resume", session_id, at_message };
  }
}

/** A branch of a conversation in which nothing was said is a new one. */
function forkOf(source: string | undefined, at_message: string | undefined): SessionChoice {
  if (source !== undefined) return { mode: "fork", session_id: source, at_message };
  if (at_message === undefined) return { mode: "new" };
  throw new TugtalkError("resume_failed", "nothing was said in the conversation in hand");
}
