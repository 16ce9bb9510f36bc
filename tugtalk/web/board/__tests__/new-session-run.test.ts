/** How a session is created once, after the questions of the host. */
import { expect, test } from "bun:test";
import { CommandError } from "../../../client/transports/transport.ts";
import { NewSessionRun } from "../new-session-run.ts";
import { scriptedTransport } from "./support/scripted-transport.ts";

function opened() {
  const transport = scriptedTransport();
  const run = new NewSessionRun(transport, () => {});
  return { transport, run };
}

const LOST = new CommandError(0, { error: "lost", code: "disconnected" });

test("a repeated request has the same request_id, and other fields another one", async () => {
  const { transport, run } = opened();
  for (const dir of ["/one", "/one", "/two"]) {
    const created = run.create({ dir }, "");
    transport.commands.at(-1)?.refuse(LOST);
    await created;
    expect(run.asked.failure.value).toBe("lost");
  }
  const [first, second, third] = transport.commands.map(({ fields }) => fields["request_id"]);
  expect(first).toBe(second);
  expect(third).not.toBe(first);
});

test("a second click while the first one is answered gives no command", async () => {
  const { transport, run } = opened();
  const created = run.create({}, "");
  await run.create({}, "");
  expect(transport.commands).toHaveLength(1);
  transport.commands[0]?.refuse(LOST);
  await created;
  expect(run.asked.isBusy.value).toBe(false);
});

test("trust and force are given only after a person has agreed to the question, with the same request_id", async () => {
  const { transport, run } = opened();
  const created = run.create({ resume: "c1" }, "");
  const asked = {
    code: "untrusted_dir",
    error: "?",
    place: "local",
    dir: "/work",
    was_trusted: true,
    hooks: [],
  };
  transport.commands[0]?.refuse(new CommandError(409, asked));
  await created;
  expect(run.asked.question.value).toMatchObject({
    kind: "trust",
    dir: "/work",
    wasTrusted: true,
    config: { hooks: [] },
  });
  const trusted = run.asked.agree();
  transport.commands[1]?.refuse(new CommandError(409, { code: "in_use", error: "used" }));
  await trusted;
  expect(run.asked.question.value).toEqual({ kind: "in-use", reason: "used" });
  void run.asked.agree();
  expect(transport.commands.map(({ fields: { trust, force } }) => [trust, force])).toEqual([
    [undefined, undefined],
    [true, undefined],
    [true, true],
  ]);
  expect(new Set(transport.commands.map(({ fields }) => fields["request_id"])).size).toBe(1);
});

test("a folder of another machine, which nobody has looked into, has no findings", async () => {
  const { transport, run } = opened();
  const created = run.create({ place: "build" }, "");
  const asked = {
    code: "untrusted_dir",
    error: "?",
    place: "build",
    dir: "/work",
    was_trusted: false,
  };
  transport.commands[0]?.refuse(new CommandError(409, asked));
  await created;
  expect(run.asked.question.value).toEqual({
    kind: "trust",
    place: "build",
    dir: "/work",
    wasTrusted: false,
  });
});
