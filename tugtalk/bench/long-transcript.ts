/** A made-up transcript of any length, in the shape of real ones: messages, answers, tools and results. */

import { closeSync, openSync, writeSync } from "node:fs";
import type { Fields } from "../src/base/json.ts";
import { answered, said } from "../testing/drivers/past-sessions.ts";

/** Claude's fields on each line. */
const ENVELOPE = {
  isSidechain: false,
  userType: "external",
  cwd: "/home/someone/a-project",
  sessionId: "11111111-2222-4333-8444-000000000001",
  version: "2.1.330",
  gitBranch: "main",
  timestamp: "2026-01-01T00:00:00.000Z",
};

/** Writes turns until the file has this many bytes. Gives the numbers of turns and lines. */
export function writeTranscript(path: string, bytes: number): { turns: number; lines: number } {
  const file = openSync(path, "w");
  const written = { turns: 0, lines: 0 };
  let parent: string | null = null;
  for (let size = 0; size < bytes; ) {
    written.turns += 1;
    const lines: Fields[] = turnOf(written.turns, parent);
    parent = String(lines.at(-1)?.["uuid"]);
    written.lines += lines.length;
    size += writeSync(
      file,
      lines.map((line) => `${JSON.stringify({ ...ENVELOPE, ...line })}\n`).join(""),
    );
  }
  closeSync(file);
  return written;
}

/** Tools in a row, one of them with a long result. */
const TOOLS_IN_TURN = 20;

function turnOf(turn: number, before: string | null): Fields[] {
  const lines: Fields[] = [];
  let parent = before;
  const add = (line: (uuid: string, parent: string | null) => Fields) => {
    const uuid = crypto.randomUUID();
    lines.push(line(uuid, parent));
    parent = uuid;
  };
  add((uuid, of) => said(uuid, of, `what is asked in turn ${turn}`));
  for (let tool = 0; tool < TOOLS_IN_TURN; tool += 1) {
    const id = `toolu_${turn}_${tool}`;
    const input = { command: `made up ${"x".repeat(400)}` };
    add((uuid, of) => answered(uuid, of, { type: "tool_use", id, name: "Bash", input }));
    const output = "a line of output\n".repeat(tool === 0 ? 4096 : 64);
    add((uuid, of) => ({ ...said(uuid, of, ""), ...resultOf(id, output) }));
  }
  add((uuid, of) => answered(uuid, of, `the answer of turn ${turn}`));
  return lines;
}

function resultOf(tool_use_id: string, content: string): Fields {
  const block = { type: "tool_result", tool_use_id, content };
  return {
    message: { role: "user", content: [block] },
    toolUseResult: { stdout: content, stderr: "", interrupted: false },
  };
}
