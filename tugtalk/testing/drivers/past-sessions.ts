/** A folder with past conversations in Claude's format: trimmed real transcripts, or written ones. */

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Glob } from "bun";
import type { Fields } from "../../src/base/json.ts";
import { folderNamesOf } from "../../src/history/transcript-folder.ts";

const FIXTURES = join(import.meta.dir, "..", "fixtures", "transcripts");

export type PastSessions = {
  readonly project: string;
  readonly configDir: string;
  /** Where the transcripts are. */
  readonly folder: string;
  /** Adds a trimmed real conversation, for example `2.1.38/sub_tools`; returns its id. */
  readonly place: (fixture: string) => string;
  /** Writes a transcript; `at` is its time of change, in seconds. */
  readonly write: (id: string, lines: readonly (Fields | string)[], at?: number) => void;
  /** Removes all files, for the next test. */
  readonly empty: () => void;
  readonly remove: () => void;
};

/** Where Claude keeps the transcripts of a project. */
export function transcriptFolder(configDir: string, project: string): string {
  return join(configDir, "projects", folderNamesOf(project).usual);
}

/** Creates an empty one. Call `remove` at the end. */
export function openPastSessions(): PastSessions {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tugtalk-past-")));
  const [project, configDir] = [join(root, "project"), join(root, "config")];
  const folder = transcriptFolder(configDir, project);
  const makeFolders = () => {
    for (const path of [project, folder]) mkdirSync(path, { recursive: true });
  };
  makeFolders();
  return {
    project,
    configDir,
    folder,
    place: (fixture) => {
      cpSync(join(FIXTURES, fixture), folder, { recursive: true });
      const [name = ""] = new Glob("*.jsonl").scanSync(join(FIXTURES, fixture));
      return basename(name, ".jsonl");
    },
    write: (id, lines, at) => {
      const path = join(folder, `${id}.jsonl`);
      const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
      writeFileSync(path, `${text.join("\n")}\n`);
      if (at !== undefined) utimesSync(path, at, at);
    },
    empty: () => {
      for (const path of [project, configDir]) rmSync(path, { recursive: true });
      makeFolders();
    },
    remove: () => rmSync(root, { recursive: true }),
  };
}

/** All real ones. */
export const PAST_FIXTURES = [...new Glob("*/*/*.jsonl").scanSync(FIXTURES)]
  .map((path) => path.split("/").slice(0, 2).join("/"))
  .sort();

/** The nth id. */
export function sessionId(number: number): string {
  return `11111111-2222-4333-8444-${String(number).padStart(12, "0")}`;
}

/** A transcript line with a user message. */
export function said(uuid: string, parentUuid: string | null, text: string, more: Fields = {}) {
  return { type: "user", uuid, parentUuid, message: { role: "user", content: text }, ...more };
}

/** A transcript line with an answer of Claude, by default in a message of its own. */
export function answered(
  uuid: string,
  parentUuid: string | null,
  block: string | Fields,
  id = uuid,
) {
  const content = [typeof block === "string" ? { type: "text", text: block } : block];
  return { type: "assistant", uuid, parentUuid, message: { id, role: "assistant", content } };
}

const NOTE = { type: "file-history-snapshot", messageId: "m", snapshot: { pad: "x".repeat(500) } };

/** More notes than one read returns. */
export const MANY_NOTES: readonly Fields[] = Array.from({ length: 1000 }, () => NOTE);

/** Transcripts that hold no conversation to resume. */
export const NOTES_ONLY: readonly (readonly [name: string, lines: readonly (Fields | string)[]])[] =
  [
    ["nothing", []],
    ["only a note of the files", [NOTE]],
    ["only many notes", MANY_NOTES],
    ["only a summary", [{ type: "summary", summary: "about it", leafUuid: "a" }]],
    ["only a title", [{ type: "custom-title", customTitle: "mine", sessionId: sessionId(1) }]],
    ["only what a subagent did", [said("a", null, "go", { isSidechain: true })]],
    ["only half a line", [JSON.stringify(said("a", null, "hello")).slice(0, -9)]],
  ];
