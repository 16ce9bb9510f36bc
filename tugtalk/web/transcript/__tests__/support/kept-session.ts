/** A session whose Claude has kept its conversation, so that it can go back in it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderNamesOf } from "../../../../src/history/transcript-folder.ts";
import type { TestHost, TestHostSession } from "../../../../testing/drivers/host-process.ts";
import { answered, said } from "../../../../testing/drivers/past-sessions.ts";

const TEXTS = ["First", "Second", "Third"] as const;

/** A turn for each message; the second one changes a file of the folder. */
function conversationIn(dir: string): readonly object[] {
  const written = {
    type: "user",
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t1", content: "Done" }],
    },
    parent_tool_use_id: null,
    session_id: "$session",
    uuid: "$new",
    tool_use_result: {
      type: "update",
      filePath: join(dir, "src/poem.txt"),
      structuredPatch: [
        { oldStart: 1, oldLines: 1, newStart: 1, newLines: 2, lines: ["-one", "+two", "+three"] },
      ],
    },
  };
  const call = { type: "tool_use", id: "t1", name: "Edit", input: { file_path: "poem.txt" } };
  return TEXTS.flatMap((text) => [
    { dir: "in", msg: { type: "user" } },
    { dir: "open" },
    ...(text === "Second"
      ? [
          { dir: "reply", msg: { content: [call] } },
          { dir: "out", msg: written },
        ]
      : []),
    { dir: "reply", msg: { content: [{ type: "text", text: `Answer to ${text}.` }] } },
    { dir: "end" },
  ]);
}

/** A session with three turns, "First" to "Third"; the second one has changed a file. */
export async function keptSession(host: TestHost): Promise<TestHostSession> {
  const session = await host.createSession({ conversation: conversationIn });
  const lines: object[] = [];
  for (const text of TEXTS) {
    const { data } = await session.finishTurn(text);
    const [id = ""] = data["message_ids"] as string[];
    const before = lines.length === 0 ? null : `a${lines.length / 2}`;
    lines.push(said(id, before, text), answered(`a${lines.length / 2 + 1}`, id, "Answer"));
  }
  const { body } = await session.run("session");
  const id = String(body["claude_session_id"]);
  const folder = join(host.home, ".claude", "projects", folderNamesOf(session.dir).usual);
  mkdirSync(folder, { recursive: true });
  const kept = lines.map((line) => `${JSON.stringify({ ...line, sessionId: id })}\n`);
  writeFileSync(join(folder, `${id}.jsonl`), kept.join(""));
  // The next Claude echoes.
  session.play([]);
  return session;
}
