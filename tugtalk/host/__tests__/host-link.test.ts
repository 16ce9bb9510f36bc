/** The links that `tugtalk host` prints: their names, and the sign-in by them. */
import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HostHome, type ServingHost } from "./support/host-command.ts";

const home = new HostHome();

afterAll(() => home.end());

const during: typeof home.during = (folder, words, look) =>
  home.during(folder, ["--port=0", ...words], look);

const nameOf = async ({ url }: ServingHost) => url.hostname;

async function statusFor({ port }: ServingHost, host: string, cookie = ""): Promise<number> {
  const headers = { host, ...(cookie !== "" && { cookie }) };
  return (await fetch(`http://127.0.0.1:${port}/`, { headers })).status;
}

async function cookieOf({ url, port }: ServingHost): Promise<string> {
  const signIn = `http://127.0.0.1:${port}/${url.search}`;
  const options = { headers: { host: url.host }, redirect: "manual" } as const;
  const { headers } = await fetch(signIn, options);
  return headers.get("set-cookie")?.split(";")[0] ?? "";
}

test("a link has a name of the data folder's own, which cannot be guessed and stays", async () => {
  const first = await during("one", [], nameOf);
  expect(first).toMatch(/^tugtalk-[\da-f]{32}\.localhost$/);
  expect(await during("one", ["--own-name"], nameOf)).toBe(first);
  expect(await during("two", [], nameOf)).not.toBe(first);
  expect(await during("folder/one", [], nameOf)).not.toBe(first);
});

test("a file with another name than a host makes for itself is refused, and stays as it is", async () => {
  await during("changed", [], nameOf);
  const file = join(home.root, "changed", "name");
  for (const name of ["evil.example", "localhost", "", "tugtalk-1.localhost"]) {
    writeFileSync(file, name);
    const { exitCode, errors } = await home.run(`--data=${join(file, "..")}`, "--port=0").ended;
    expect({ exitCode, errors }).toEqual({
      exitCode: 1,
      errors: `tugtalk host: ${file} is no name that a host has made for itself: delete it to get a new one\n`,
    });
    expect(readFileSync(file, "utf8")).toBe(name);
  }
});

test("a cookie of its own name opens nothing by the names of loopback, which serve scripts", async () => {
  await during("bound", [], async (host) => {
    const cookie = await cookieOf(host);
    expect(await statusFor(host, host.url.host, cookie)).toBe(200);
    for (const name of ["127.0.0.1", "localhost", "[::1]"])
      expect(await statusFor(host, `${name}:${host.port}`, cookie)).toBe(401);
    const token = readFileSync(join(home.root, "bound", "token"), "utf8").trim();
    const headers = { authorization: `Bearer ${token}` };
    const health = await fetch(`http://127.0.0.1:${host.port}/api/health`, { headers });
    expect(health.status).toBe(200);
  });
});

test("with --no-own-name links have 127.0.0.1, browsers sign in there, and no other name is known", async () => {
  const name = await during("plain", [], nameOf);
  await during("plain", ["--no-own-name"], async (host) => {
    expect(host.url.hostname).toBe("127.0.0.1");
    expect(await statusFor(host, host.url.host, await cookieOf(host))).toBe(200);
    expect(await statusFor(host, `${name}:${host.port}`)).toBe(403);
  });
});

test("links have the first public address, whose cookie needs TLS, and the own name still signs in", async () => {
  const words = ["--public-url=https://box.example", "--public-url=https://b.example:8443"];
  const own = await during("public", [], nameOf);
  await during("public", words, async (host) => {
    expect(host.url.origin).toBe("https://box.example");
    const cookie = await cookieOf(host);
    expect(cookie).toStartWith("__Host-tugtalk_443=");
    expect(await statusFor(host, "box.example", cookie)).toBe(200);
    expect(await statusFor(host, "box.example:443", cookie)).toBe(200);
    expect(await statusFor(host, "b.example:8443", cookie)).toBe(401);
    expect(await statusFor(host, "b.example", cookie)).toBe(403);
    expect(await statusFor(host, `box.example:${host.port}`, cookie)).toBe(403);
    const url = (await home.run("url", `--data=${join(home.root, "public")}`).ended).output;
    expect(url).toStartWith("https://box.example/?code=");
    const ownSite = new URL(`http://${own}:${host.port}/${new URL(url).search}`);
    expect(await statusFor(host, ownSite.host, await cookieOf({ ...host, url: ownSite }))).toBe(
      200,
    );
  });
});

test("a bad public address is refused with words and the exit code 2", async () => {
  const { exitCode, errors } = await home.run("--public-url=https://box.example/path").ended;
  expect(exitCode).toBe(2);
  expect(errors).toContain(
    "--public-url: expected https://name or https://name:port, with no user and no path",
  );
});

test("tugtalk host revoke makes token, cookie and links void, and prints a link that works", async () => {
  await during("revoked", [], async (host) => {
    const cookie = await cookieOf(host);
    const file = join(home.root, "revoked", "token");
    const before = readFileSync(file, "utf8");
    const named = `--data=${join(home.root, "revoked")}`;
    const link = new URL((await home.run("url", named).ended).output);
    const { exitCode, output } = await home.run("revoke", named).ended;
    expect(exitCode).toBe(0);
    expect(readFileSync(file, "utf8")).not.toBe(before);
    expect(await statusFor(host, host.url.host, cookie)).toBe(401);
    expect(await cookieOf({ ...host, url: link })).toBe("");
    const signedIn = await cookieOf({ ...host, url: new URL(output) });
    expect(await statusFor(host, host.url.host, signedIn)).toBe(200);
  });
});

test("tugtalk host revoke is refused where no host runs", async () => {
  const { exitCode, errors } = await home.run("revoke", `--data=${home.root}/none`).ended;
  expect(exitCode).toBe(1);
  expect(errors).toContain("no host runs with the data folder");
});
