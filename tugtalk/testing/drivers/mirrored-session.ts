/** Sessions that can be moved: the host keeps lines of a test as the transcript of the stand-in. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { folderNamesOf } from "../../src/history/transcript-folder.ts";
import type { NewTestSession, TestHost } from "./host-process.ts";

/** Where Claude keeps a conversation of a folder. */
export function transcriptIn(configDir: string, dir: string, conversation: string): string {
  return join(configDir, "projects", folderNamesOf(dir).usual, `${conversation}.jsonl`);
}

export function writeTranscript(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A session with one turn. */
export async function mirroredSession(host: TestHost, options: NewTestSession = {}) {
  const session = await host.createSession({ mirror: true, ...options });
  const events = await session.events();
  const conversation = String((await events.next("session_init")).data["session_id"]);
  events.close();
  const text = `${JSON.stringify({ sessionId: conversation, text: "said before" })}\n`;
  writeTranscript(transcriptIn(join(host.home, ".claude"), session.dir, conversation), text);
  await session.finishTurn("there");
  return { session, conversation, text };
}
