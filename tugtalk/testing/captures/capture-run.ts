/**
 * Replays a captured conversation through a `SessionManager`: host lines call the handle… methods, and
 * lines of Claude go through splitter, parser and router. Returns every emitted message.
 */

import { type Conversation, END_OF_INPUT } from "../../simulator/conversation.ts";
import type { Fields } from "../../src/base/json.ts";
import type { Emitted } from "../drivers/session-records.ts";
import { openSession, type TestSession } from "../drivers/test-session.ts";

type Exit = { readonly code: number | null; readonly signal: string | null };

/** How Claude's output is chunked: by lines, by a number of bytes, or by lines with further cuts, `apart` bytes apart. */
export type Cutting =
  | "lines"
  | { readonly every: number }
  | { readonly at: number; readonly apart: number };

/** How many bytes Claude prints in a capture. */
export function outputSize({ entries }: Conversation): number {
  const lines = entries.flatMap(({ dir, msg }) => (dir === "out" ? [printed(msg)] : []));
  return lines.reduce((size, line) => size + line.length, 0);
}

/** Called with each line of Claude and the messages that it led to. */
export type Watch = (line: Fields, emitted: readonly Emitted[]) => void;

/** Replays `conversation` and resolves with the emitted messages. */
export async function playCapture(
  conversation: Conversation,
  cutting: Cutting = "lines",
  watch?: Watch,
): Promise<readonly Emitted[]> {
  const outputs = conversation.entries.flatMap(({ dir, msg }) =>
    dir === "out" && isFields(msg) ? [msg] : [],
  );
  const player = new CapturePlayer(
    await openSession(startOf(conversation, outputs)),
    outputs,
    cutting,
  );
  for (const { dir, msg } of conversation.entries) {
    if (dir === "in") await player.replayHostLine(msg);
    const before = player.emitted.length;
    if (dir === "out") await player.printLine(msg);
    if (dir === "out" && isFields(msg)) watch?.(msg, player.emitted.slice(before));
    if (dir !== "exit") continue;
    await player.exit(msg);
    // A few captures contain a second process.
    break;
  }
  return player.emitted;
}

/** The first messages of the session. A failed start never answers `initialize`. */
function startOf({ entries }: Conversation, outputs: readonly Fields[]) {
  const hasFailed =
    !outputs.some(({ type, subtype }) => type !== "result" || subtype === "success") &&
    entries.some(({ dir }) => dir === "exit");
  const init = outputs.find(({ subtype }) => subtype === "init");
  const sessionId = init?.["session_id"];
  return {
    isReady: !hasFailed,
    init: {
      session: {
        mode: "new" as const,
        ...(typeof sessionId === "string" && { session_id: sessionId }),
      },
    },
  };
}

