import { expect, test } from "bun:test";
import { DEFAULT_PORT, type HostFlags, parseHostFlags, USAGE } from "../host-flags.ts";

function parse(words: string, env: Readonly<Record<string, string>> = {}) {
  return parseHostFlags(words.split(" ").filter(Boolean), env, "/current");
}

function flagsOf(words: string, env?: Readonly<Record<string, string>>) {
  const parsed = parse(words, env);
  if (!("flags" in parsed)) throw new Error(JSON.stringify(parsed));
  return parsed.flags;
}

function problemOf(words: string): string {
  const parsed = parse(words);
  return "problem" in parsed ? parsed.problem : "none";
}

test("without flags the host works in the current folder, on loopback, with the usual port and state folder", () => {
  expect(flagsOf("", { XDG_STATE_HOME: "/state" })).toEqual({
    port: undefined,
    dir: "/current",
    data: "/state/tugtalk/host",
    hasDefaultData: true,
    claude: undefined,
    listen: undefined,
    allowedHosts: [],
    publicUrls: [],
    places: undefined,
    isIsolated: false,
    hasOwnName: true,
    isJson: false,
    database: undefined,
  });
  expect(flagsOf("", { XDG_STATE_HOME: "relative" }).data).toEndWith("/.local/state/tugtalk/host");
  expect(USAGE).toContain(String(DEFAULT_PORT));
});

test.each<[words: string, flags: Partial<HostFlags>]>([
  ["--data /state/tugtalk", { hasDefaultData: false }],
  ["--data /state/tugtalk/../tugtalk/host", { hasDefaultData: true }],
  ["--dir a --data ../b --places=/c.json", { dir: "/current/a", data: "/b", places: "/c.json" }],
  ["--claude my-claude", { claude: "my-claude" }],
  ["--isolate", { isIsolated: true }],
  ["--own-name", { hasOwnName: true }],
  ["--no-own-name", { hasOwnName: false }],
  ["--port 0", { port: 0 }],
  ["--port=65535", { port: 65_535 }],
  ["--listen 127.0.0.2", { listen: "127.0.0.2" }],
  ["--listen ::1", { listen: "::1" }],
  [
    "--listen fd00::1 --allow-host box.example --allow-host [fd00::1]",
    { listen: "fd00::1", allowedHosts: ["box.example", "[fd00::1]"] },
  ],
  [
    "--public-url https://box.example --public-url=https://b.example:8443",
    {
      publicUrls: [
        { name: "box.example", port: 443 },
        { name: "b.example", port: 8443 },
      ],
    },
  ],
])("%s is read", (words, flags) => {
  expect(flagsOf(words, { XDG_STATE_HOME: "/state" })).toMatchObject(flags);
});

test.each([
  ...["65536", "-1", "1.5", "x", "080808"].map((port) => [`--port=${port}`, "--port: "]),
  ...["0.0.0.0", "192.168.1.5", "::", "fd00::1"].map((address) => [
    `--listen ${address}`,
    "--listen: needs --allow-host",
  ]),
  ["--listen box.example --allow-host box.example", "--listen: "],
  ...["box:80", "*", "http://box", ""].map((name) => [`--allow-host=${name}`, "--allow-host"]),
  ["--public-url https://box.example --public-url=http://c.example", "--public-url: expected "],
  ["--own-name --no-own-name", "--no-own-name: contradicts --own-name"],
  ...["a/b", "a,b", ""].map((name) => [`--machine=${name}`, "--machine"]),
  ["--lease=0", "--lease: "],
  ["--idle-exit=1.5", "--idle-exit: "],
  ["--dirs /x", "Unknown option '--dirs'"],
  ["somewhere", "unknown word: somewhere"],
])("%s is refused: %s", (words = "", problem = "") => {
  expect(problemOf(words)).toStartWith(problem);
});

test("the URL of a database comes from its variable or from a file, not from both, and never from a flag", () => {
  const env = { TUGTALK_DATABASE: "postgres://db.example/tugtalk" };
  expect(flagsOf("--machine=desk --lease=9 --idle-exit=8", env).database).toEqual({
    source: { url: "postgres://db.example/tugtalk" },
    machine: "desk",
    leaseSeconds: 9,
    idleExitSeconds: 8,
  });
  expect(flagsOf("--database-file url.txt").database).toMatchObject({
    source: { file: "/current/url.txt" },
    leaseSeconds: 30,
    idleExitSeconds: 60,
  });
  expect(parse("--database-file url.txt", env)).toEqual({
    problem: "--database-file: contradicts the variable TUGTALK_DATABASE",
  });
  expect(problemOf("--database=postgres://db.example")).toContain("Unknown option");
});

test("every flag of the usage text is known", () => {
  const named = new Set(USAGE.match(/(?<=^ {2}--)[a-z-]+/gm));
  expect(named.size).toBe(17);
  for (const name of named) {
    const words = [`--${name}`, `--${name}=127.0.0.1`].map(problemOf);
    expect({ name, isKnown: words.some((problem) => !problem.includes("Unknown option")) }).toEqual(
      {
        name,
        isKnown: true,
      },
    );
  }
});
