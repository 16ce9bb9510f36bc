/**
 * The past conversations of the scenario `history`, in the form in which 2.1.330 keeps them on disk; their
 * texts are made up. Protocol reference §15.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fields } from "../src/base/json.ts";
import type { NewId } from "./ids.ts";
import { newApiId } from "./scenario-ids.ts";

/** The first message of each conversation, and its number of turns; the last is the newest. */
const CONVERSATIONS: readonly (readonly [title: string, turns: number])[] = [
  ["A conversation of a thousand turns", 1000],
  ["What does the greeting do?", 3],
  ["Only one question", 1],
];

/** Writes the transcripts into the folder where Claude keeps them. */
export function writePastConversations(folder: string, newId: NewId): void {
  mkdirSync(folder, { recursive: true });
  for (const [title, turns] of CONVERSATIONS) {
    const sessionId = newId();
    const lines = buildTranscript(title, turns, { sessionId, newId });
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    writeFileSync(join(folder, `${sessionId}.jsonl`), text);
  }
}

type Past = { readonly sessionId: string; readonly newId: NewId };

function buildTranscript(title: string, turns: number, { sessionId, newId }: Past): Fields[] {
  const lines: Fields[] = [];
  const add = (fields: Fields) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, lines.length)).toISOString();
    const parentUuid = lines.at(-1)?.["uuid"] ?? null;
    const ids = { parentUuid, isSidechain: false, sessionId, uuid: newId(), timestamp };
    lines.push({ ...ids, version: "2.1.330", userType: "external", ...fields });
  };
  for (let turn = 1; turn <= turns; turn += 1) {
    const question = turn === 1 ? title : `Question ${turn}: what is in file ${turn}?`;
    for (const fields of turnOf(question, turn, newId)) add(fields);
  }
  return lines;
}

/** A question, the read of a file, and the answer. */
function turnOf(question: string, turn: number, newId: NewId): readonly Fields[] {
  const id = newApiId("toolu", newId);
  const read = { type: "tool_use", id, name: "Read", input: { file_path: `file-${turn}.txt` } };
  const content = `1\tThis is file ${turn}.`;
  const result = { type: "tool_result", tool_use_id: id, content };
  return [
    { type: "user", message: { role: "user", content: question } },
    assistant(read, newId),
    { type: "user", message: { role: "user", content: [result] } },
    assistant({ type: "text", text: `Answer ${turn}: it says that it is file ${turn}.` }, newId),
  ];
}

function assistant(block: Fields, newId: NewId): Fields {
  const usage = { input_tokens: 100, output_tokens: 42 };
  const message = { id: newApiId("msg", newId), type: "message", role: "assistant" };
  return {
    type: "assistant",
    message: { ...message, model: "claude-opus-5-5", content: [block], usage },
  };
}
