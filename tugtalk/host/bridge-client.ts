/**
 * The part of a host that is worth copying: starts the bridge, writes and reads its messages,
 * builds the answers to prompts, and closes everything when the host ends, however it ends.
 * It knows nothing of how a message is shown.
 */
import type { PermissionSuggestion } from "../src/protocol-types.ts";
import type { InboundMessage, OutboundMessage } from "../src/types.ts";

/** A running bridge. */
export type Bridge = {
  /** Writes one message. Does nothing once the bridge has ended. */
  readonly send: (message: InboundMessage) => void;
  /** The bridge's messages, in order; ends after the last one. Read it once, and to its end. */
  readonly messages: AsyncIterable<OutboundMessage>;
  /** Closes the bridge's stdin: the bridge ends the turn, Claude and its MCP servers, then itself. */
  readonly close: () => void;
  /** Ends the bridge by SIGTERM, for a user who does not want to wait for `close`. */
  readonly stop: () => void;
  /** The exit code, once the bridge has ended. */
  readonly exited: Promise<number>;
};

/** Starts a bridge. Its logs go to our stderr. */
export function startBridge(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Bridge {
  const child = Bun.spawn([...command], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...env },
    // A process group of its own: Ctrl-C in the terminal goes to the host only.
    detached: true,
  });
  return {
    send: (message) => void writeLine(child.stdin, JSON.stringify(message)),
    messages: readMessages(child.stdout),
    close: () => void endInput(child.stdin),
    stop: () => child.kill(),
    exited: child.exited,
  };
}

/** Calls `close` when the system asks this process to end, or when its terminal is gone. */
export function closeOnSignals(close: () => void): void {
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, close);
  // Without a listener, a write to a closed terminal or pipe would throw in the middle of `close`.
  process.stdout.on("error", close);
  process.stdin.on("error", close);
}

/** A message that waits for the user's answer. */
export type PromptRequest = Extract<
  OutboundMessage,
  { type: "control_request_forward" | "elicitation_request" | "dialog_request" }
>;
export type PermissionRequest = Extract<PromptRequest, { type: "control_request_forward" }>;
export type ElicitationRequest = Extract<PromptRequest, { type: "elicitation_request" }>;
export type DialogRequest = Extract<PromptRequest, { type: "dialog_request" }>;

/** Answers to questions: a label or free text; for a multi-select question also several labels. */
export type Answers = Readonly<Record<string, string | string[]>>;

/** Whether a message is a prompt. */
export function isPrompt(message: OutboundMessage): message is PromptRequest {
  return (
    message.type === "control_request_forward" ||
    message.type === "elicitation_request" ||
    message.type === "dialog_request"
  );
}

/** Allows a tool once; with suggestions, exactly as Claude made them, also from then on. */
export function allow(
  { request_id }: PermissionRequest,
  suggestions: readonly PermissionSuggestion[] = [],
): InboundMessage {
  const updatedPermissions = suggestions.length > 0 ? [...suggestions] : undefined;
  const approval = { type: "tool_approval", decision: "allow", updatedPermissions } as const;
  return { ...approval, ...replyTo(request_id) };
}

/** Refuses a tool, or a question. Claude is told the reason. */
export function deny({ request_id }: PermissionRequest, reason?: string): InboundMessage {
  const message = reason === "" ? undefined : reason;
  return { type: "tool_approval", decision: "deny", message, ...replyTo(request_id) };
}

/** Answers the questions of a `control_request_forward` whose `is_question` is true. */
export function answerQuestions(
  { request_id }: PermissionRequest,
  answers: Answers,
): InboundMessage {
  return { type: "question_answer", answers, ...replyTo(request_id) };
}

/** Gives an MCP server the data that it asked for. */
export function acceptElicitation(
  { request_id }: ElicitationRequest,
  content?: Readonly<Record<string, unknown>>,
): InboundMessage {
  return { type: "elicitation_answer", action: "accept", content, ...replyTo(request_id) };
}

/** Completes a dialog, with what it gave. */
export function completeDialog({ request_id }: DialogRequest, result?: unknown): InboundMessage {
  return { type: "dialog_answer", behavior: "completed", result, ...replyTo(request_id) };
}

/** Refuses a prompt of any kind. */
export function refuse(prompt: PromptRequest, reason?: string): InboundMessage {
  const { request_id } = prompt;
  switch (prompt.type) {
    case "control_request_forward":
      return deny(prompt, reason);
    case "elicitation_request":
      return { type: "elicitation_answer", action: "decline", ...replyTo(request_id) };
    case "dialog_request":
      return { type: "dialog_answer", behavior: "cancelled", ...replyTo(request_id) };
  }
}

/** An answer's own `id` is that of its prompt, so that an error about the answer names the prompt. */
function replyTo(request_id: string) {
  return { id: request_id, request_id };
}

async function writeLine(stdin: Bun.FileSink, line: string): Promise<void> {
  try {
    // Both fail on a broken pipe, each by itself.
    await Promise.all([stdin.write(`${line}\n`), stdin.flush()]);
  } catch {
    // The bridge has ended: `messages` ends too, and `exited` has the code.
  }
}

async function endInput(stdin: Bun.FileSink): Promise<void> {
  try {
    await stdin.end();
  } catch {
    // The bridge has ended, as above.
  }
}

async function* readMessages(stdout: ReadableStream<Uint8Array>): AsyncGenerator<OutboundMessage> {
  for await (const line of readLines(stdout)) {
    // The bridge checks every message against its own schemas, so a cast is enough.
    if (line !== "") yield JSON.parse(line) as OutboundMessage;
  }
}

/** The lines of a stream. Only new chunks are searched, so a long line costs no more than itself. */
async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let unfinished = "";
  for await (const chunk of stream) {
    const pieces = decoder.decode(chunk, { stream: true }).split("\n");
    const last = pieces.pop() ?? "";
    for (const piece of pieces) {
      yield unfinished + piece;
      unfinished = "";
    }
    unfinished += last;
  }
  if (unfinished !== "") yield unfinished;
}
