import { expect, test } from "bun:test";
import { DEFAULT_PORT, parseHostFlags, USAGE } from "../host-flags.ts";

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
  });
  expect(flagsOf("", { XDG_STATE_HOME: "relative" }).data).toEndWith("/.local/state/tugtalk/host");
  expect(USAGE).toContain(String(DEFAULT_PORT));
});

test("a data folder that is named is the default one only where it is the same", () => {
  const isDefault = (words: string) => flagsOf(words, { XDG_STATE_HOME: "/state" }).hasDefaultData;
  expect(isDefault("--data /state/tugtalk")).toBe(false);
  expect(isDefault("--data /state/tugtalk/../tugtalk/host")).toBe(true);
});

test("paths are relative to the current folder", () => {
  const flags = flagsOf("--dir a --data ../b --places=/c.json");
  expect([flags.dir, flags.data, flags.places]).toEqual(["/current/a", "/b", "/c.json"]);
});

test("the command of Claude stays as it is, for the bridge to find", () => {
  expect(flagsOf("--claude my-claude").claude).toBe("my-claude");
});

test("sessions share a bridge unless they are to be isolated", () => {
  expect(["", "--isolate"].map((words) => flagsOf(words).isIsolated)).toEqual([false, true]);
});

test("a port is a number up to 65535", () => {
  expect([flagsOf("--port 0").port, flagsOf("--port=65535").port]).toEqual([0, 65_535]);
  for (const port of ["65536", "-1", "1.5", "x", "080808"])
    expect(problemOf(`--port=${port}`)).toStartWith("--port: ");
});

test("other addresses than loopback are listened on only with the names that are allowed", () => {
  for (const address of ["0.0.0.0", "192.168.1.5", "::", "fd00::1"]) {
    expect(problemOf(`--listen ${address}`)).toStartWith("--listen: needs --allow-host");
    const flags = flagsOf(`--listen ${address} --allow-host box.example --allow-host [fd00::1]`);
    expect(flags).toMatchObject({ listen: address, allowedHosts: ["box.example", "[fd00::1]"] });
  }
  expect([flagsOf("--listen 127.0.0.2").listen, flagsOf("--listen ::1").listen]).toEqual([
    "127.0.0.2",
    "::1",
  ]);
});

test("what is no address is not listened on, and what is no name is not allowed", () => {
  expect(problemOf("--listen box.example --allow-host box.example")).toStartWith("--listen: ");
  for (const name of ["box:80", "*", "http://box", ""])
    expect(problemOf(`--allow-host=${name}`)).toStartWith("--allow-host");
});

test("public addresses are taken in their order, and a bad one among them is refused", () => {
  const words = "--public-url https://box.example --public-url=https://b.example:8443";
  expect(flagsOf(words).publicUrls).toEqual([
    { name: "box.example", port: 443 },
    { name: "b.example", port: 8443 },
  ]);
  expect(problemOf(`${words} --public-url=http://c.example`)).toStartWith(
    "--public-url: expected ",
  );
});

test("links have a name of the host's own, unless that is turned off", () => {
  expect(["", "--own-name", "--no-own-name"].map((words) => flagsOf(words).hasOwnName)).toEqual([
    true,
    true,
    false,
  ]);
  expect(problemOf("--own-name --no-own-name")).toBe("--no-own-name: contradicts --own-name");
});

test("an unknown flag or word is refused", () => {
  expect(problemOf("--dirs /x")).toContain("--dirs");
  expect(problemOf("somewhere")).toContain("somewhere");
});

test("every flag of the usage text is known", () => {
  const named = new Set(USAGE.match(/(?<=^ {2}--)[a-z-]+/gm));
  expect(named.size).toBe(13);
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
