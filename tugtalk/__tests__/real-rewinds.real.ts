/** A host goes back to before a message, with every measured version of the CLI: files, conversation, both. */
import { expect } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import type { ScriptEntry } from "../simulator/reply-script.ts";
import type { Fields } from "../src/base/json.ts";
import { TestHostSession } from "../testing/drivers/host-process.ts";
import { callTool, holdWhole } from "../testing/real/real-replies.ts";
import { conversationSent } from "../testing/real/real-requests.ts";
import { hostIn, inOnePlace, type RealHost } from "../testing/real/real-tests.ts";

/** A session that has written three files, and the requests to its Claude. */
async function opened({ host, api }: RealHost) {
  const options = { allowed_tools: ["Write", "Bash"] };
  const session = await host.createSession({ permission_mode: "acceptEdits", options });
  const ids: Record<string, string> = {};
  const exchange = async (text: string, ...script: readonly ScriptEntry[]) => {
    api.script(...script);
    const { data } = await session.finishTurn(text);
    ids[text] = String(Object(data["message_ids"])[0]);
    return conversationSent(api).filter((line) => /^(user|assistant): /.test(line));
  };
  const path = join(session.dir, "poem.txt");
  const write = (content: string) =>
    exchange(`write ${content}`, callTool("Write", { file_path: path, content }), "Written.");
  await exchange("hello", "Hello.");
  await write("one\ntwo\n");
  await exchange("by command", callTool("Bash", { command: "echo x > other.txt" }), "Done.");
  await write("three\n");
  const rewind = async (text: string, fields: Fields) =>
    session.run("rewind", { message_id: ids[text], ...fields });
  return { session, exchange, write, rewind, path, poem: () => readOr(path) };
}

