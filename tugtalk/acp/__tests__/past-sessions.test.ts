/** The parts that are read of the transcripts of sessions. */
import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openPastSessions, said, sessionId } from "../../testing/drivers/past-sessions.ts";
import { KeptSessions } from "../kept-sessions.ts";
import { PastSessions } from "../past-sessions.ts";
import { EntryNames } from "../retold.ts";

const past = openPastSessions();
afterAll(() => past.remove());

test("a transcript that ends with /compact has caught up with the end of the compaction", async () => {
  const id = past.place("2.1.330/compact_long");
  const lines = readFileSync(join(past.folder, `${id}.jsonl`), "utf8").split("\n");
  const end = lines.findIndex((line) => line.includes("<local-command-stdout>Compacted"));
  past.write(id, lines.slice(0, end + 1));
  const transcript = new PastSessions(new KeptSessions("/nowhere"), past.configDir).transcript(
    { id },
    past.project,
  );
  const boundary = { type: "compact_boundary", trigger: "manual" } as const;
  const entry = new EntryNames().of({ ...boundary, pre_tokens: 2042, post_tokens: 2617 });
  const start = performance.now();
  await transcript.caughtUp(String(entry));
  // The call waits for a transcript that has not caught up.
  expect(performance.now() - start).toBeLessThan(1_500);
});

const command = said("a", null, "<command-name>/clear</command-name>");
const ai = { type: "ai-title", aiTitle: "Made up" };
const last = { type: "last-prompt", lastPrompt: "last" };
test.each([
  ["the first prompt behind a command", [command, said("b", "a", "first"), last], "first"],
  ["a given title before any prompt", [said("a", null, "first"), ai, last], "Made up"],
  ["the last prompt where no first one is near", [last, command], "last"],
])("a session is listed with %s as its title", async (_name, lines, title) => {
  past.empty();
  past.write(sessionId(1), lines);
  const { sessions } = await new PastSessions(new KeptSessions("/nowhere"), past.configDir).list({
    cwd: past.project,
  });
  expect(sessions.map((session) => session.title)).toEqual([title]);
});
