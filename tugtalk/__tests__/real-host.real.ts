/** Sessions of the reference host with real CLIs, over HTTP. The hosts of a version's tests are one. */
import { expect } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import type { Fields, SentEvent } from "../testing/drivers/host-clients.ts";
import type { TestHostSession } from "../testing/drivers/host-process.ts";
import { descendantsOf, leftAfter } from "../testing/drivers/processes.ts";
import { callTool, holdReply, startGate } from "../testing/real/real-replies.ts";
import { conversationSent } from "../testing/real/real-requests.ts";
import { hostIn, inOnePlace, type RealHost } from "../testing/real/real-tests.ts";

/** How long a bridge and its Claude may take to end after their host. */
const END_MS = 10_000;

/** How long a turn may take to begin that stops another one. */
const NOW_MS = 5_000;

/** Has a turn that succeeds with this reply. */
async function converse({ api }: RealHost, session: TestHostSession, text: string, reply: string) {
  api.script(reply);
  const events = await session.events();
  const { body } = await session.message(text);
  const { data } = await events.next(
    ({ type, data: end }) =>
      type === "turn_complete" && Object(end["message_ids"]).includes(body["message_id"]),
  );
  expect(data).toMatchObject({ result: "success", text: reply });
  events.close();
}

/** The texts of a snapshot's transcript. */
async function textsOf({ host }: RealHost, id: string): Promise<readonly unknown[]> {
  const { body } = await host.run("snapshot", { id });
  const { entries = [], openEntries = [] } = body["state"] as Record<string, readonly Fields[]>;
  return [...entries, ...openEntries].flatMap(({ items }) =>
    (items as readonly Fields[]).flatMap(({ text }) => (text === undefined ? [] : [text])),
  );
}

