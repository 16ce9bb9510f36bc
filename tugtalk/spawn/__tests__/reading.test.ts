/** The reading of the output: a program prints more than its host takes. */
import { afterEach, expect, test } from "bun:test";
import { spawnTugtalk, type Tugtalk } from "../spawn.ts";

/**
 * Prints messages of 64 Ki characters, then answers each line of input. Reports on stderr when nobody has
 * read for half a second.
 */
const FLOOD = `
  const count = Number(process.argv[1]);
  const text = "x".repeat(65536);
  let printed = 0;
  let timer;
  function print() {
    while (printed < count) {
      printed += 1;
      if (process.stdout.write(JSON.stringify({ type: "flood", printed, text }) + "\\n")) continue;
      timer = setTimeout(() => console.error("blocked " + printed), 500);
      process.stdout.once("drain", () => { clearTimeout(timer); print(); });
      return;
    }
    process.stdin.on("data", (data) => {
      for (const line of String(data).trim().split("\\n")) {
        const answer = { type: "session_list_result", in_reply_to: JSON.parse(line).id };
        process.stdout.write(JSON.stringify(answer) + "\\n");
      }
    });
  }
  print();
`;

/** 32 Mi characters. */
const COUNT = 512;

let tugtalk: Tugtalk | undefined;
afterEach(() => tugtalk?.kill("SIGKILL"));

async function flood(stderr: (line: string) => void = () => undefined): Promise<Tugtalk> {
  const command = [process.execPath, "-e", FLOOD, String(COUNT)];
  tugtalk = await spawnTugtalk({ command, stderr });
  return tugtalk;
}

test("a host that reads nothing stops the program, and gets all its messages when it reads", async () => {
  const blocked = Promise.withResolvers<string>();
  const started = await flood(blocked.resolve);
  const printed = Number((await blocked.promise).replace("blocked ", ""));
  expect(printed).toBeLessThan(COUNT / 2);
  const seen: unknown[] = [];
  for await (const message of started.messages)
    if (seen.push((message as { printed?: number }).printed) === COUNT) break;
  expect(seen).toEqual(seen.map((_, index) => index + 1));
});

test("a request resolves although nobody reads the messages before its answer", async () => {
  const started = await flood();
  const answer = await started.request({ type: "session_list" });
  expect(answer.type).toBe("session_list_result");
  const messages = started.messages[Symbol.asyncIterator]();
  expect((await messages.next()).value).toMatchObject({ printed: 1 });
});

test("a program that prints on ends after close although nobody reads its messages", async () => {
  const started = await flood();
  expect(await started.close()).toEqual({ code: 0, signal: null });
});

test("the read position after a loop over many messages is right, also for two loops at once", async () => {
  const started = await flood();
  const seen = new Set<unknown>();
  const loop = async () => {
    for await (const message of started.messages) {
      seen.add((message as { printed?: number }).printed);
      if (seen.size >= COUNT) void started.close();
    }
  };
  await Promise.all([loop(), loop()]);
  expect(seen.size).toBe(COUNT);
});
