/**
 * The output of local commands, as Claude marks it. The line alone says which kind it is: a text that quotes the
 * tags is that text. Protocol reference §6.
 */
import type { UserMessage } from "../messages/conversation-lines.ts";
import type { OutboundDraft } from "../types.ts";

const OUTPUT = /^<local-command-(stdout|stderr)>([\s\S]*)<\/local-command-\1>$/;

/**
 * The output that a replayed line is, if it is one. Claude replays output as one text, which is the element and
 * nothing else, but a message of the host as blocks, or as a text that starts with a slash.
 */
export function fromReplay({ message: { content } }: UserMessage) {
  return typeof content === "string" ? parseOutput(content) : undefined;
}

/** The output in a text that is the element and nothing else. */
export function parseOutput(text: string) {
  const [, stream, output] = OUTPUT.exec(text) ?? [];
  return output === undefined ? undefined : commandOutput(output, stream === "stderr");
}

/** The output of a local command, without its tags. */
export function commandOutput(text: string, isError: boolean) {
  const kind = "command_output" as const;
  return { type: "user_text" as const, text, kind, ...(isError && { is_error: true }) };
}

type CommandOutput = Extract<OutboundDraft, { type: "user_text" }>;

export function isCommandOutput(message: OutboundDraft): message is CommandOutput {
  return message.type === "user_text" && message.kind === "command_output";
}

/** Whether a message is the trace that a model change leaves in the conversation (§19). */
export function isModelTrace(message: OutboundDraft): boolean {
  return isCommandOutput(message) && message.text.startsWith("Set model to");
}
