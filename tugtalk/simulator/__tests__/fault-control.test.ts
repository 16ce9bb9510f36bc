/** The stand-in with orders: each order has exactly its effect. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  type FaultControlServer,
  openFaultControl,
} from "../../testing/drivers/controlled-claude.ts";
import { failureOf } from "../../testing/drivers/failure.ts";
import { leftAfter } from "../../testing/drivers/processes.ts";
import { INTERRUPT } from "../../testing/drivers/written-conversation.ts";
import { controlLine, isResult, startClaude, userLine } from "./support/claude-driver.ts";

const INITIALIZE = controlLine("i", { subtype: "initialize" });

let control: FaultControlServer;
beforeEach(() => {
  control = openFaultControl();
});
afterEach(() => control.close());

async function start() {
  const claude = startClaude({ env: control.env });
  const orders = await control.first;
  expect([orders.pid, orders.parent]).toEqual([claude.pid, process.pid]);
  return { claude, orders };
}

test("a stand-in answers what it has read before it was told to listen", async () => {
  const { claude, orders } = await start();
  claude.send(INITIALIZE);
  await orders.hasHeard('"initialize"');
  expect(claude.texts).toEqual([]);
  await orders.apply({ order: "listen" });
  expect((await claude.waitFor(() => true))["type"]).toBe("control_response");
  claude.close();
  expect((await claude.ended()).code).toBe(0);
});

test("a stand-in that has stopped reading answers nothing and does not see the end of its input", async () => {
  const { claude, orders } = await start();
  await orders.apply({ order: "listen" }, { order: "stop_reading" });
  claude.send(INITIALIZE);
  claude.close();
  await orders.apply({ order: "say", lines: [{ type: "keep_alive" }] });
  expect((await claude.waitFor(() => true))["type"]).toBe("keep_alive");
  claude.kill("SIGTERM");
  expect((await claude.ended()).code).toBe(143);
  expect(claude.texts).toHaveLength(1);
});

test("a stand-in that hangs is ended by SIGTERM", async () => {
  const { claude, orders } = await start();
  await orders.apply({ order: "hang", isDeaf: false });
  claude.close();
  claude.kill("SIGTERM");
  expect((await claude.ended()).code).toBe(143);
});

test("a deaf stand-in is ended only by SIGKILL", async () => {
  const { claude, orders } = await start();
  await orders.apply({ order: "hang", isDeaf: true });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) claude.kill(signal);
  claude.close();
  claude.kill("SIGKILL");
  expect((await claude.ended()).code).toBe(137);
});

test("a stand-in that closes its stdout keeps running", async () => {
  const { claude, orders } = await start();
  await orders.apply({ order: "listen" }, { order: "close_stdout" });
  expect((await failureOf(claude.waitFor(() => true))).message).toContain("stdout ended");
  claude.send(INITIALIZE);
  await orders.hasHeard('"initialize"');
  claude.close();
  expect((await claude.ended()).code).toBe(0);
});

test("a stand-in writes bytes as they are", async () => {
  const { claude, orders } = await start();
  await orders.apply({ order: "write", base64: btoa("no JSON\nhalf a l") });
  await orders.apply({ order: "exit", code: 7 });
  expect((await claude.ended()).code).toBe(7);
  expect(claude.texts).toEqual(["no JSON", "half a l"]);
});

test("a flood is counted, and lets an interrupt in", async () => {
  const { claude, orders } = await start();
  await orders.apply({ order: "listen" }, { order: "flood", line: { type: "n", n: "$count" } });
  expect(await claude.waitFor(({ n }) => n === "2000")).toEqual({ type: "n", n: "2000" });
  claude.send(INTERRUPT);
  await claude.waitFor(({ type }) => type === "control_response");
  await orders.apply({ order: "stop_flood" });
  claude.close();
  expect((await claude.ended()).code).toBe(0);
  const counts = claude.lines().flatMap(({ n }) => (n === undefined ? [] : [Number(n)]));
  expect(counts).toEqual(counts.map((_, index) => index));
});

test("the lines of a flood that have been printed can be counted", async () => {
  const { claude, orders } = await start();
  expect(await orders.countFlood()).toBe(0);
  await orders.apply({ order: "listen" }, { order: "flood", line: { type: "n", n: "$count" } });
  await claude.waitFor(({ n }) => n === "2000");
  await orders.apply({ order: "stop_flood" });
  const count = await orders.countFlood();
  claude.close();
  expect((await claude.ended()).code).toBe(0);
  expect(claude.lines().filter(({ type }) => type === "n")).toHaveLength(count);
});

test("a stand-in that reads reports the end of its input", async () => {
  const { claude, orders } = await start();
  await orders.apply({ order: "listen" });
  claude.close();
  expect(await orders.hasHeardEnd).toBe(true);
  expect((await claude.ended()).code).toBe(0);
});

test("a stand-in that has stopped reading and is ended has not seen the end of its input", async () => {
  const { claude, orders } = await start();
  await orders.apply({ order: "stop_reading" });
  claude.close();
  claude.kill("SIGTERM");
  expect(await orders.hasHeardEnd).toBe(false);
  expect((await claude.ended()).code).toBe(143);
});

test("a tool ends with the turn that is interrupted", async () => {
  const { claude, orders } = await start();
  await orders.apply({ order: "listen" });
  const tool = await orders.runTool();
  expect(await leftAfter([tool], 0)).toEqual([tool]);
  claude.send(userLine("go"));
  await claude.waitFor(isResult);
  expect(await leftAfter([tool], 2000)).toEqual([]);
  claude.close();
  expect((await claude.ended()).code).toBe(0);
});

test("a tool outlives a stand-in that crashes", async () => {
  const { claude, orders } = await start();
  const tool = await orders.runTool();
  await orders.apply({ order: "die", signal: "SIGKILL" });
  expect((await claude.ended()).code).toBe(137);
  expect(await leftAfter([tool], 0)).toEqual([tool]);
  process.kill(tool, "SIGKILL");
});
