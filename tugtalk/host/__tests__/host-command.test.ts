/** `tugtalk host` as a command: its output, its files, and its ends. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { claudeThat } from "../../testing/drivers/claudes.ts";
import { endHosts, startHost, type TestHost } from "../../testing/drivers/host-process.ts";
import { descendantsOf, leftAfter } from "../../testing/drivers/processes.ts";
import { ASKING } from "../../testing/drivers/written-conversation.ts";
import { DEFAULT_PORT } from "../host-flags.ts";
import { type HostCommandRun, HostHome } from "./support/host-command.ts";

const home = new HostHome();
const DATA = join(home.stateDir, "tugtalk/host");
let run: HostCommandRun;
let printed = "";

beforeAll(async () => {
  // Independent of the programs of this machine.
  run = home.run("--port=0", "--claude=no-such-claude");
  printed = await run.lines(/simulator/);
});
afterAll(async () => {
  await home.end();
  await endHosts();
});

function linkIn(text: string): URL {
  const [link = ""] = text.match(/http:\S+/) ?? [];
  return new URL(link);
}

function tokenOf(data: string): string {
  return readFileSync(join(data, "token"), "utf8").trim();
}

test("it prints a line with the link, one with the file of the token, and that no Claude was found", () => {
  const lines = printed.trimEnd().split("\n");
  expect(lines[0]).toMatch(
    /^tugtalk host: open http:\/\/tugtalk-[\da-f]{32}\.localhost:\d+\/\?code=[\w.-]+$/,
  );
  expect(lines.slice(1)).toEqual([
    `Token for scripts: ${join(DATA, "token")}`,
    "No claude was found: new sessions play the simulator. Install Claude Code, or name it with --claude",
  ]);
});

test("without a Claude new sessions play the simulator", async () => {
  const authorization = `Bearer ${tokenOf(DATA)}`;
  const { origin } = linkIn(printed);
  const created = await fetch(`${origin}/api/sessions`, {
    method: "POST",
    headers: { authorization },
  });
  const session: unknown = await created.json();
  expect({ status: created.status, session }).toMatchObject({
    status: 201,
    session: { place: "simulator", dir: home.project },
  });
});

test("its folder and its files can be read by their owner only", () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(modeOf(DATA)).toBe("700");
  const names = readdirSync(DATA);
  expect(names).toEqual(expect.arrayContaining(["host.json", "journal.sqlite", "token"]));
  for (const name of names)
    expect({ name, mode: modeOf(join(DATA, name)) }).toEqual({ name, mode: "600" });
});

test("it serves over IPv4 and IPv6 on one port", async () => {
  const { port } = linkIn(printed);
  for (const address of ["127.0.0.1", "[::1]", "localhost"])
    expect((await fetch(`http://${address}:${port}/api/health`)).status).toBe(401);
});

test("tugtalk host url prints a link of the running host for another browser", async () => {
  const { exitCode, output } = await home.run("url").ended;
  expect(exitCode).toBe(0);
  const link = linkIn(output);
  expect(link.origin).toBe(linkIn(printed).origin);
  expect(link.href).not.toBe(linkIn(printed).href);
  const signedIn = await fetch(link, { redirect: "manual" });
  expect(signedIn.status).toBe(303);
  expect((await fetch(link, { redirect: "manual" })).status).toBe(401);
});

test("a second host with the same data folder is refused, and the other one named", async () => {
  const { exitCode, errors } = await home.run("--port", "0").ended;
  expect(exitCode).toBe(1);
  expect(errors).toBe(
    `tugtalk host: the host at ${linkIn(printed).origin} (pid ${run.pid}) has the data folder ${DATA}; stop it, or name another folder with --data\n`,
  );
});

test("where the usual port is in use and none is named, it takes a free one", async () => {
  const blocker = createServer();
  const isHeld = Promise.withResolvers<void>();
  // The port is in use, by this process or by another one.
  blocker.on("error", () => isHeld.resolve());
  blocker.listen(DEFAULT_PORT, "127.0.0.1", () => isHeld.resolve());
  await isHeld.promise;
  await home.during("moved", [], async ({ url, port }) => {
    expect(port).not.toBe(DEFAULT_PORT);
    expect((await fetch(url, { redirect: "manual" })).status).toBe(303);
  });
  blocker.close();
});

test("a port that another host serves is refused, on every address", async () => {
  const port = linkIn(printed).port;
  const data = `--data=${join(home.root, "second")}`;
  for (const words of [[], ["--listen=0.0.0.0", "--allow-host=box.example"]]) {
    const second = home.run(`--port=${port}`, data, ...words);
    const { exitCode, output, errors } = await second.ended;
    expect({ words, exitCode, output, errors }).toEqual({
      words,
      exitCode: 1,
      output: "",
      errors: `tugtalk host: port ${port} is in use; --port names another one, 0 takes a free one\n`,
    });
  }
});

test("its port is its own on both addresses of loopback, also beside a program that would share it", () => {
  const { port } = linkIn(printed);
  for (const hostname of ["127.0.0.1", "::1"]) {
    const share = () => Bun.serve({ hostname, port, reusePort: true, fetch: () => new Response() });
    expect(share).toThrow(expect.objectContaining({ code: "EADDRINUSE" }));
  }
});

test("a port, a folder or a file of places that cannot be used is reported in one line", async () => {
  const blocker = createServer();
  // On IPv6 alone: if `localhost` means ::1, it would lead a browser to the other program.
  await new Promise<void>((resolve) => blocker.listen(0, "::1", resolve));
  const address = blocker.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const other = join(home.root, "other");
  for (const [flag, problem] of [
    [`--port=${port}`, `port ${port} is in use; --port names another one, 0 takes a free one`],
    ["--dir=/no/such/folder", "no such folder, or it may not be read: /no/such/folder"],
    ["--places=/no/such/file", "/no/such/file: cannot be read"],
  ] as const) {
    const { exitCode, errors } = await home.run(`--data=${other}`, flag).ended;
    expect({ exitCode, errors }).toEqual({ exitCode: 1, errors: `tugtalk host: ${problem}\n` });
  }
  blocker.close();
});

test("a token that others may read is closed to them at the next start, and stays the same", async () => {
  const data = join(home.root, "kept");
  mkdirSync(data);
  const token = "k".repeat(43);
  writeFileSync(join(data, "token"), token);
  chmodSync(join(data, "token"), 0o644);
  await home.during("kept", ["--port=0"], async ({ url }) => {
    expect(statSync(join(data, "token")).mode & 0o777).toBe(0o600);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(new URL("/api/health", url), { headers })).status).toBe(200);
  });
});

test("an address that --listen names is served by the name that --allow-host gives", async () => {
  const words = ["--port=0", "--listen=127.0.0.2", "--allow-host=box.example"];
  await home.during("open", words, async ({ url, port }) => {
    expect(url.host).toBe(`box.example:${port}`);
    const statusFor = async (host: string) =>
      (await fetch(`http://127.0.0.2:${port}/`, { headers: { host } })).status;
    expect(await statusFor(`box.example:${port}`)).toBe(401);
    expect(await statusFor(`127.0.0.2:${port}`)).toBe(403);
  });
});

test("the token is in no environment and on no command line, its own included", () => {
  const token = tokenOf(DATA);
  const processes = [run.pid, ...descendantsOf(run.pid)];
  expect(processes.length).toBeGreaterThan(2);
  for (const pid of processes)
    for (const file of ["environ", "cmdline"])
      expect(readFileSync(`/proc/${pid}/${file}`, "utf8")).not.toContain(token);
});

test("Ctrl-C ends it with exit code 0, and its files are left for the next start", async () => {
  const children = descendantsOf(run.pid);
  expect(children.length).toBeGreaterThan(0);
  const asked = performance.now();
  run.kill("SIGINT");
  const { exitCode, output, errors } = await run.ended;
  // Without running sessions the host ends at once; its limit of 10 s is for those.
  expect(performance.now() - asked).toBeLessThan(5_000);
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: "" });
  expect(output).not.toContain(tokenOf(DATA));
  expect(await leftAfter(children, 5_000)).toEqual([]);
  expect(readdirSync(DATA)).not.toContain("host.json");
  expect(await home.run("url").ended).toEqual({
    exitCode: 1,
    output: "",
    errors: `no host runs with the data folder ${DATA}; --data names another one\n`,
  });
});

test("SIGTERM and SIGHUP in the middle of a turn end it and every child with exit code 0", async () => {
  for (const signal of ["SIGTERM", "SIGHUP"] as const) {
    const host = await startHost();
    await openTurn(host);
    const children = descendantsOf(host.pid);
    expect(children.length).toBeGreaterThan(1);
    expect({ signal, exitCode: await host.stop(signal) }).toEqual({ signal, exitCode: 0 });
    expect(await leftAfter(children, 5_000)).toEqual([]);
  }
});

test("a second Ctrl-C ends it at once, and the processes that it has started end without it", async () => {
  const host = await startHost({ claude: claudeThat("ignores-everything") });
  await host.createSession({ options: { shutdown_grace_ms: 1_500 } });
  const children = descendantsOf(host.pid);
  let exitCode: number | undefined;
  const ended = host.stop("SIGINT").then((code) => {
    exitCode = code;
  });
  // The first signals count as one: npm passes the Ctrl-C of a terminal on to a child that has it already.
  const pressing = setInterval(() => void host.stop("SIGINT"), 50);
  await ended;
  clearInterval(pressing);
  expect(exitCode).toBe(130);
  expect(await leftAfter(children, 15_000)).toEqual([]);
});

/** A turn of a Claude that asks and waits. */
async function openTurn(host: TestHost): Promise<void> {
  const session = await host.createSession({ conversation: ASKING });
  const events = await session.events();
  await session.message("hello");
  await events.next("control_request_forward");
  events.close();
}
