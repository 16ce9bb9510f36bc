/** Characters that a database does not accept as text, over real sockets. */
import { afterAll, expect, test } from "bun:test";
import { textBlock, toolBlock } from "../../simulator/stream-events.ts";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";
import {
  answered,
  asks,
  OPENING,
  out,
  permission,
  RESULT,
  says,
  toolResult,
} from "../../testing/drivers/written-conversation.ts";

const host = await startHost();
afterAll(endHosts);

const STRANGE = "bina\0ry \ud83d";

/** A conversation in which each text and id of Claude has these characters. */
function conversation(): readonly object[] {
  const call = toolBlock(`tool${STRANGE}`, "Write", { file_path: STRANGE, content: STRANGE });
  return [
    ...OPENING,
    says(`m${STRANGE}`, textBlock(STRANGE), call),
    asks("prompt", permission(call)),
    answered("prompt"),
    toolResult(call.id, STRANGE, { tool_use_result: { type: STRANGE, [STRANGE]: STRANGE } }),
    out({ type: "made_up", [STRANGE]: STRANGE }),
    out({ ...RESULT, result: STRANGE, permission_denials: [] }),
  ];
}

test("a NUL and half a character in messages and titles, and in Claude's texts and names, stop no session", async () => {
  const session = await host.createSession({ conversation: conversation() });
  const events = await session.events();
  expect(await session.run("update", { title: STRANGE })).toMatchObject({ status: 200 });
  const attachments = [{ filename: STRANGE, media_type: "text/plain", content: STRANGE }];
  expect(await session.message(STRANGE, { attachments })).toMatchObject({ status: 200 });
  const { data } = await events.next("control_request_forward");
  expect(await session.message(STRANGE)).toMatchObject({ body: { status: "queued" } });
  const answer = { requestId: data["request_id"], decision: "allow", message: STRANGE };
  expect(await session.run("approve", answer)).toMatchObject({ status: 200 });
  await events.next("turn_complete");
  for (const command of ["session", "snapshot", "turns", "queue"] as const)
    expect({ command, ...(await session.run(command)) }).toMatchObject({ status: 200 });
  expect((await host.run("search", { q: "bina" })).body["hits"]).not.toEqual([]);
});

test("the conversation of a session whose title has a NUL and half a character can be resumed by another one", async () => {
  const resume = crypto.randomUUID();
  const first = await host.createSession({ resume, title: STRANGE });
  expect(await first.run("delete", { keep: true })).toMatchObject({ status: 200 });
  await host.createSession({ resume });
});
