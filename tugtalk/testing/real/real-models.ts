/**
 * Settings after a kill and in another conversation, with a real `claude`: the default model, the model
 * of an old conversation, and the effort that a command has set.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { compareVersions } from "../../src/base/versions.ts";
import { expectEnd } from "./real-end.ts";
import { exchange } from "./real-history.ts";
import { killClaude } from "./real-kill.ts";
import { ofType, type RealPlace, type RealSession, startRealSession } from "./real-session.ts";
import { REAL_TIMEOUT_MS, sharedPlace } from "./real-shared-session.ts";

/** Declares the tests of one version. */
export function realModels(version: string): void {
  setDefaultTimeout(REAL_TIMEOUT_MS);
  describe(`claude ${version}`, () => {
    const at = sharedPlace(version);
    listKilled(at, version);
    listOthers(at, version);
  });
}

/** A message, and a reply of its own. */
async function answered(session: RealSession, text: string): Promise<void> {
  await exchange(session, text, `Answer to ${text}.`);
}

/** Has a first turn; resolves to the id of the conversation. */
async function opened(session: RealSession): Promise<string> {
  const { session_id } = await session.next("session_init");
  await answered(session, "one");
  return String(session_id);
}

async function changeSession(session: RealSession, command: object): Promise<void> {
  session.send({ type: "session_command", ...command });
  await session.next("session_init");
  await answered(session, "go on");
}

/** The model, betas and effort of the newest request. */
function asked({ place: { api } }: RealSession) {
  const request = api.requests.findLast(({ kind }) => kind === "main");
  const beta = request?.headers["anthropic-beta"];
  return { model: request?.body.model, beta, effort: request?.body["output_config"] };
}

/** The `--model` flags, one for each process. */
function modelFlags({ bridge: { received } }: RealSession): (string | undefined)[] {
  const starts = ofType(received, "process_started").map(({ args }) => args as string[]);
  return starts.map((args) => args.find((word) => word.startsWith("--model=")));
}

function listKilled(at: () => RealPlace, version: string): void {
  test("the default model and its request are the same after a kill", async () => {
    const session = startRealSession(at());
    await opened(session);
    const before = asked(session);
    await killClaude(session);
    await answered(session, "two");
    expect(asked(session)).toEqual(before);
    expect(ofType(session.bridge.received, "model_changed")).toEqual([]);
    await expectEnd(session, 2);
  });

  // Older versions lack the command.
  if (compareVersions(version, "2.1.330") < 0) return;
  test("the effort that a command has set is in force after a kill", async () => {
    const session = startRealSession(at());
    await opened(session);
    session.say("/effort low");
    await session.turn();
    await answered(session, "two");
    const before = asked(session);
    expect(before.effort).toEqual({ effort: "low" });
    await killClaude(session);
    await answered(session, "three");
    expect(asked(session)).toEqual(before);
    await expectEnd(session, 2);
  });
}

function listOthers(at: () => RealPlace, version: string): void {
  test("the model of an old conversation does not change that of others", async () => {
    const old = startRealSession(at(), { model: "haiku" });
    const session_id = await opened(old);
    await expectEnd(old);

    const session = startRealSession(at());
    const first = await opened(session);
    const { model } = asked(session);
    await changeSession(session, { command: "resume", session_id });
    // This version restores only the text of a conversation.
    const isOwn = version !== "2.1.38";
    expect(asked(session).model === model).toBe(!isOwn);
    expect(ofType(session.bridge.received, "model_changed")).toHaveLength(isOwn ? 1 : 0);
    await changeSession(session, { command: "resume", session_id: first });
    expect(asked(session).model).toBe(model);
    await changeSession(session, { command: "new" });
    expect(asked(session).model).toBe(model);
    expect(modelFlags(session)).toEqual([undefined, undefined, undefined, undefined]);
    await expectEnd(session, 4);
  });
}
