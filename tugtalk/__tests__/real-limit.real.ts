/** The usage limit of a subscription with real CLIs: the states and messages of the host, over HTTP. */
import { expect } from "bun:test";
import type { SentEvent } from "../testing/drivers/host-clients.ts";
import { startHost, type TestHostSession } from "../testing/drivers/host-process.ts";
import { callTool, limitReached, withinLimit } from "../testing/real/real-replies.ts";
import { conversationSent } from "../testing/real/real-requests.ts";
import type { RealPlace } from "../testing/real/real-session.ts";
import { inOnePlace } from "../testing/real/real-tests.ts";

/** A host whose Claude has the token of a subscription, which is none. */
async function subscribedHost(place: RealPlace) {
  const { ANTHROPIC_API_KEY: _key, ...env } = place.home.environment(place.api.url);
  const token = "dummy-token-for-the-stand-in-api";
  const host = await startHost({
    claude: place.claude,
    env: { ...env, CLAUDE_CODE_OAUTH_TOKEN: token },
  });
  return { host, api: place.api };
}

/** A time in whole seconds since 1970, as the API sends it. */
const inSeconds = (seconds: number) => Math.ceil(Date.now() / 1000) + seconds;

/** Sends a message whose turn the limit refuses. */
async function refusedTurn(session: TestHostSession, text: string): Promise<void> {
  const events = await session.events();
  const { body } = await session.message(text);
  const { data } = await events.next(
    ({ type, data: end }) =>
      type === "turn_complete" && Object(end["message_ids"]).includes(body["message_id"]),
  );
  expect(data).toMatchObject({ is_error: true, api_error_status: 429 });
  events.close();
}

const isGoodEnd = ({ type, data }: SentEvent) =>
  type === "turn_complete" && data["result"] === "success";

inOnePlace(["2.1.197", "2.1.330"], subscribedHost, (test) => {
  test("a message that the usage limit refuses is sent again after the reset, and Claude answers it", async ({
    host,
    api,
  }) => {
    const session = await host.createSession();
    await session.run("update", { goes_on: true });
    const resetsAt = inSeconds(4);
    api.script(limitReached(resetsAt), withinLimit("Here it is.", resetsAt + 18_000));
    const attachments = [{ filename: "a.txt", content: "attached", media_type: "text/plain" }];
    const events = await session.events();
    await session.message("Do it", { attachments });
    await events.next(
      ({ type, data }) => type === "session_changed" && data["goes_on_at"] !== undefined,
    );
    const { body } = await session.run("session");
    expect(body["limit_resets_at"]).toBe(resetsAt * 1000);
    await events.next(isGoodEnd);
    const asked = api.requests.findLast(({ kind }) => kind === "main");
    expect(asked?.receivedAtMs).toBeWithin(resetsAt * 1000, resetsAt * 1000 + 5_000);
    const sent = conversationSent(api);
    expect(sent.at(-2)).toBe("user: Do it");
    expect(sent.at(-1)).toContain("attached");
    expect((await session.run("session")).body).not.toHaveProperty("limit_resets_at");
    events.close();
    await session.run("delete");
  });

  test("a turn that is refused after a tool is told to continue, and the host that was killed meanwhile does so", async ({
    host,
    api,
  }) => {
    const session = await host.createSession();
    const resetsAt = inSeconds(9);
    api.script(
      callTool("Read", { file_path: `${session.dir}/none` }),
      limitReached(resetsAt),
      withinLimit("Done.", resetsAt + 18_000),
    );
    await refusedTurn(session, "Read it");
    await session.run("update", { goes_on: true });
    await host.restart();
    const events = await session.events();
    await events.next(isGoodEnd);
    expect(conversationSent(api).at(-1)).toBe("user: continue");
    const asked = api.requests.findLast(({ kind }) => kind === "main");
    expect(asked?.receivedAtMs).toBeWithin(resetsAt * 1000, resetsAt * 1000 + 60_000);
    events.close();
    await session.run("delete");
  });

  test("a second refusal, for which Claude reports no limit, has the limit that Claude reported before", async ({
    host,
    api,
  }) => {
    const session = await host.createSession();
    const resetsAt = inSeconds(3_600);
    api.script(limitReached(resetsAt), limitReached(resetsAt));
    await refusedTurn(session, "one");
    await refusedTurn(session, "two");
    const { body } = await session.run("session");
    expect(body).toMatchObject({ limit_resets_at: resetsAt * 1000 });
    expect(body).not.toHaveProperty("goes_on_at");
    const events = await session.events();
    await events.next("session_changed");
    expect(events.events.filter(({ type }) => type === "rate_limit")).toHaveLength(1);
    events.close();
    await session.run("delete");
  });
});