function readOr(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

const BEGUN = ["user: hello", "assistant: Hello."];
const FIRST = [...BEGUN, "user: write one\ntwo", "assistant: Written."];

/** The events of the journal about it. */
async function rewoundIn(session: TestHostSession): Promise<Fields[]> {
  const { body } = await session.run("snapshot");
  const { entries, openEntries } = Object(body["state"]);
  return [...entries, ...openEntries]
    .flatMap(({ items }) => items)
    .flatMap(({ notice }) => (notice?.kind === "rewind" ? [notice] : []));
}

inOnePlace(MEASURED_VERSIONS, hostIn, (test, version) => {
  test("files and conversation are as they were before a message, also for a host that is killed after it", async (real) => {
    const { session, rewind, exchange, path, poem } = await opened(real);
    const dry = await rewind("by command", { dry_run: true });
    const files = { paths: [path], insertions: 2, deletions: 1 };
    expect(dry.body).toEqual({
      status: "ok",
      files: { ok: true, ...files },
      conversation: { ok: true },
    });
    expect(poem()).toBe("three\n");
    const done = await rewind("by command", { files: true, conversation: "here" });
    expect(done).toMatchObject({ status: 200, body: { status: "ok", files } });
    expect(poem()).toBe("one\ntwo\n");
    expect(existsSync(join(session.dir, "other.txt"))).toBe(true);
    expect(await rewoundIn(session)).toMatchObject([{ files, isForgotten: true }]);

    await real.host.kill();
    await real.host.start();
    expect(await rewoundIn(session)).toHaveLength(1);
    expect(await exchange("other", "Other.")).toEqual([...FIRST, "user: other"]);
    await session.run("delete", { keep: true });
    const after = await exchange("and?", "Yes.");
    expect(after).toEqual([...FIRST, "user: other", "assistant: Other.", "user: and?"]);
  });

  test("a session that has ended is gone back in, to before its first message, and its file is gone", async (real) => {
    const { session, rewind, exchange, poem } = await opened(real);
    await session.run("delete", { keep: true });
    const { body } = await rewind("hello", { files: true, conversation: "here" });
    expect(body).toMatchObject({ status: "ok" });
    expect(poem()).toBeUndefined();
    expect(await exchange("anew", "Anew.")).toEqual(["user: anew"]);
    expect((await rewind("write three\n", { conversation: "here" })).body).toMatchObject({
      code: "resume_failed",
    });
  });

  test("where Claude was killed, another one is started, which puts the files back and goes on from there", async (real) => {
    const { session, rewind, exchange, poem } = await opened(real);
    const events = await session.events();
    const { data } = await events.next("process_started");
    process.kill(Number(data["pid"]), "SIGKILL");
    await events.next("process_exit");
    events.close();
    const dry = await rewind("by command", { dry_run: true });
    expect(dry.body).toMatchObject({ files: { ok: true, insertions: 2, deletions: 1 } });
    const { body } = await rewind("by command", { files: true, conversation: "here" });
    expect(body).toMatchObject({ status: "ok" });
    expect(poem()).toBe("one\ntwo\n");
    expect(await exchange("other", "Other.")).toEqual([...FIRST, "user: other"]);
  });

  test("a copy of the conversation goes on from there, with the files, and the session keeps its own", async (real) => {
    const { session, rewind, exchange, poem } = await opened(real);
    const { body } = await rewind("by command", { files: true, conversation: "fork" });
    expect(poem()).toBe("one\ntwo\n");
    const { id } = Object(body["session"]);
    real.api.script("In a copy.");
    const copy = new TestHostSession(real.host, id, session.dir);
    await copy.finishTurn("in a copy");
    const texts = conversationSent(real.api).filter((line) => /^(user|assistant): /.test(line));
    expect(texts).toEqual([...FIRST, "user: in a copy"]);
    expect(await exchange("and here", "Here.")).toContain("user: write three");
  });

  test("a turn that was stopped before its answer leaves nothing of the forgotten turns behind", async (real) => {
    const { session, rewind, exchange } = await opened(real);
    await rewind("by command", { conversation: "here" });
    const events = await session.events();
    const { reply, release } = holdWhole("never read");
    real.api.script(reply);
    await session.message("stopped");
    while (!conversationSent(real.api).includes("user: stopped")) await Bun.sleep(10);
    expect((await rewind("hello", { files: true })).body).toMatchObject({ code: "at_work" });
    await session.run("interrupt");
    await events.next(({ type, data }) => type === "session_state" && data["state"] === "idle");
    release();
    events.close();
    await session.run("delete", { keep: true });
    const sent = await exchange("again", "Again.");
    expect(sent.slice(0, FIRST.length)).toEqual(FIRST);
    expect(sent.join()).not.toContain("three");
    expect(sent.at(-1)).toBe("user: again");
  });

  test("before a command Claude goes back where its version can, and is not tried where it cannot", async (real) => {
    const { exchange, rewind } = await opened(real);
    const said = await exchange("/review", "Reviewed.");
    await exchange("/context");
    for (const command of ["/context", "/review"]) {
      const { status, body } = await rewind(command, { conversation: "here" });
      if (command === "/review" ? version !== "2.1.38" : version === "2.1.330")
        expect([status, body]).toEqual([200, { status: "ok" }]);
      else
        expect([status, body]).toMatchObject([
          409,
          { code: "resume_failed", error: expect.stringContaining("to a command") },
        ]);
    }
    const after = await exchange("other", "Other.");
    const known = said.slice(0, said.indexOf("assistant: Written.", FIRST.length) + 1);
    const isKnown = version === "2.1.38";
    expect(after.slice(0, known.length)).toEqual(known);
    expect(after.some((line) => line.includes("Reviewed."))).toBe(isKnown);
  });

  test("before a summary Claude does not go back, nor is a file touched, but a file alone can be", async (real) => {
    const { exchange, rewind, poem } = await opened(real);
    await exchange("/compact", "A summary.");
    const refused = { status: 409, body: { code: "resume_failed" } };
    const both = { files: true, conversation: "here" };
    expect(await rewind("by command", both)).toMatchObject(refused);
    expect(poem()).toBe("three\n");
    expect((await rewind("by command", { files: true })).body).toMatchObject({ status: "ok" });
    expect(poem()).toBe("one\ntwo\n");
  });
});
