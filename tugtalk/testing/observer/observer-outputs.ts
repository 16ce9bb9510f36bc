/**
 * The host gets as output of a local command only text that Claude printed as output. A text that
 * quotes output is none. Protocol reference §6.
 */
import { type ClaudePipe, describe, fieldsOf, type Message } from "./observed.ts";

export function outputFaults(
  messages: readonly Message[],
  claudes: readonly ClaudePipe[],
): string[] {
  const printed = new Set(
    claudes.flatMap(({ traffic }) =>
      traffic.flatMap((one) => (one.from === "claude" ? outputsIn(one.line) : [])),
    ),
  );
  return messages
    .filter(({ type, kind, text }) => isOutput(type, kind) && !printed.has(String(text)))
    .map((message) => `${describe(message)} is no output that Claude printed`);
}

function isOutput(type: unknown, kind: unknown): boolean {
  return type === "user_text" && kind === "command_output";
}

/** The outputs that a line may be, in the form of each measured CLI. */
function outputsIn(line: unknown): string[] {
  const { type, isReplay, message, result } = fieldsOf(line);
  if (type === "result") return typeof result === "string" ? [result] : [];
  const { content, model } = fieldsOf(message);
  if (type === "assistant" && model === "<synthetic>" && Array.isArray(content))
    return content.map((block) => String(fieldsOf(block)["text"]));
  if (type !== "user" || isReplay !== true || typeof content !== "string") return [];
  return ["stdout", "stderr"].flatMap((stream) => {
    const [start, end] = [`<local-command-${stream}>`, `</local-command-${stream}>`];
    const isWhole = content.startsWith(start) && content.endsWith(end);
    return isWhole ? [content.slice(start.length, -end.length)] : [];
  });
}
