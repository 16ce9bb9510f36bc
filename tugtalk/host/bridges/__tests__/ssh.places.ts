/**
 * Sessions on a machine behind a real `ssh`. A connection that is cut or frozen in any state is reported,
 * waited out and resumed, with all messages that had arrived.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HELD } from "../../../testing/drivers/bridge-states.ts";
import type { EventReader, SentEvent } from "../../../testing/drivers/host-clients.ts";
import {
  endHosts,
  startHost,
  type TestHost,
  type TestHostSession,
} from "../../../testing/drivers/host-process.ts";
import { descendantsOf, parentOf, signalIfRunning } from "../../../testing/drivers/processes.ts";
import { setEnvironment } from "../../../testing/drivers/recorded-claudes.ts";
import { ASKING } from "../../../testing/drivers/written-conversation.ts";
import { hadTwoClaudes, type SshServer, startSshServer } from "./support/ssh-server.ts";

/** A bridge that is silent for so long counts as lost: a dozen that start at once are slow. */
const IDLE_EXIT = 6;
/**
 * How often the host asks for a sign of life. It notices a frozen connection after one of them at the
 * earliest.
 */
const PING_MS = (IDLE_EXIT * 1000) / 3;
/**
 * The longest that a bridge may go on: its idle time, 5 s for unread output, two steps for Claude, and its
 * end.
 */
const GRACE_MS = 200;
const LINGER_MS = IDLE_EXIT * 1000 + 5000 + 2 * GRACE_MS + 2000;

/** The ways to lose a connection. Each gives the function that cleans up after it. */
const WAYS = {
  cut: (session, box) => signal(connectionOf(session.host, box), "SIGKILL"),
  frozen: (session, box) => signal(connectionOf(session.host, box), "SIGSTOP"),
  // The other side gets no end of input either, and has to end by itself.
  "frozen on the other side": ({ claudes }) => signal(serverOf(claudes[0]?.pid ?? 0), "SIGSTOP"),
} satisfies Record<string, (session: TestHostSession, box: string) => () => void>;
type Way = keyof typeof WAYS;
const WAY_NAMES = ["cut", "frozen", "frozen on the other side"] as const;

/** A state: the conversation and the event that lead to it, and its entries in the journal. */
type State = {
  readonly conversation?: readonly object[];
  readonly reached: (event: SentEvent) => boolean;
  /** A second message waits in the host. */
  readonly isQueued?: boolean;
};

const isPartial = ({ type, data }: SentEvent) =>
  type === "assistant_text" && data["status"] === "partial";

const STATES: Readonly<Record<string, State>> = {
  idle: { reached: ({ type }) => type === "turn_complete" },
  streaming: { conversation: HELD, reached: isPartial },
  "prompt open": {
    conversation: ASKING,
    reached: ({ type }) => type === "control_request_forward",
  },
  "message queued": { conversation: HELD, reached: isPartial, isQueued: true },
};

const CELLS = Object.keys(STATES).flatMap((state) =>
  WAY_NAMES.map((way) => ({ state, way, box: boxOf(state, way) })),
);

function boxOf(state: string, way: Way): string {
  return `box-${state}-${way}`.replaceAll(" ", "-");
}

const OTHERS = ["box", "box-killed", "box-closed"];

let ssh: SshServer;
let host: TestHost;

function placesOf(server: SshServer): object {
  const names = [...OTHERS, ...CELLS.map(({ box }) => box)];
  const boxes = names.map((name) => ({
    name,
    command: server.prefix(name),
    idle_exit: IDLE_EXIT,
  }));
  return {
    places: [
      ...boxes,
      { name: "nowhere", command: ["ssh", "-oBatchMode=yes", "-p1", "127.0.0.1"] },
    ],
  };
}

async function startPlaces(): Promise<TestHost> {
  const file = join(ssh.root, "places.json");
  writeFileSync(file, JSON.stringify(placesOf(ssh)));
  return startHost({ args: [`--places=${file}`] });
}

