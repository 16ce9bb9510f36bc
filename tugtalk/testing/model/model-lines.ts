/** Lines that a CLI prints, made up from the protocol reference. */
import { textBlock } from "../../simulator/stream-events.ts";
import {
  assistantLine,
  echoLine,
  initLine,
  resultLine,
  wakeResultLine,
} from "../drivers/test-lines.ts";
import { type Fields, fieldsOf } from "../observer/observed.ts";

/** A message that Claude has read. */
export type Handed = {
  readonly uuid: string;
  readonly text: string;
  /** It arrived during a turn. */
  readonly isLate: boolean;
};

/** The line that an interrupt adds to the conversation (§10). */
export const INTERRUPT_MARKER: Fields = {
  type: "user",
  message: { role: "user", content: [textBlock("[Request interrupted by user]")] },
};

/** A local command: its output, in older CLIs as an echo with tags (§6). */
export function commandLines(command: {
  readonly uuid: string;
  readonly text: string;
  readonly id: string;
  readonly isOld: boolean;
}): Fields[] {
  const { uuid, text, id, isOld } = command;
  const words = `<local-command-stdout>${text}</local-command-stdout>`;
  const message = { id, model: "<synthetic>", content: [textBlock(text)] };
  const output = isOld
    ? { ...echoLine(`of ${uuid}`, ""), message: { role: "user", content: words } }
    : assistantLine(id, textBlock(text), { message });
  return [initLine(), output, resultLine({ result: text })];
}

/** `/clear`: the conversation gets another id (§6). */
export function clearLines(before: string, after: string): Fields[] {
  const reset = { type: "conversation_reset", new_conversation_id: after, trigger: "clear" };
  return [{ ...reset, session_id: before }, initLine(), resultLine({ result: "" })];
}

/** The turn that the end of a background task starts; its last line ends it (§15). */
export function wakeLines(id: string): Fields[] {
  return [initLine(), assistantLine(id, textBlock("it is done")), wakeResultLine()];
}

/** Compaction during a turn (§17). No two conversations have as many tokens. */
export function compactionLines(id: string): Fields[] {
  const status = { type: "system", subtype: "status" };
  const compact_metadata = { trigger: "auto", pre_tokens: Number(id.replace("-", "000")) };
  return [
    { ...status, status: "compacting" },
    { ...status, status: null, compact_result: "success" },
    { type: "system", subtype: "compact_boundary", compact_metadata },
    { type: "user", isSynthetic: true, message: { role: "user", content: "what was said" } },
  ];
}

/** The state of a message that Claude has read. */
export function lifecycleLine({ uuid }: Handed, state: string): Fields {
  return { type: "command_lifecycle", command_uuid: uuid, state };
}

/** Claude repeats each answer that it has accepted (§5b). */
export function answerEcho(request_id: string | undefined, response: Fields): Fields {
  return { type: "control_response", response: { subtype: "success", request_id, response } };
}

/** The conversation that a process was started for. A copy is a new one. */
export function sessionIdIn(args: readonly string[]): string {
  const resumed = isForkIn(args) ? undefined : resumedIn(args);
  return flagValue(args, "--session-id=") ?? resumed ?? crypto.randomUUID();
}

/** The conversation that a process goes on with, or copies. */
export function resumedIn(args: readonly string[]): string | undefined {
  return flagValue(args, "--resume=");
}

/** The last line of that conversation that it keeps; undefined for all of it. */
export function lastLineIn(args: readonly string[]): string | undefined {
  return flagValue(args, "--resume-session-at=");
}

export function isForkIn(args: readonly string[]): boolean {
  return args.includes("--fork-session");
}

const flagValue = (args: readonly string[], flag: string) =>
  args.find((arg) => arg.startsWith(flag))?.slice(flag.length);

/** The first text of a message. */
export function textOf(message: unknown): string {
  const { content } = fieldsOf(message);
  const [first] = Array.isArray(content) ? content : [];
  return String(fieldsOf(first)["text"] ?? "");
}