inOnePlace(["2.1.197", "2.1.330"], hostIn, (test, version) => {
  test("a host that is killed in a turn leaves no process, goes on with the same conversation, and says nothing twice", async (real) => {
    const { host, api } = real;
    const session = await host.createSession();
    await converse(real, session, "one", "First.");
    const { claude_session_id } = (await session.run("session")).body;
    const held = holdReply("half", " of it");
    api.script(held.reply);
    const events = await session.events();
    await session.message("two");
    await events.next(({ data }) => data["status"] === "partial" && data["text"] === "half");
    await session.message("three");
    const started = descendantsOf(host.pid);
    expect(started.length).toBeGreaterThanOrEqual(2);
    await host.kill();
    expect(await leftAfter(started, END_MS)).toEqual([]);
    await host.start();
    held.release();
    expect((await session.run("session")).body).toMatchObject({ state: "exited", queued: 1 });
    expect(await textsOf(real, session.id)).toEqual(["one", "First.", "two", "half"]);

    api.script("Third.", "Fourth.");
    const after = await session.events();
    expect((await session.message("four")).status).toBe(202);
    await after.next(({ type, data }) => type === "turn_complete" && data["text"] === "Fourth.");
    const { data } = after.events.findLast(({ type }) => type === "process_started") ?? {};
    expect(data?.["args"]).toContain(`--resume=${claude_session_id}`);
    const sent = conversationSent(api);
    expect(sent.slice(0, 2)).toEqual(["user: one", "assistant: First."]);
    expect(sent.filter((line) => line === "user: two").length).toBeLessThanOrEqual(1);
    const later = sent.filter((line) => /^user: (?:three|four)$/.test(line));
    expect(later).toEqual(["user: three", "user: four"]);
    await session.run("delete");
  });

  test("a message that comes while Claude ends by an archiving is answered by the next one", async (real) => {
    const { api, host } = real;
    const session = await host.createSession();
    const events = await session.events();
    const { data } = await events.next("process_started");
    await converse(real, session, "one", "First.");
    const { claude_session_id } = (await session.run("session")).body;
    // It cannot end before the message has come.
    process.kill(Number(data["pid"]), "SIGSTOP");
    const archiving = session.run("update", { archived: true });
    await events.next(({ data: changed }) => changed["archived_at"] !== undefined);
    api.script("Second.");
    expect((await session.message("two")).status).toBe(202);
    process.kill(Number(data["pid"]), "SIGCONT");
    expect((await archiving).status).toBe(200);
    const next = await events.next("process_started");
    expect(next.data["args"]).toContain(`--resume=${claude_session_id}`);
    await events.next(
      ({ type, data: end }) => type === "turn_complete" && end["text"] === "Second.",
    );
    const sent = ["user: one", "assistant: First.", "user: two"];
    expect(conversationSent(api).slice(-3)).toEqual(sent);
    await session.run("delete");
  });

  if (version !== "2.1.330") return;
  test("a conversation of Claude's own history is continued, and forked before a message, with its turns in front", async (real) => {
    const { host, api } = real;
    const first = await host.createSession();
    await converse(real, first, "red", "Red it is.");
    await converse(real, first, "blue", "Blue it is.");
    const resume = String((await first.run("session")).body["claude_session_id"]);
    await first.run("delete");
    const wanted = { dir: first.dir, trust: true, resume };
    expect((await host.run("create", wanted)).body["code"]).toBe("in_use");
    const { body } = await host.run("create", { ...wanted, force: true });
    const id = String(body["id"]);
    expect(await textsOf(real, id)).toEqual(["red", "Red it is.", "blue", "Blue it is."]);
    const { body: snapshot } = await host.run("snapshot", { id });
    const { entries } = snapshot["state"] as { readonly entries: readonly Fields[] };
    const [at_message] = (entries.at(-1)?.["messageIds"] ?? []) as readonly string[];
    const { body: fork } = await host.run("fork", { id, at_message });
    const forked = String(fork["id"]);
    expect(await textsOf(real, forked)).toEqual(["red", "Red it is."]);
    api.script("Green it is.");
    const events = await host.events(`/api/sessions/${forked}/events?after=0`);
    await host.run("message", { id: forked, message: "green" });
    await events.next("turn_complete");
    const sent = ["user: red", "assistant: Red it is.", "user: green"];
    expect(conversationSent(api).slice(-3)).toEqual(sent);
    events.close();
  });

  test("a Claude that resumes a conversation counts its budget from its own start, so that it gets the rest of the limit", async (real) => {
    const session = await real.host.createSession();
    const costAfter = async (text: string) => {
      await converse(real, session, text, `Answer to ${text}.`);
      return Number((await session.run("session")).body["cost_usd"]);
    };
    const first = await costAfter("one");
    expect(first).toBeGreaterThan(0);
    const limit_usd = 2.5 * first;
    await session.run("update", { limit_usd });
    // Claude is another process now. With the costs before it, it would be beyond its budget.
    await costAfter("two");
    real.api.script("Answer to three.");
    const events = await session.events();
    await session.message("three");
    await events.next(({ data }) => data["subtype"] === "error_max_budget_usd");
    events.close();
    expect((await session.run("session")).body["cost_usd"]).toBeGreaterThan(limit_usd);
    const refused = { status: 409, body: { code: "over_limit" } };
    expect(await session.message("four")).toMatchObject(refused);
    await session.run("update", { limit_usd: 4 * limit_usd });
    await costAfter("four");
    await session.run("delete");
  });
});

/** A new folder with these local settings. */
function folderWith({ host }: RealHost, allow: readonly string[]) {
  const dir = host.newFolder();
  const source = join(dir, ".claude", "settings.local.json");
  mkdirSync(join(dir, ".claude"));
  writeFileSync(source, JSON.stringify({ permissions: { allow } }));
  return { dir, source };
}

/** Has Claude run a command of 40 s in a turn of the session. `replies` are for the turns after it. */
async function startCommand({ host, api }: RealHost, id: string, ...replies: readonly string[]) {
  // The command only reports to the gate. It does not wait for the answer, which may never come.
  using gate = startGate();
  const code = `fetch('${gate.url}').catch(() => {}); await Bun.sleep(40_000)`;
  api.script(callTool("Bash", { command: `"${process.execPath}" -e "${code}"` }), ...replies);
  await host.run("message", { id, message: "work" });
  await gate.reached;
}

