/**
 * The format of a recording: a conversation file, as captures and the scenarios of the simulator are.
 * It has everything that crossed the pipes of one bridge, in the order in which the bridge met it.
 * PROTOCOL.md describes it for readers.
 */
import { z } from "zod";
import { jsonObject } from "../base/json-schemas.ts";
import { ErrorCode, ErrorReason } from "../messages/error-message.ts";

/** Raised when an old reader would misunderstand a new recording. New fields do not raise it. */
export const RECORDING_VERSION = 4;

/** How an entry says that a pipe has ended. A line of text is masked and cannot look like this. */
export const END_OF_PIPE = "<EOF>";

/** The content of the first line, in a note. */
export const RecordingHeader = z.looseObject({
  tugtalk_recording: z.literal(RECORDING_VERSION),
  tugtalk_version: z.string(),
  /** The start, in ISO 8601. */
  started_at: z.iso.datetime(),
  on_eof: z.enum(["interrupt", "drain"]),
});
export type RecordingHeader = z.infer<typeof RecordingHeader>;

/**
 * One line of a pipe: a JSON object as itself, any other text as a string. For a line that was not UTF-8, its
 * length. For a line that was too long, its length, its ids, and whether it ended a turn.
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

/** Which Claude process, counted from 1. */
const run = z.number().int().positive();

/** How many lines the host had been sent by then. */
const count = z.number().int();

const failure = { code: ErrorCode, message: z.string(), reason: ErrorReason.optional() };

/** The lookups of a bridge on disk. */
export const Lookup = z.enum([
  "newest_session",
  "last_session",
  "resume_point",
  "has_branched",
  "is_unbegun",
  "past",
  "transcript",
]);
export type Lookup = z.infer<typeof Lookup>;

/** A lookup, with its arguments. */
const lookup = { what: Lookup, about: z.array(z.unknown()) };

/** In ms since the start. */
const t = z.number().nonnegative();

function entry<Dir extends string, Msg extends z.ZodType>(dir: Dir, msg: Msg) {
  return z.object({ t, dir: z.literal(dir), msg });
}

function ofClaude<Dir extends string, Msg extends z.ZodType>(dir: Dir, msg: Msg) {
  return z.object({ t, dir: z.literal(dir), run, msg });
}

/** An input of the bridge. A replay repeats it. */
export const RecordedInput = z.discriminatedUnion("dir", [
  /** A line of the host, or its end. */
  entry("host", RecordedLine),
  /** The host read a chunk of its lines, but took long for it. */
  entry("host_drained", count),
  /** The host did not read a chunk of its lines, and reads nothing more. */
  entry("host_gone", count),
  entry("signal", z.string()),
  /** A line of Claude, or the end of its stdout. */
  ofClaude("out", RecordedLine),
  ofClaude(
    "exit",
    z.object({ code: z.number().nullable(), signal: z.string().nullable(), stderr: z.string() }),
  ),
  /** A lookup succeeded; without `value` there was nothing to find. */
  entry("found", z.object({ ...lookup, value: z.unknown().optional() })),
  entry("lookup_failed", z.object({ ...lookup, ...failure })),
  /** A timer of the bridge with this delay ran. */
  entry("timer", z.number()),
  /** An error of the bridge that nothing had caught. */
  entry("fault", z.string()),
]);
export type RecordedInput = z.infer<typeof RecordedInput>;

/** An output of the bridge. A replay compares it. */
export const RecordedOutput = z.discriminatedUnion("dir", [
  /** A line to the host. */
  entry("emit", RecordedLine),
  ofClaude("spawn", z.object({ pid: z.number().int(), args: z.array(z.string()) })),
  entry("spawn_failed", z.object({ args: z.array(z.string()), ...failure })),
  /** A file that only Claude may read. */
  entry("file", z.object({ name: z.string(), path: z.string() })),
  entry("file_failed", z.object({ name: z.string(), ...failure })),
  /** A line to Claude, or the end of its stdin. */
  ofClaude("in", RecordedLine),
  ofClaude("kill", z.enum(["SIGINT", "SIGTERM", "SIGKILL"])),
  /** The bridge made an id. A replay gives it the same one. */
  entry("id", z.string()),
  /** The last entry, with the exit code. A recording without it was cut short. */
  entry("ended", z.number().int()),
]);
export type RecordedOutput = z.infer<typeof RecordedOutput>;

export const RecordingEntry = z.discriminatedUnion("dir", [RecordedInput, RecordedOutput]);
export type RecordingEntry = z.infer<typeof RecordingEntry>;

/** The input of the bridge, apart from its actions. */
export function isInput(entry: Pick<RecordingEntry, "dir">): entry is RecordedInput {
  return INPUTS.has(entry.dir);
}

const INPUTS: ReadonlySet<string> = new Set(
  RecordedInput.options.map(({ shape }) => shape.dir.value),
);
