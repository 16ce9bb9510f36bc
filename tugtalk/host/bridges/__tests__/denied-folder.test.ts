/** Claude's rules about the folder of the host's data. */
import { expect, test } from "bun:test";
import type { ProtocolInit } from "../../../src/messages/protocol-init.ts";
import type { Bridge } from "../bridge.ts";
import { denyFolder, denyRules } from "../denied-folder.ts";

const INIT: ProtocolInit = { type: "protocol_init", version: 2, dir: "/work" };
const RULES = ["Read(//data/**)", "Edit(//data/**)"];

/** Sends messages to a bridge of this place, and gives the requests that reach it. */
async function asked(place: string, ...messages: Parameters<Bridge["request"]>[0][]) {
  const heard: unknown[] = [];
  const bridge = {
    request: (message: object) => {
      heard.push(message);
      return new Promise<never>(() => {});
    },
  };
  const start = denyFolder(async () => bridge as never, "/data");
  const { request } = await start(place);
  for (const message of messages) void request(message);
  return heard;
}

test("a Claude of this machine is started with rules against its reading and changing the folder", async () => {
  expect(await asked("local", INIT)).toEqual([{ ...INIT, options: { disallowed_tools: RULES } }]);
});

test("the rules of a client stay in force, and its settings stay as they are", async () => {
  const options = { disallowed_tools: ["WebFetch"], settings: "/own.json" };
  expect(await asked("local", { ...INIT, options })).toEqual([
    { ...INIT, options: { settings: "/own.json", disallowed_tools: ["WebFetch", ...RULES] } },
  ]);
});

test("other messages, and those to other places, are passed on unchanged", async () => {
  const list = { type: "session_list", dir: "/work" } as const;
  expect(await asked("local", list)).toEqual([list]);
  for (const place of ["box", "simulator"]) expect(await asked(place, INIT)).toEqual([INIT]);
});

test.each([
  ["/home/me/my data", "//home/me/my data/**"],
  ["/données/été", "//données/été/**"],
  ["/a(b)[c]*?!{d},e\\f", "//a?b??c?????d??e?f/**"],
])("in a rule, each special character of %s becomes a wildcard", (folder, pattern) => {
  expect(denyRules(folder)).toEqual([`Read(${pattern})`, `Edit(${pattern})`]);
});