beforeAll(async () => {
  ssh = await startSshServer();
  host = await startPlaces();
}, 30_000);
const ends: (() => void)[] = [];
afterAll(async () => {
  for (const end of ends) end();
  await endHosts();
  await ssh.stop();
});

function create(on: TestHost, place: string, conversation?: readonly object[]) {
  const options = { shutdown_grace_ms: GRACE_MS };
  return on.createSession({ place, options, ...(conversation && { conversation }) });
}

/** The only `ssh` process of a place. */
function connectionOf({ pid }: TestHost, box: string): number {
  const found = descendantsOf(pid).filter((child) => wordsOf(child).includes(box));
  if (found.length !== 1) throw new Error(`${found.length} connections with ${box}`);
  return found[0] ?? 0;
}

/** The process of `sshd` that serves a process's connection. */
function serverOf(pid: number): number {
  for (let at = pid; at > 1; at = parentOf(at) ?? 0)
    if (wordsOf(at)[0]?.startsWith("sshd: ") === true) return at;
  throw new Error(`no sshd has started ${pid}`);
}

function signal(pid: number, name: NodeJS.Signals): () => void {
  process.kill(pid, name);
  return () => signalIfRunning(pid, "SIGKILL");
}

function wordsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch {
    // The process has ended meanwhile.
    return [];
  }
}

const disconnected = ({ type, data }: SentEvent) =>
  type === "session_changed" && data["state"] === "disconnected";

async function stateOf(session: TestHostSession): Promise<unknown> {
  return (await session.run("session")).body["state"];
}

/** The whole journal so far. */
function dataOf({ events }: EventReader, type: string) {
  return events.filter((event) => event.type === type).map(({ data }) => data);
}

test("a session works on the other machine, and its end there is confirmed", async () => {
  const session = await create(host, "box", ASKING);
  const events = await session.events();
  expect((await session.message("go")).status).toBe(200);
  const { data } = await events.next("control_request_forward");
  const answer = await session.run("approve", {
    request_id: data["request_id"],
    decision: "allow",
  });
  expect(answer.status).toBe(200);
  expect((await events.next("turn_complete")).data).toMatchObject({ result: "success" });
  expect(session.claudes).toHaveLength(1);
  const variables = new Map(session.claudes[0]?.variables);
  expect(variables.get("HOME")).toBe(join(ssh.root, "home"));
  expect([...variables.values()].some((value) => value.includes(host.token))).toBe(false);
  await session.run("delete", { keep: 1 });
  expect(dataOf(events, "process_exit")).toMatchObject([{ expected: true }]);
  expect(await stateOf(session)).toBe("exited");
  events.close();
});

test("a place that cannot be reached is reported with the output of its command, and no session is left", async () => {
  const before = (await host.run("sessions")).body["sessions"];
  const { status, body } = await host.run("create", { place: "nowhere", dir: "/", trust: true });
  expect({ status, code: body["code"] }).toEqual({ status: 503, code: "place_unreachable" });
  expect(body["error"]).toMatch(/^cannot reach nowhere: .*Connection refused/);
  expect((await host.run("sessions")).body["sessions"]).toEqual(before);
});

