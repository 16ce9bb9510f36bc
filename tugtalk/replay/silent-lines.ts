/** Counts the lines of Claude that led to no message: an unlisted kind breaks guarantee 5. */

import { type Fields, fieldsOf, parseJson } from "../src/base/json.ts";
import { isOverlong, type Line } from "../src/base/lines.ts";
import { IGNORED_KINDS } from "./ignored-kinds.ts";

/** The numbers of lines that led to no message, by kind. */
export type SilentLines = {
  readonly listed: ReadonlyMap<string, number>;
  /** The lines of unlisted kinds, which are lost. */
  readonly unlisted: ReadonlyMap<string, number>;
};

/** Watches lines while the bridge handles them. */
export class LineWatch {
  readonly #emitted: () => number;
  readonly #listed = new Map<string, number>();
  readonly #unlisted = new Map<string, number>();
  #lines = 0;
  #isStopped = false;

  /** `emitted` returns the number of messages to the host so far. */
  constructor(emitted: () => number) {
    this.#emitted = emitted;
  }

  get lines(): number {
    return this.#lines;
  }

  get silent(): SilentLines {
    return { listed: this.#listed, unlisted: this.#unlisted };
  }

  /** The host is gone, so that no line leads to a message any more. */
  stop(): void {
    this.#isStopped = true;
  }

  /** The lines, watched. When the next one is read, the bridge has handled the one before. */
  watched(lines: readonly Line[]): readonly Line[] {
    const watch = this;
    return Object.assign([...lines], {
      *[Symbol.iterator](): Generator<Line, undefined> {
        for (const line of lines) {
          const before = watch.#emitted();
          watch.#lines += 1;
          yield line;
          if (watch.#emitted() === before && !watch.#isStopped) watch.#count(line);
        }
        return undefined;
      },
    });
  }

  #count(line: Line): void {
    const message = isOverlong(line) ? {} : fieldsOf(parseJson(Buffer.from(line).toString()));
    const kinds = kindsOf(message);
    const listed = kinds.find((kind) => Object.hasOwn(IGNORED_KINDS, kind));
    const counts = listed === undefined ? this.#unlisted : this.#listed;
    const kind = listed ?? String(kinds[0]);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
}

/** The kind of a line, and then its case in brackets, by which it may be listed. */
function kindsOf(message: Fields): readonly string[] {
  const { type, subtype } = message;
  switch (type) {
    case "system":
      return [`system/${subtype}${subtype === "status" ? `/${message["status"] ?? null}` : ""}`];
    case "stream_event":
      return eventKinds(fieldsOf(message["event"]));
    case "user":
    case "assistant": {
      const kind = message["isReplay"] === true ? `${type}/isReplay` : type;
      const { content, model } = fieldsOf(message["message"]);
      if (isEmpty(content)) return [kind, `${type} (no block)`];
      return model === "<synthetic>" ? [kind, `${type} (output that a compaction keeps)`] : [kind];
    }
    case "result":
      return [type, "result (before Claude was ready)"];
    case "control_response": {
      const isOurs = String(fieldsOf(message["response"])["request_id"]).startsWith("tugtalk-");
      return [type, `${type} (${isOurs ? "to a request of tugtalk's own" : "echo"})`];
    }
    case "control_request": {
      const request = String(fieldsOf(message["request"])["subtype"]);
      // A repeated prompt, or one that comes while Claude is being ended.
      const isPrompt = /^(can_use_tool|elicitation|request_user_dialog)$/.test(request);
      return [`${type}/${request}`, ...(isPrompt ? [`${type} for a person (repeated)`] : [])];
    }
    case "control_cancel_request":
      return [type, "control_cancel_request (no open prompt)"];
    default:
      return [String(type)];
  }
}

function eventKinds({ type, delta, content_block }: Fields): readonly string[] {
  const event = `stream_event/${type}`;
  const fields = fieldsOf(delta);
  if (type === "content_block_start" && fieldsOf(content_block)["type"] !== "tool_use")
    return [event, `${event} (no tool call)`];
  if (type !== "content_block_delta") return [event, NO_MESSAGE];
  const kind = `${event}/${fields["type"]}`;
  const hasText = (fields["text"] ?? fields["thinking"] ?? fields["partial_json"] ?? "") !== "";
  if (!hasText) return [kind, `${event} (without text)`];
  const isInput = fields["type"] === "input_json_delta";
  return [kind, isInput ? `${kind} (tool_input_deltas off)` : NO_MESSAGE];
}

const NO_MESSAGE = "stream_event (of no message that is open)";

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
