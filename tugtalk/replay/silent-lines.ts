/**
 * The lines of Claude's that led to no message, by kind: each is on the list of what means nothing
 * to a host, or the fifth guarantee is broken.
 */
import { isOverlong, type Line } from "../src/lines.ts";
import { MEANINGLESS } from "../src/meaningless.ts";

type Fields = Readonly<Record<string, unknown>>;

/** How many lines were silent, by kind. */
export type SilentLines = {
  readonly listed: ReadonlyMap<string, number>;
  /** Not on the list: lost. */
  readonly unlisted: ReadonlyMap<string, number>;
};

/** Watches lines being applied, and counts those that the host hears nothing of. */
export class LineWatch {
  readonly #told: () => number;
  readonly #listed = new Map<string, number>();
  readonly #unlisted = new Map<string, number>();
  #lines = 0;

  /** `told` says how many messages the host has been told. */
  constructor(told: () => number) {
    this.#told = told;
  }

  get lines(): number {
    return this.#lines;
  }

  get silent(): SilentLines {
    return { listed: this.#listed, unlisted: this.#unlisted };
  }

  /** The same lines; that the next one is asked for says that one has been applied. */
  watched(lines: readonly Line[]): readonly Line[] {
    const watch = (line: Line) => this.#watch(line);
    return Object.assign([...lines], {
      *[Symbol.iterator](): Generator<Line, undefined> {
        for (const line of lines) {
          const finish = watch(line);
          yield line;
          finish();
        }
        return undefined;
      },
    });
  }

  #watch(line: Line): () => void {
    const before = this.#told();
    this.#lines += 1;
    return () => {
      if (this.#told() === before) this.#note(line);
    };
  }

  #note(line: Line): void {
    const message = fieldsIn(line);
    const listed = listedKind(message);
    const [counts, kind] =
      listed === undefined ? [this.#unlisted, kindOf(message)] : [this.#listed, listed];
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
}

/** The entry of the list that a silent line is of. */
function listedKind(message: Fields): string | undefined {
  return [kindOf(message), ...casesOf(message)].find((kind) => Object.hasOwn(MEANINGLESS, kind));
}

function kindOf(message: Fields): string {
  const { type, subtype } = message;
  switch (type) {
    case "system":
      return subtype === "status"
        ? `system/status/${message["status"] ?? null}`
        : `system/${subtype}`;
    case "control_request":
      return `control_request/${fields(message["request"])["subtype"]}`;
    case "stream_event": {
      const event = fields(message["event"]);
      const delta = event["type"] === "content_block_delta" ? fields(event["delta"]) : {};
      return ["stream_event", event["type"], delta["type"]].filter(Boolean).join("/");
    }
    case "user":
      return message["isReplay"] === true ? "user/isReplay" : "user";
    default:
      return String(type);
  }
}

/** What a person is asked; such a line is silent where it comes again, or while Claude is being ended. */
const PERSON_REQUESTS: ReadonlySet<string> = new Set([
  "control_request/can_use_tool",
  "control_request/elicitation",
  "control_request/request_user_dialog",
]);

/** The entries with a case in brackets that a line of this kind can be, if it was silent. */
function casesOf(message: Fields): readonly string[] {
  const { type } = message;
  switch (type) {
    case "stream_event":
      return [...eventCases(fields(message["event"])), "stream_event (of no message that is open)"];
    case "user":
    case "assistant":
      return isEmpty(fields(message["message"])["content"]) ? [`${type} (no block)`] : [];
    case "result":
      return ["result (before Claude was ready)"];
    case "control_response": {
      const id = String(fields(message["response"])["request_id"]);
      const isOurs = id.startsWith("tugtalk-");
      return [`control_response (${isOurs ? "to a request of tugtalk's own" : "echo"})`];
    }
    case "control_request":
      return PERSON_REQUESTS.has(kindOf(message))
        ? ["control_request for a person (repeated)"]
        : [];
    case "control_cancel_request":
      return ["control_cancel_request (no open prompt)"];
    default:
      return [];
  }
}

function eventCases(event: Fields): string[] {
  const kind = `stream_event/${event["type"]}`;
  const delta = fields(event["delta"]);
  if (event["type"] === "content_block_start")
    return fields(event["content_block"])["type"] === "tool_use" ? [] : [`${kind} (no tool call)`];
  if (event["type"] !== "content_block_delta") return [];
  if (delta["type"] === "input_json_delta")
    return [`${kind}/input_json_delta (tool_input_deltas off)`];
  const text = delta["text"] ?? delta["thinking"] ?? "";
  return text === "" ? [`${kind} (without text)`] : [];
}

function fieldsIn(line: Line): Fields {
  try {
    return isOverlong(line) ? {} : fields(JSON.parse(Buffer.from(line).toString()));
  } catch {
    return {}; // A line that is no JSON has no kind.
  }
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : value === undefined || value === "";
}