describe("a connection", () => {
  test.concurrent.each(CELLS)(
    "that is $way in the state $state is reported, waited out and resumed",
    async (cell) => {
      const { state, way, box } = cell;
      const { conversation, reached, isQueued } = STATES[state] as State;
      const session = await create(host, box, conversation);
      const events = await session.events();
      const sent = await session.message("go");
      expect(sent.status).toBe(200);
      await events.next(reached);
      if (isQueued === true) expect((await session.message("then")).status).toBe(202);
      const arrived = [...events.events];
      setEnvironment(session.dir, {});

      // Part of the time may be over when the test reads the event of the loss.
      const lostAfter = performance.now() + (way === "cut" ? 0 : PING_MS);
      ends.push(WAYS[way](session, box));
      const answer = state === "prompt open" ? await answered(session) : undefined;
      await events.next(disconnected);
      if (answer !== undefined) expect(answer).toBe(409);
      expectClosed(events, state, sent.body["message_id"]);
      if (isQueued !== true) expect((await session.message("then")).status).toBe(202);

      await events.next(({ type, data }) => type === "user_text" && data["text"] === "then");
      expect(performance.now() - lostAfter).toBeGreaterThan(LINGER_MS - 500);
      expect((await events.next("turn_complete")).data).toMatchObject({ result: "success" });
      await expectResumed(session, events);
      expect((await readAgain(session, arrived.length)).slice(1)).toEqual(arrived.slice(1));
      events.close();
    },
    60_000,
  );
});

/** The beginning of the journal for a client that opens the session later. */
async function readAgain(session: TestHostSession, count: number): Promise<readonly SentEvent[]> {
  const events = await session.events();
  await events.next(() => events.events.length >= count);
  events.close();
  return events.events.slice(0, count);
}

/** The status of a prompt's answer behind a lost connection. */
async function answered(session: TestHostSession): Promise<number> {
  const fields = { requestId: "prompt1", decision: "allow" };
  return (await session.run("approve", fields)).status;
}

/** No turn and no prompt is open after the loss of the connection. */
function expectClosed(events: EventReader, state: string, message_id: unknown): void {
  const receipts = dataOf(events, "message_status").filter(
    (data) => data["message_id"] === message_id,
  );
  const turns = dataOf(events, "turn_cancelled");
  if (state === "idle") {
    expect(receipts.at(-1)).toMatchObject({ status: "completed" });
    expect(turns).toEqual([]);
  } else {
    expect(receipts.at(-1)).toMatchObject({ status: "failed" });
    expect(turns).toMatchObject([{ reason: "exited" }]);
  }
  const cancelled = dataOf(events, "control_request_cancel");
  expect(cancelled).toMatchObject(state === "prompt open" ? [{ reason: "exited" }] : []);
}

async function expectResumed(session: TestHostSession, events: EventReader): Promise<void> {
  const { body } = await session.run("session");
  expect(body).toMatchObject({ state: "idle", queued: 0, pending: 0 });
  expect(session.claudes).toHaveLength(2);
  expect(session.claudes[1]?.args).toContain(`--resume=${body["claude_session_id"]}`);
  expect(hadTwoClaudes(session.dir)).toBe(false);
  expect(dataOf(events, "host_error")).toHaveLength(1);
  const said = session.claudeInput.filter(({ type }) => type === "user");
  expect(said).toHaveLength(2);
}

test("a host that is killed and started again waits for the bridge on the other machine too", async () => {
  const other = await startPlaces();
  const session = await create(other, "box-killed", HELD);
  const events = await session.events();
  await session.message("go");
  await events.next(isPartial);
  setEnvironment(session.dir, {});
  await other.restart();
  expect(await stateOf(session)).toBe("disconnected");
  const again = await session.events();
  expect((await session.message("then")).status).toBe(202);
  expect((await again.next("turn_complete")).data).toMatchObject({ result: "success" });
  expect(hadTwoClaudes(session.dir)).toBe(false);
  expect(session.claudes).toHaveLength(2);
  again.close();
}, 60_000);

test("a host that ends while a connection is frozen ends in its time, and the next one shows the session as disconnected", async () => {
  const other = await startPlaces();
  const session = await create(other, "box-closed");
  const events = await session.events();
  await session.message("go");
  await events.next("turn_complete");
  signal(connectionOf(other, "box-closed"), "SIGSTOP");
  const start = performance.now();
  expect(await other.stop()).toBe(0);
  expect(performance.now() - start).toBeLessThan(10_000);
  await other.start();
  expect(await stateOf(session)).toBe("disconnected");
}, 60_000);
