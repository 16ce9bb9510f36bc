/** Recordings that tests make and play: by the bridge as a process, or written by hand. */
import { expect } from "bun:test";
import { copyFileSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEmitted } from "../../../testing/drivers/emitted-lines.ts";
import { observe } from "../../../testing/observer/observer.ts";
import { type PlayOptions, playRecording, type Replay } from "../../player.ts";
import { parseRecording, type Recorded } from "../../recording-text.ts";

/** The folder for the recordings of this test file. */
export const folder = mkdtempSync(join(tmpdir(), "recordings-"));

let made = 0;

/** The path for a new recording. */
export function newRecording(): string {
  made += 1;
  return join(folder, `${made}.jsonl`);
}

const KEPT = join(import.meta.dir, "..", "recordings");

/** With `TUGTALK_KEEP_RECORDINGS=1` a recording is copied to the folder that every test run replays. */
export function maybeKeep(path: string, name: string): void {
  if (process.env["TUGTALK_KEEP_RECORDINGS"] === "1")
    copyFileSync(path, join(KEPT, `${name.replaceAll(/\W+(?=\w)/g, "-")}.jsonl`));
}

/** Plays a recording; each line that the bridge emits is checked. */
export function play(recorded: Recorded, options: PlayOptions = {}): Promise<Replay> {
  return playRecording(recorded, { ...options, onEmitted: parseEmitted });
}

/** Plays a file. */
export function replayFile(path: string, options?: PlayOptions): Promise<Replay> {
  return play(parseRecording(readFileSync(path, "utf8")), options);
}

/** Plays a recording of the repository, which may be older than a field of the protocol. */
export function playKept(recorded: Recorded): Promise<Replay> {
  return play(recorded, { mayAddFields: true });
}

/** The replay has no differences and no lost lines of Claude, and keeps the contract. */
export function expectAsItWas(replay: Replay): void {
  expect(replay.differences).toEqual([]);
  expect([...replay.silent.unlisted]).toEqual([]);
  expect(observe({ received: replay.emitted, isOver: !replay.isCut })).toEqual([]);
}
