/** The model that the next process starts with when the host set none. */
import { expect, test } from "bun:test";
import { initLine, resultLine } from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";

const ID = "11111111-2222-4333-8444-555555555555";

const MODEL = "claude-opus-4-8[1m]";
const modelOf = (start: readonly string[] | undefined) =>
  start?.find((word) => word.startsWith("--model="));

/** A session that has completed a turn with this model. */
async function spoken(model: string): Promise<TestSession> {
  const session = await startSession();
  await says(session, model);
  return session;
}

async function says(session: TestSession, model: string): Promise<void> {
  session.message("go on");
  const { id: session_id } = session;
  await session.say(initLine({ session_id, model, permissionMode: undefined }));
  await session.say(resultLine({ session_id }));
}

/** The host resumes another conversation, in which Claude names this model. */
async function resumes(session: TestSession, session_id: string, model: string): Promise<void> {
  await session.change("resume", { session_id });
  await session.initialize();
  await says(session, model);
}

test("a model that the host did not set keeps the suffix of its name after a crash", async () => {
  const session = await spoken(MODEL);
  await session.crash();
  await session.restart();
  expect(session.starts.map(modelOf)).toEqual([undefined, `--model=${MODEL}`]);
});

test.each([
  ["is kept in a", "fork", `--model=${MODEL}`],
  ["is not a start flag of a", "new", undefined],
] as const)("a model that the host did not set %s %s session", async (_name, command, expected) => {
  const session = await spoken(MODEL);
  await session.change(command);
  expect(session.starts.map(modelOf)).toEqual([undefined, expected]);
});

test("a model that the host did not set is reported for a resumed conversation, and is not a start flag of another conversation", async () => {
  const session = await spoken("claude-opus-5-5");
  const first = session.id;
  await resumes(session, ID, "claude-haiku");
  expect(session.of("model_changed")).toMatchObject([{ model: "claude-haiku", source: "claude" }]);
  await resumes(session, first, "claude-opus-5-5");
  expect(session.starts.map(modelOf)).toEqual([undefined, undefined, undefined]);
  expect(session.of("model_changed").at(-1)).toMatchObject({ model: "claude-opus-5-5" });
});
