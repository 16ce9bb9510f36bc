/**
 * The form of a recording: what crossed the pipes of one bridge, in the order in which the bridge
 * met it. JSON lines: a header, then one entry for each event. `recorder.ts` writes it; PROTOCOL.md
 * describes it for readers.
 */
import { z } from "zod";
import { jsonObject } from "../base/json.ts";
import { ErrorCode, ErrorReason } from "../messages/errors.ts";

/** Raised when an old reader would misunderstand a new recording. New fields do not raise it. */
export const RECORDING_VERSION = 2;

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
 * One line of a pipe: a JSON object as itself; any other text as a string; as many bytes that are not
 * UTF-8 as base64; of a line that was too long its length, and whether it ended a turn.
 */
export const RecordedLine = z.union([
  z.string(),
  z.strictObject({ $base64: z.base64() }),
  z.strictObject({ $overlong_bytes: z.number().int().positive(), edges: z.string() }),
  jsonObject,
]);
export type RecordedLine = z.infer<typeof RecordedLine>;

const line = RecordedLine;

/** Lines that came in one piece. */
const lines = z.array(line);

/** Which Claude, counted from 1. */
const run = z.number().int().positive();

/** What the bridge asked for. */
const about = z.array(z.unknown());

const failure = { code: ErrorCode, message: z.string(), reason: ErrorReason.optional() };

/** What a bridge looks up on disk. */
export const Lookup = z.enum(["newest_session", "last_session", "place", "has_branched", "past"]);
export type Lookup = z.infer<typeof Lookup>;

const every = {
  /** In ms since the start. */
  ms: z.number().nonnegative(),
  /** Something in it was masked. Without this, what looks like a mask is text. */
  masked: z.literal(true).optional(),
};

function event<Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) {
  return z.object({ ...every, event: z.literal(name), ...shape });
}

/** What came to the bridge. A replay says it again. */
export const RecordedInput = z.discriminatedUnion("event", [
  event("host_said", { lines }),
  event("host_ended", {}),
  /** The host took a piece of what it is told, up to this many lines in all, after a long wait. */
  event("host_took", { up_to: z.number().int() }),
  /** The host did not take such a piece, and takes nothing more. */
  event("host_gone", { up_to: z.number().int() }),
  event("signal", { signal: z.string() }),
  event("claude_said", { run, lines }),
  event("claude_output_ended", { run }),
  event("claude_exited", {
    run,
    exit_code: z.number().nullable(),
    signal: z.string().nullable(),
    stderr_tail: z.string(),
  }),
  /** The disk was asked, and this is what it said; nothing where there is none. */
  event("found", { what: Lookup, about, value: z.unknown().optional() }),
  event("lookup_failed", { what: Lookup, about, ...failure }),
  /** A timer of the bridge's ran; they are counted as they are set. */
  event("timer", { number: z.number().int().positive(), delay_ms: z.number() }),
  /** A fault of the bridge's own that nothing had caught. */
  event("fault", { message: z.string() }),
]);
export type RecordedInput = z.infer<typeof RecordedInput>;

/** What the bridge did about it. A replay compares it. */
export const RecordedOutput = z.discriminatedUnion("event", [
  event("told", { line }),
  event("claude_started", { run, pid: z.number().int(), args: z.array(z.string()) }),
  event("claude_not_started", { args: z.array(z.string()), ...failure }),
  /** A file that only Claude is to read. */
  event("file_written", { name: z.string(), path: z.string() }),
  event("file_not_written", { name: z.string(), message: z.string() }),
  event("wrote", { run, line }),
  event("input_closed", { run }),
  event("killed", { run, signal: z.enum(["SIGINT", "SIGTERM", "SIGKILL"]) }),
  /** The bridge made an id. A replay gives it the same one. */
  event("minted", { id: z.string() }),
  /** The last entry. A recording without it was cut short. */
  event("ended", { exit_code: z.number().int() }),
]);
export type RecordedOutput = z.infer<typeof RecordedOutput>;

/**
 * A text that streamed, once it has ended. Until then its lines have stars in its place, and its number
 * as `$text`; a recording that was cut short may lack it.
 */
export const RecordedText = z.object({
  $text: z.number().int().positive(),
  text: z.string(),
  masked: every.masked,
});
export type RecordedText = z.infer<typeof RecordedText>;

export const RecordingEntry = z.discriminatedUnion("event", [RecordedInput, RecordedOutput]);
export type RecordingEntry = z.infer<typeof RecordingEntry>;
