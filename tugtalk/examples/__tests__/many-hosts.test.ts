/** The examples for many hosts, as far as this machine can read them. nginx runs in `many-hosts.browser.ts`. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { document } from "../../__tests__/support/markdown.ts";
import { parseHostFlags } from "../../host/host-flags.ts";
import { startProxy } from "../../testing/drivers/nginx.ts";
import { freePort } from "../../testing/drivers/postgres-server.ts";

function example(name: string): string {
  return document(`tugtalk/examples/many-hosts/${name}`);
}

const UNIT = example("tugtalk@.service");

/** The flags of the host there, as it reads them. Throws where it would not start. */
function flagsOf(words: readonly string[]) {
  const parsed = parseHostFlags(words, { TUGTALK_DATABASE: "postgres://database/tugtalk" }, "/");
  if (!("flags" in parsed)) throw new Error(JSON.stringify(parsed));
  return parsed.flags;
}

/** The variables of the file for the unit. */
const ENVIRONMENT = Object.fromEntries(
  example("environment")
    .split("\n")
    .filter((line) => /^\w/.test(line))
    .map((line) => [line.split("=")[0] ?? "", line.slice(line.indexOf("=") + 1)]),
);

test("the unit starts a host of its port, with a data folder of its own and the variables of the file", () => {
  const [, line = ""] = /^ExecStart=\S+ host (.*)$/m.exec(UNIT) ?? [];
  const filled = line
    .replaceAll("%i", "7717")
    .replaceAll("%S", "/var/lib")
    .replaceAll(/\$\{(\w+)\}/g, (_, name: string) => ENVIRONMENT[name] ?? "");
  const { port, data, dir, publicUrls } = flagsOf(filled.split(" "));
  expect({ port, data, dir, publicUrls }).toEqual({
    port: 7717,
    data: "/var/lib/tugtalk-hosts/7717",
    dir: "/srv/tugtalk/projects",
    publicUrls: [{ name: "box.example", port: 443 }],
  });
  expect(Object.keys(ENVIRONMENT)).toEqual(["TUGTALK_DATABASE", "TUGTALK_PUBLIC_URL"]);
});

test.skipIf(Bun.which("systemd-analyze") === null)(
  "systemd takes the unit, and knows each of its settings",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "unit-"));
    const file = join(folder, "tugtalk@7717.service");
    // It looks for the program, too.
    writeFileSync(file, UNIT.replace("/usr/local/bin/tugtalk", process.execPath));
    mkdirSync(join(folder, "run"));
    const { exitCode, stderr } = Bun.spawnSync(["systemd-analyze", "verify", file], {
      env: { PATH: process.env["PATH"] ?? "", XDG_RUNTIME_DIR: join(folder, "run") },
    });
    expect({ exitCode, stderr: stderr.toString() }).toEqual({ exitCode: 0, stderr: "" });
    rmSync(folder, { recursive: true });
  },
);

/** Exact: Compose refuses unknown keys. */
const Host = z.strictObject({
  build: z.literal("."),
  restart: z.literal("unless-stopped"),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal("service_healthy") })),
  hostname: z.string(),
  command: z.array(z.string()),
  init: z.literal(true),
  stop_grace_period: z.string(),
  environment: z.record(z.string(), z.string().nullable()),
  volumes: z.array(z.string()),
  healthcheck: z.strictObject({ test: z.array(z.string()), interval: z.string() }),
});

const Image = z.strictObject({
  ...Host.pick({ restart: true, volumes: true }).shape,
  image: z.string(),
});

const Compose = z.strictObject({
  "x-host": Host.partial(),
  services: z
    .object({
      database: Image.extend(Host.pick({ environment: true, healthcheck: true }).shape),
      nginx: Image.extend({
        ports: z.array(z.string()),
        depends_on: z.array(z.string()),
        configs: z.array(z.strictObject({ source: z.string(), target: z.string() })),
      }),
    })
    .catchall(Host),
  configs: z.strictObject({ hosts: z.strictObject({ content: z.string() }) }),
  volumes: z.record(z.string(), z.null()),
});

const COMPOSE = Compose.parse(Bun.YAML.parse(example("compose.yaml")));
const { database, nginx, ...hosts } = COMPOSE.services;
const HOSTS = Object.values(hosts);

test("the hosts of the compose file are three machines with volumes of their own, and nginx knows each by its port", () => {
  expect(HOSTS.map(({ hostname }) => hostname)).toEqual(Object.keys(hosts));
  expect(HOSTS).toHaveLength(3);
  const volumes = [database, ...HOSTS].flatMap((one) =>
    one.volumes.map((text) => text.split(":")[0] ?? ""),
  );
  expect(new Set(volumes).size).toBe(volumes.length);
  expect(new Set(Object.keys(COMPOSE.volumes))).toEqual(new Set(volumes));
  const servers = COMPOSE.configs.hosts.content.matchAll(/server (\S+);/g);
  expect([...servers].map(([, server = ""]) => server)).toEqual(
    Object.keys(hosts).map((name) => `${name}:7717`),
  );
});

test("each host of the compose file starts, is asked whether it is ready, and has the time to end", () => {
  for (const { command, environment, healthcheck, stop_grace_period } of HOSTS) {
    const [program, word, ...words] = command;
    expect([program, word]).toEqual(["tugtalk", "host"]);
    expect(flagsOf(words)).toMatchObject({ port: 7717, data: "/data", dir: "/projects" });
    expect(environment["TUGTALK_DATABASE"]).toStartWith("postgres://tugtalk:$");
    expect(healthcheck.test.at(-1)).toBe("http://127.0.0.1:7717/api/ready");
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(10);
  }
});

test("the files that the compose file gives to nginx are those of the folder, and the certificate", () => {
  const given = nginx.volumes.map((text) => text.split(":")[0] ?? "");
  expect(given).toEqual(["./nginx.conf", "./box.example.pem", "./box.example.key"]);
  for (const name of ["/etc/ssl/box.example.pem", "/etc/ssl/box.example.key"])
    expect(example("nginx.conf")).toContain(`${name};`);
});

/** Without TLS, before the one host that lives. */
async function startCaddy(folder: string, port: number, hostPort: number) {
  const ports = [freePort(), hostPort, freePort()];
  const served = ports.reduce(
    (text, own, index) => text.replace(`127.0.0.1:${7717 + index}`, `127.0.0.1:${own}`),
    example("Caddyfile")
      .replace(/ +tls .*/, "")
      .replace("box.example", `http://127.0.0.1:${port}`),
  );
  const file = join(folder, "Caddyfile");
  writeFileSync(file, `{\n  admin off\n}\n${served}`);
  const command = ["caddy", "run", "--adapter", "caddyfile", "--config", file];
  return await startProxy(command, folder, /serving initial configuration/);
}

test.skipIf(Bun.which("caddy") === null)(
  "Caddy leads every request without a body to the host that lives, and then the others too",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "caddy-"));
    const fetchOne = ({ method }: Request) => new Response(method);
    const host = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: fetchOne });
    const port = freePort();
    const stop = await startCaddy(folder, port, Number(host.port));
    const asked = async (options: RequestInit) =>
      await (await fetch(`http://127.0.0.1:${port}/`, options)).text();
    const answers: string[] = [];
    for (let count = 0; count < 12; count += 1) answers.push(await asked({}));
    answers.push(await asked({ method: "POST", body: "{}" }));
    await stop();
    await host.stop(true);
    rmSync(folder, { recursive: true });
    expect(answers).toEqual([...Array<string>(12).fill("GET"), "POST"]);
  },
);
