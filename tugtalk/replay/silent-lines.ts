/**
 * The lines of Claude's that led to no message, by kind: each is on the list of what means nothing
 * to a host, or the fifth guarantee is broken.
 */

import { fieldsOf, type JsonObject, parseJson } from "../src/base/json.ts";
import { isOverlong, type Line } from "../src/base/lines.ts";
import { IGNORED_KINDS } from "../src/messages/ignored-kinds.ts";

/** How many lines were silent, by kind. */
export type SilentLines = {
  readonly listed: ReadonlyMap<string, number>;
  /** Not on the list: lost. */
  readonly unlisted: ReadonlyMap<string, number>;
};

/** Watches lines being applied, and counts those of which the host gets nothing. */
export class LineWatch {
  readonly #sent: () => number;
  readonly #listed = new Map<string, number>();
  readonly #unlisted = new Map<string, number>();
  #lines = 0;
  #isStopped = false;

  /** `sent` says how many messages the host has been sent. */
  constructor(sent: () => number) {
    this.#sent = sent;
  }

  get lines(): number {
    return this.#lines;
  }

  get silent(): SilentLines {
    return { listed: this.#listed, unlisted: this.#unlisted };
  }

  /** The host is gone: that it gets nothing more says nothing about the lines. */
  stop(): void {
    this.#isStopped = true;
  }

  /** The same lines; that the next one is asked for says that one has been applied. */
  watched(lines: readonly Line[]): readonly Line[] {
    const watch = this;
    return Object.assign([...lines], {
      *[Symbol.iterator](): Generator<Line, undefined> {
        for (const line of lines) {
          const before = watch.#sent();
          watch.#lines += 1;
          yield line;
          if (watch.#sent() === before && !watch.#isStopped) watch.#count(line);
        }
        return undefined;
      },
    });
  }

  #count(line: Line): void {
    const message = isOverlong(line) ? {} : fieldsOf(parseJson(Buffer.from(line).toString()));
    const kinds = [kindOf(message), caseOf(message)];
    const listed = kinds.find((kind) => Object.hasOwn(IGNORED_KINDS, kind));
    const counts = listed === undefined ? this.#unlisted : this.#listed;
    const kind = listed ?? kindOf(message);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
}

function kindOf(message: JsonObject): string {
  const { type, subtype } = message;
  switch (type) {
    case "system":
      return `system/${subtype}${subtype === "status" ? `/${message["status"] ?? null}` : ""}`;
    case "control_request":
      return `control_request/${fieldsOf(message["request"])["subtype"]}`;
    case "stream_event": {
      const event = fieldsOf(message["event"]);
      const delta = event["type"] === "content_block_delta" ? fieldsOf(event["delta"]) : {};
      return ["stream_event", event["type"], delta["type"]].filter(Boolean).join("/");
    }
    case "user":
      return message["isReplay"] === true ? "user/isReplay" : "user";
    default:
      return String(type);
  }
}

/** The entry of the list, with a case in brackets, that a line of this kind is of if it is silent. */
function caseOf(message: JsonObject): string {
  const type = String(message["type"]);
  switch (type) {
    case "stream_event":
      return eventCase(fieldsOf(message["event"]));
    case "user":
    case "assistant":
      return isEmpty(fieldsOf(message["message"])["content"]) ? `${type} (no block)` : "";
    case "result":
      return "result (before Claude was ready)";
    case "control_response": {
      const isOurs = String(fieldsOf(message["response"])["request_id"]).startsWith("tugtalk-");
      return `control_response (${isOurs ? "to a request of tugtalk's own" : "echo"})`;
    }
    case "control_request": {
      // Silent where it comes again, or while Claude is being ended.
      const isForPerson = /can_use_tool|elicitation|request_user_dialog/.test(kindOf(message));
      return isForPerson ? "control_request for a person (repeated)" : "";
    }
    case "control_cancel_request":
      return "control_cancel_request (no open prompt)";
    default:
      return "";
  }
}

function eventCase(event: JsonObject): string {
  const kind = `stream_event/${event["type"]}`;
  const delta = fieldsOf(event["delta"]);
  const isCall = fieldsOf(event["content_block"])["type"] === "tool_use";
  if (event["type"] === "content_block_start" && !isCall) return `${kind} (no tool call)`;
  if (event["type"] === "content_block_delta") {
    if (delta["type"] === "input_json_delta")
      return `${kind}/input_json_delta (tool_input_deltas off)`;
    if ((delta["text"] ?? delta["thinking"] ?? "") === "") return `${kind} (without text)`;
  }
  return "stream_event (of no message that is open)";
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
