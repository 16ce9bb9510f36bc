/** The transports of `tugtalk/client` at a host that runs in this process, with a stand-in Claude. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
import { CHECKED_BRIDGE } from "../../testing/drivers/bridge-process.ts";
import { claudeHears, setEnvironment } from "../../testing/drivers/recorded-claudes.ts";
import { ASKING, writeConversation } from "../../testing/drivers/written-conversation.ts";
import { LOCAL } from "../bridges/places.ts";
import { openHost, type RunningHost } from "../running-host.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "host-")));
const outer = process.env["TUGTALK_BRIDGE"];
let host: RunningHost;

beforeAll(async () => {
  process.env["TUGTALK_BRIDGE"] = CHECKED_BRIDGE;
  mkdirSync(join(root, "project"));
  const flags = {
    port: 0,
    dir: join(root, "project"),
    data: join(root, "data"),
    hasDefaultData: false,
    claude: join(import.meta.dir, "../../testing/drivers/recording-claude.ts"),
    listen: undefined,
    allowedHosts: [],
    publicUrls: [],
    places: undefined,
    isIsolated: false,
    hasOwnName: false,
    isJson: true,
  };
  host = await openHost(flags, LOCAL);
});

afterAll(async () => {
  await host.close();
  if (outer === undefined) delete process.env["TUGTALK_BRIDGE"];
  else process.env["TUGTALK_BRIDGE"] = outer;
});

const clientName = "desk";

const WAYS: readonly [string, (address: HostAddress) => Transport][] = [
  ["web socket", openWebSocketTransport],
  ["http", openHttpTransport],
];

function address(): HostAddress {
  const token = readFileSync(host.tokenFile, "utf8").trim();
  return { url: `http://127.0.0.1:${host.port}`, token, clientName };
}

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

async function refusalOf(command: Promise<unknown>): Promise<CommandError> {
  try {
    await command;
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
  throw new Error("the command was not refused");
}

let folders = 0;

function newFolder(): string {
  folders += 1;
  const dir = join(root, `folder-${folders}`);
  mkdirSync(dir);
  setEnvironment(dir, writeConversation(ASKING));
  return dir;
}

describe.each([...WAYS])("%s", (_, open) => {
  test("a client creates a session, gives it a message, answers its prompt once and sees all of it", async () => {
    const transport = open(address());
    const [board, follower] = [new Follower(), new Follower()];
    transport.subscribe(ALL_SESSIONS, {}, board.take);
    const dir = newFolder();
    const { id } = await transport.command("create", { dir, trust: true });
    transport.subscribe(String(id), { after: 0 }, follower.take);
    const sent = await transport.command("message", { id, message: "go", client_msg_id: "c" });
    const again = await transport.command("message", { id, message: "go", client_msg_id: "c" });
    expect(again).toEqual(sent);

    const asked = { sessionId: id, stageId: id, requestId: "prompt1", toolUseId: "tool1" };
    expect(await follower.next("approval-requested")).toMatchObject(asked);
    expect(await board.next("approval-requested")).toMatchObject(asked);
    const { pending } = await transport.command("pending", { id });
    expect(pending).toMatchObject([{ type: "approval", ...asked, toolName: "Write" }]);

    const answer = { id, requestId: "prompt1", decision: "allow" };
    expect(await transport.command("approve", answer)).toEqual({ status: "ok" });
    await claudeHears(dir, ({ type }) => type === "control_response");
    const refusal = await refusalOf(transport.command("approve", answer));
    expect(refusal.status).toBe(409);
    expect(refusal.body).toMatchObject({
      code: "already_resolved",
      by: clientName,
      outcome: "allow",
    });
    const unknown = await refusalOf(transport.command("approve", { ...answer, requestId: "p" }));
    expect(unknown.status).toBe(404);

    await follower.next("turn_complete");
    await transport.command("delete", { id, keep: true });
    await follower.next("process_exit");
    const { cursor, state: kept } = await transport.command("snapshot", { id });
    await until(() => follower.frames.at(-1)?.q === Object(cursor).seq);
    expect(follower.state).toEqual(kept as ReducedSession);
    transport.close();
  });
});

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve));
}