function pieces(bytes: Uint8Array, size: number): Uint8Array[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

class CapturePlayer {
  readonly #session: TestSession;
  readonly #cutting: Cutting;
  /** The ids of echoed host messages, in order. */
  readonly #echoes: string[];
  #printed = 0;
  /** Our id for each host request, by its id in the capture. */
  readonly #requestIds = new Map<unknown, unknown>();

  constructor(session: TestSession, outputs: readonly Fields[], cutting: Cutting) {
    this.#session = session;
    this.#cutting = cutting;
    this.#echoes = outputs.flatMap((line) =>
      line["isReplay"] === true ? [String(line["uuid"])] : [],
    );
  }

  get emitted(): readonly Emitted[] {
    return this.#session.emitted;
  }

  async replayHostLine(line: unknown): Promise<void> {
    if (line === END_OF_INPUT || !isFields(line)) return;
    if (line["type"] === "user") this.#userMessage(line);
    if (line["type"] === "control_request") this.#controlRequest(line);
    if (line["type"] === "control_response") this.#controlResponse(line);
    await this.#session.settle();
  }

  async printLine(line: string | Fields): Promise<void> {
    const bytes = printed(isFields(line) ? this.#withOurIds(line) : line);
    for (const piece of this.#cut(bytes)) await this.#session.claude().print(piece);
    this.#printed += bytes.length;
  }

  #cut(bytes: Uint8Array): Uint8Array[] {
    if (this.#cutting === "lines") return [bytes];
    if ("every" in this.#cutting) return pieces(bytes, this.#cutting.every);
    const { at, apart } = this.#cutting;
    const passed = this.#printed - at;
    const toNext = passed < 0 ? -passed : apart - (passed % apart);
    if (toNext >= bytes.length) return [bytes];
    return [bytes.subarray(0, toNext), ...pieces(bytes.subarray(toNext), apart)];
  }

  async exit({ code, signal }: Exit): Promise<void> {
    await this.#session.claude().exit({ exitCode: code, signal: signal as NodeJS.Signals | null });
  }

  #userMessage({ uuid, message }: Fields): void {
    const text = textOf(message);
    if (text === undefined) return;
    const id = typeof uuid === "string" ? uuid : this.#echoes.shift();
    this.#session.session.handleUserMessage({
      type: "user_message",
      text,
      delivery: "steer",
      ...(id !== undefined && { message_id: id }),
    });
  }

  #controlRequest({ request_id, request }: Fields): void {
    if (!isFields(request)) return;
    const { session } = this.#session;
    const before = this.#session.claude().writes.length;
    if (request["subtype"] === "interrupt") session.handleInterrupt({ type: "interrupt" });
    if (request["subtype"] === "set_permission_mode") {
      session.handlePermissionMode({ type: "permission_mode", mode: request["mode"] as "default" });
    }
    const { model } = request;
    if (request["subtype"] === "set_model" && (typeof model === "string" || model === null)) {
      session.handleModelChange({ type: "model_change", model });
    }
    if (request["subtype"] === "stop_task") {
      session.handleStopTask({ type: "stop_task", task_id: String(request["task_id"]) });
    }
    const written = this.#session.claude().writes.at(before);
    if (written !== undefined) this.#requestIds.set(request_id, written["request_id"]);
  }

  #controlResponse({ response }: Fields): void {
    if (!isFields(response) || !isFields(response["response"])) return;
    const answer = response["response"];
    const request_id = String(response["request_id"]);
    const { session } = this.#session;
    if (answer["behavior"] === "deny") {
      const message = typeof answer["message"] === "string" ? { message: answer["message"] } : {};
      const interrupt = answer["interrupt"] === true ? { interrupt: true } : {};
      session.handleToolApproval({
        type: "tool_approval",
        request_id,
        decision: "deny",
        ...message,
        ...interrupt,
      });
    }
    if (answer["behavior"] !== "allow") return;
    const input = isFields(answer["updatedInput"]) ? answer["updatedInput"] : {};
    if (isFields(input["answers"])) {
      const answers = input["answers"] as Record<string, string>;
      session.handleQuestionAnswer({ type: "question_answer", request_id, answers });
    } else
      session.handleToolApproval({
        type: "tool_approval",
        request_id,
        decision: "allow",
        updatedInput: { ...input },
      });
  }

  #withOurIds(line: Fields): Fields {
    const { response } = line;
    if (line["type"] !== "control_response" || !isFields(response)) return line;
    const ours = this.#requestIds.get(response["request_id"]);
    return ours === undefined ? line : { ...line, response: { ...response, request_id: ours } };
  }
}

/** The bytes of one line. */
function printed(line: unknown): Uint8Array {
  if (typeof line === "string") return Buffer.from(`${line}\n`);
  const unterminated = isFields(line) ? line["__unterminated"] : undefined;
  return Buffer.from(typeof unterminated === "string" ? unterminated : `${JSON.stringify(line)}\n`);
}

function textOf(message: unknown): string | undefined {
  if (!isFields(message) || message["role"] !== "user") return undefined;
  const { content } = message;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.flatMap((block) =>
    isFields(block) && typeof block["text"] === "string" ? [block["text"]] : [],
  );
  return texts.join("\n") || "(no text)";
}

/** Whether this is a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
