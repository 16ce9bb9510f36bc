/** A session of a host that continues a conversation that Claude has on disk. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderNamesOf } from "../../../../src/history/transcript-folder.ts";
import { type TestHost, TestHostSession } from "../../../../testing/drivers/host-process.ts";
import { answered, said, sessionId } from "../../../../testing/drivers/past-sessions.ts";
import { setEnvironment } from "../../../../testing/drivers/recorded-claudes.ts";

/** The conversation has this many turns: `Question 1`, `Answer 1`, … Resolves when the host has them. */
export async function resumeLong(host: TestHost, turns: number): Promise<TestHostSession> {
  const dir = host.newFolder();
  const folder = join(host.home, ".claude", "projects", folderNamesOf(dir).usual);
  const id = sessionId(turns);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.jsonl`), linesOf(turns));
  setEnvironment(dir, {});
  const { status, body } = await host.run("create", { dir, trust: true, resume: id, force: true });
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
  const session = new TestHostSession(host, String(body["id"]), dir);
  const events = await session.events();
  await events.next(({ type }) => type === "history_added");
  events.close();
  return session;
}

function linesOf(turns: number): string {
  const lines = Array.from({ length: turns }, (_, index) => {
    const [asked, answer] = [`q${index}`, `a${index}`].map(uuidOf);
    const before = index === 0 ? null : uuidOf(`a${index - 1}`);
    const words = `Answer ${index + 1}\n\n${"It is said in many words. ".repeat(20)}`;
    return [
      said(asked ?? "", before, `Question ${index + 1}`),
      answered(answer ?? "", asked ?? "", words),
    ];
  });
  return lines
    .flat()
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

function uuidOf(name: string): string {
  const digits = Bun.hash(name).toString(16).padStart(12, "0").slice(-12);
  return `00000000-0000-4000-8000-${digits}`;
}
