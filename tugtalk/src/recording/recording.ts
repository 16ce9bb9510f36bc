/**
 * The format of a recording: what crossed the pipes of one bridge, in the order in which the bridge
 * met it. JSON lines: a header, then the entries. PROTOCOL.md describes it for readers.
 */
import { z } from "zod";
import { jsonObject } from "../base/json-schemas.ts";
import { ErrorCode, ErrorReason } from "../messages/error-message.ts";

/** Raised when an old reader would misunderstand a new recording. New fields do not raise it. */
export const RECORDING_VERSION = 3;

/** The first line. */
export const RecordingHeader = z.looseObject({
  tugtalk_recording: z.literal(RECORDING_VERSION),
  tugtalk_version: z.string(),
  /** The start, in ISO 8601. */
  started_at: z.iso.datetime(),
  on_eof: z.enum(["interrupt", "drain"]),
});
export type RecordingHeader = z.infer<typeof RecordingHeader>;

/**
 * One line of a pipe: a JSON object as itself, any other text as a string. Of a line that was not UTF-8
 * its length, of one that was too long its length, its ids, and whether it ended a turn.
 */
export const RecordedLine = z.union([
  z.string(),
  z.strictObject({ $not_utf8_bytes: z.number().int().positive() }),
  z.strictObject({
    $overlong_bytes: z.number().int().positive(),
    head: z.string().optional(),
    edges: z.string(),
  }),
  jsonObject,
]);
export type RecordedLine = z.infer<typeof RecordedLine>;

/** Lines that arrived together. */
const lines = z.array(RecordedLine);

/** Which Claude process, counted from 1. */
const run = z.number().int().positive();

/** How many lines the host had been sent by then. */
const up_to = z.number().int();

const failure = { code: ErrorCode, message: z.string(), reason: ErrorReason.optional() };

/** What a bridge looks up on disk. */
export const Lookup = z.enum([
  "newest_session",
  "last_session",
  "resume_point",
  "has_branched",
  "is_unbegun",
  "past",
]);
export type Lookup = z.infer<typeof Lookup>;

/** A lookup, with its arguments. */
const lookup = { what: Lookup, about: z.array(z.unknown()) };

function event<Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) {
  return z.object({
    /** In ms since the start. */
    ms: z.number().nonnegative(),
    event: z.literal(name),
    ...shape,
  });
}

/** What came to the bridge. A replay repeats it. */
export const RecordedInput = z.discriminatedUnion("event", [
  event("host_lines", { lines }),
  event("host_ended", {}),
  /** The host read a chunk of its lines, but took long for it. */
  event("host_drained", { up_to }),
  /** The host did not read such a chunk, and reads nothing more. */
  event("host_gone", { up_to }),
  event("signal", { signal: z.string() }),
  event("claude_lines", { run, lines }),
  event("claude_output_ended", { run }),
  event("claude_exited", {
    run,
    exit_code: z.number().nullable(),
    signal: z.string().nullable(),
    stderr_tail: z.string(),
  }),
  /** A lookup succeeded; without `value` there was nothing to find. */
  event("found", { ...lookup, value: z.unknown().optional() }),
  event("lookup_failed", { ...lookup, ...failure }),
  /** A timer of the bridge ran. They are counted as they are set. */
  event("timer", { number: z.number().int().positive(), delay_ms: z.number() }),
  /** An error of the bridge that nothing had caught. */
  event("fault", { message: z.string() }),
]);
export type RecordedInput = z.infer<typeof RecordedInput>;

/** What the bridge did. A replay compares it. */
export const RecordedOutput = z.discriminatedUnion("event", [
  /** To the host. */
  event("emitted", { line: RecordedLine }),
  event("claude_started", { run, pid: z.number().int(), args: z.array(z.string()) }),
  event("claude_not_started", { args: z.array(z.string()), ...failure }),
  /** A file that only Claude may read. */
  event("file_written", { name: z.string(), path: z.string() }),
  event("file_not_written", { name: z.string(), ...failure }),
  /** To Claude. */
  event("wrote", { run, line: RecordedLine }),
  event("input_closed", { run }),
  event("killed", { run, signal: z.enum(["SIGINT", "SIGTERM", "SIGKILL"]) }),
  /** The bridge made an id. A replay gives it the same one. */
  event("new_id", { id: z.string() }),
  /** The last entry. A recording without it was cut short. */
  event("ended", { exit_code: z.number().int() }),
]);
export type RecordedOutput = z.infer<typeof RecordedOutput>;

export const RecordingEntry = z.discriminatedUnion("event", [RecordedInput, RecordedOutput]);
export type RecordingEntry = z.infer<typeof RecordingEntry>;

/** What came to the bridge, told from what it did. */
export function isInput(entry: Pick<RecordingEntry, "event">): entry is RecordedInput {
  return INPUT_EVENTS.has(entry.event);
}

const INPUT_EVENTS: ReadonlySet<string> = new Set(
  RecordedInput.options.map(({ shape }) => shape.event.value),
);

/**
 * A streamed text, written when it has ended. Its lines are written at once, with a mask for each
 * delta and the number of the text as `$text`. A recording that was cut short may lack the text.
 */
export const RecordedText = z.object({ $text: z.number().int().positive(), text: z.string() });
export type RecordedText = z.infer<typeof RecordedText>;
