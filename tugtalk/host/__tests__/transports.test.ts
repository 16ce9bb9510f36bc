/** The transports of `tugtalk/client` at a host, with a stand-in Claude. */
import { afterAll, describe, expect, test } from "bun:test";
import {
  ALL_SESSIONS,
  CommandError,
  type HostAddress,
  type HostFrame,
  initialSession,
  openHttpTransport,
  openWebSocketTransport,
  type ReducedSession,
  reduceSession,
  type Transport,
} from "../../client/client.ts";
import { failureOf } from "../../testing/drivers/failure.ts";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";
import { ASKING } from "../../testing/drivers/written-conversation.ts";

const host = await startHost();
afterAll(endHosts);

const clientName = "desk";

const WAYS: readonly [string, (address: HostAddress) => Transport][] = [
  ["web socket", openWebSocketTransport],
  ["http", openHttpTransport],
];

/** The frames of a subscription, and the state that follows from them. */
class Follower {
  state: ReducedSession = initialSession;
  readonly frames: HostFrame[] = [];
  #onFrame = () => {};

  readonly take = (frame: HostFrame): void => {
    this.frames.push(frame);
    this.state = reduceSession(this.state, frame);
    this.#onFrame();
  };

  async next(type: string): Promise<unknown> {
    for (;;) {
      const found = this.frames.find(({ t }) => t === type);
      if (found !== undefined) return found.d;
      await new Promise<void>((resolve) => {
        this.#onFrame = resolve;
      });
    }
  }
}

describe.each([...WAYS])("%s", (_, open) => {
  test("a client gives a session a message, answers its prompt once and sees all of it", async () => {
    const transport = open({ url: host.url, token: host.token, clientName });
    const [board, follower] = [new Follower(), new Follower()];
    transport.subscribe(ALL_SESSIONS, {}, board.take);
    const session = await host.createSession({ conversation: ASKING });
    const { id } = session;
    transport.subscribe(id, { after: 0 }, follower.take);
    const sent = await transport.command("message", { id, message: "go", client_msg_id: "c" });
    const again = await transport.command("message", { id, message: "go", client_msg_id: "c" });
    expect(again).toEqual(sent);

    const asked = { sessionId: id, stageId: id, requestId: "prompt1", toolUseId: "tool1" };
    const forwarded = { request_id: "prompt1", tool_use_id: "tool1" };
    expect(await follower.next("control_request_forward")).toMatchObject(forwarded);
    expect(await board.next("approval-requested")).toMatchObject(asked);
    const { pending } = await transport.command("pending", { id });
    expect(pending).toMatchObject([{ type: "approval", ...asked, toolName: "Write" }]);

    const answer = { id, request_id: "prompt1", decision: "allow" } as const;
    expect(await transport.command("approve", answer)).toEqual({ status: "ok" });
    await session.claudeHears(({ type }) => type === "control_response");
    const refusal = await failureOf(transport.command("approve", answer));
    expect(refusal).toBeInstanceOf(CommandError);
    const body = { code: "already_resolved", by: clientName, outcome: "allow" };
    expect(refusal).toMatchObject({ status: 409, body });
    const unknown = await failureOf(transport.command("approve", { ...answer, request_id: "p" }));
    expect(unknown).toMatchObject({ status: 404 });

    await follower.next("turn_complete");
    await transport.command("delete", { id, keep: true });
    await follower.next("process_exit");
    const { cursor, state: kept } = await transport.command("snapshot", { id });
    await until(() => follower.frames.at(-1)?.q === Object(cursor).seq);
    expect(follower.state).toEqual(kept);
    transport.close();
  });
});

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve));
}