const idOf = ({ message_id }: Fields) => ({ message_id });

/** Has a turn in a new session there; nobody is asked. */
async function expectUnasked({ host }: RealHost, dir: string): Promise<void> {
  const { body } = await host.run("create", { dir, trust: true });
  const id = String(body["id"]);
  const events = await host.events(`/api/sessions/${id}/events?after=0`);
  await host.run("message", { id, message: "go" });
  await events.next("turn_complete");
  expect(events.events.map(({ type }) => type)).not.toContain("control_request_forward");
  events.close();
}

inOnePlace(MEASURED_VERSIONS, hostIn, (test, version) => {
  // The older ones ask all the same in a folder that no terminal has trusted.
  if (version === "2.1.330")
    test("a call that the local settings of a folder allow runs without a question, and the rule was listed before", async (real) => {
      const value = "Bash(touch granted.txt)";
      const { dir, source } = folderWith(real, [value]);
      const permissions = [{ setting: "allow", value, source }];
      const untrusted = { status: 409, body: { code: "untrusted_dir", permissions } };
      expect(await real.host.run("create", { dir })).toMatchObject(untrusted);
      real.api.script(callTool("Bash", { command: "touch granted.txt" }), "Made.");
      await expectUnasked(real, dir);
      expect(existsSync(join(dir, "granted.txt"))).toBe(true);
    });

  test("a message that is sent now stops a command of 40 s and is read next, a new one and one that waits", async (real) => {
    const { host, api } = real;
    const dir = host.newFolder();
    const options = { allowed_tools: ["Bash"] };
    const id = String((await host.run("create", { dir, trust: true, options })).body["id"]);
    const events = await host.events(`/api/sessions/${id}/events?after=0`);
    for (const name of ["new", "queued"]) {
      await startCommand(real, id, `Read ${name}.`, `Went on after ${name}.`);
      const waiting = await host.run("message", { id, message: `wait for ${name}` });
      const message = { id, message: name };
      const queued = name === "queued" && (await host.run("message", message)).body;
      const sentAt = performance.now();
      const { body } =
        queued === false
          ? await host.run("message", { ...message, delivery: "now" })
          : await host.run("send_queued", { id, ...idOf(queued), delivery: "now" });
      expect([waiting.body["status"], body["status"]]).toEqual(["queued", "sent"]);
      const isBegun = ({ type, data }: SentEvent) =>
        type === "turn_started" && Object(data["message_ids"]).includes(body["message_id"]);
      await events.next(isBegun);
      expect(performance.now() - sentAt).toBeLessThan(NOW_MS);
      await events.next(({ data }) => data["text"] === `Went on after ${name}.`);
    }
    const users = conversationSent(api).filter((line) => /^user: .*(?:new|queued)$/.test(line));
    const read = ["new", "wait for new", "queued", "wait for queued"];
    expect(users).toEqual(read.map((text) => `user: ${text}`));
    events.close();
  });

  test("the host's token is refused to every tool, whatever the folder allows", async (real) => {
    const { host, api } = real;
    const { dir } = folderWith(real, ["Read", "Write", "Bash"]);
    const file = join(host.dataDir, "token");
    const calls = [
      callTool("Read", { file_path: file }),
      callTool("Write", { file_path: `${file}-of-mine`, content: "x" }),
      callTool("Bash", { command: `cat ${file}` }),
      callTool("Bash", { command: `cp ${file} copied` }),
    ];
    api.script(...calls, "Refused.");
    await expectUnasked(real, dir);
    const results = conversationSent(api).filter((line) => line.startsWith("user has the result"));
    expect(results).toEqual(calls.map(() => expect.stringMatching(/denied/)));
    expect(JSON.stringify(api.requests)).not.toContain(host.token);
    expect(existsSync(join(dir, "copied"))).toBe(false);
  });
});
