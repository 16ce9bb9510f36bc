/** The requests that are let in if several hosts share a database, over real sockets. */
import { afterAll, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { TestHost } from "../../../testing/drivers/host-process.ts";
import { connect } from "../../journal/postgres/connection.ts";
import { PostgresReader } from "../../journal/postgres/postgres-reader.ts";
import { linkTo } from "../../link.ts";
import { readHostRecord } from "../../server/data-folder.ts";
import { SharedDoor } from "../shared-door.ts";
import { SharedHosts } from "./support/shared-hosts.ts";

const PUBLIC = "box.example";
const args = [`--public-url=https://${PUBLIC}`];

const hosts = await SharedHosts.open();
const one = await hosts.start({ args });
const other = await hosts.start({ args });
afterAll(() => hosts.end());

function codeOf(host: TestHost): string {
  const record = readHostRecord(host.dataDir);
  if (record === undefined) throw new Error("the host does not run");
  return new URL(linkTo(record, Date.now())).search;
}

/** A browser's request at the public address, through a proxy that has chosen this host. */
function visit(host: TestHost, path: string, cookie = ""): Promise<Response> {
  const headers = { host: PUBLIC, cookie };
  return fetch(host.url + path, { headers, redirect: "manual" });
}

async function cookieAt(host: TestHost, code: string): Promise<string> {
  const { headers } = await visit(host, `/${code}`);
  return headers.get("set-cookie")?.split(";")[0] ?? "";
}

function statusWith(host: TestHost, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return fetch(`${host.url}/api/health`, { headers }).then(({ status }) => status);
}

test("every host has the token of the first one, in its own file, for its owner only", async () => {
  expect(other.dataDir).not.toBe(one.dataDir);
  expect(other.token).toBe(one.token);
  expect(statSync(join(other.dataDir, "token")).mode & 0o777).toBe(0o600);
  for (const host of [one, other]) expect(await statusWith(host, one.token)).toBe(200);
});

test("a link of one host is good at another one, and then at none", async () => {
  const code = codeOf(one);
  expect((await visit(other, `/${code}`)).status).toBe(303);
  for (const host of [other, one]) expect((await visit(host, `/${code}`)).status).toBe(401);
});

test("of many that follow a link at two hosts at once, one is let in", async () => {
  const code = codeOf(one);
  const visits = Array.from({ length: 10 }, (_, index) =>
    visit(index % 2 === 0 ? one : other, `/${code}`),
  );
  const statuses = (await Promise.all(visits)).map(({ status }) => status).sort();
  expect(statuses).toEqual([303, ...Array.from({ length: 9 }, () => 401)]);
});

test("a cookie that one host has set at the public address is good at another one", async () => {
  const cookie = await cookieAt(one, codeOf(one));
  expect(cookie).toStartWith("__Host-tugtalk_443=");
  for (const host of [one, other])
    expect((await visit(host, "/api/health", cookie)).status).toBe(200);
});

test("a page of the public address takes the proof of any host, and a proof for a port is valid for one host", async () => {
  const nonce = "n".repeat(43);
  const path = `/api/proof?nonce=${nonce}`;
  const proofs = [one, other].map(async (host) => (await visit(host, path)).text());
  const [first, second] = await Promise.all(proofs);
  expect(first).toContain("proof");
  expect(second).toBe(first);
  const own = await Promise.all([one, other].map((host) => fetch(host.url + path)));
  const [ofOne, ofOther] = await Promise.all(own.map((answer) => answer.text()));
  expect(ofOne).not.toBe(ofOther);
});

test("a key that is revoked at one host is void at every host, and open streams there end", async () => {
  const token = one.token;
  const cookie = await cookieAt(one, codeOf(one));
  const code = codeOf(one);
  const streams = await Promise.all([one.events("/api/events"), other.events("/api/events")]);
  expect(await one.run("revoke")).toMatchObject({ status: 200, body: { status: "ok" } });
  await Promise.all(streams.map((stream) => stream.ended));
  expect(one.token).not.toBe(token);
  expect(other.token).toBe(one.token);
  for (const host of [one, other]) {
    expect(await statusWith(host, token)).toBe(401);
    expect(await statusWith(host, one.token)).toBe(200);
    expect((await visit(host, "/api/health", cookie)).status).toBe(401);
    expect((await visit(host, `/${code}`)).status).toBe(401);
    expect((await visit(host, `/${codeOf(host)}`)).status).toBe(303);
  }
});

test("codes expire by the clock of the database, of which each host knows how far it is ahead", async () => {
  const sql = await connect(await hosts.server.newDatabase());
  const keys = { token: "t", codeKey: "k" };
  const door = new SharedDoor(new PostgresReader({ sql }), keys, () => {});
  await door.open();
  expect(Math.abs(door.aheadMs)).toBeLessThan(5_000);
  expect(await door.useCode("late", Date.now() - 5_000)).toBe(false);
  expect(await door.useCode("good", Date.now() + 60_000)).toBe(true);
  expect(await door.useCode("good", Date.now() + 60_000)).toBe(false);
  await sql.close();
});
