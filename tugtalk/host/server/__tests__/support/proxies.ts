/** Real proxies before a host, with the configuration that HOST.md gives for them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeBlocks, document } from "../../../../__tests__/support/markdown.ts";
import type { TestAuthority } from "./test-authority.ts";

export type ProxyOptions = {
  readonly authority: TestAuthority;
  /** Where it listens. */
  readonly port: number;
  readonly hostPort: number;
};

export type TestProxy = {
  /** Starts it; resolves when it serves, with what ends it. */
  readonly start: (options: ProxyOptions) => Promise<() => Promise<void>>;
  /** It passes on requests by names that its configuration does not have. */
  readonly passesEveryName: boolean;
};

/** The name in the configuration of HOST.md. */
export const PUBLIC_NAME = "box.example";

export const PROXIES: Readonly<Record<string, TestProxy>> = {
  nginx: { start: startNginx, passesEveryName: true },
  Caddy: { start: startCaddy, passesEveryName: false },
};

/** As it stands in HOST.md, but for the ports and the paths. */
function documented(language: string, { authority, port, hostPort }: ProxyOptions): string {
  const [block, ...others] = codeBlocks(document("tugtalk/HOST.md"), language);
  if (block === undefined || others.length > 0) throw new Error(`not one block of ${language}`);
  return block
    .replace("127.0.0.1:7717", `127.0.0.1:${hostPort}`)
    .replace("listen 443", `listen 127.0.0.1:${port}`)
    .replace(`${PUBLIC_NAME} {`, `${PUBLIC_NAME}:${port} {`)
    .replace("/etc/ssl/box.example.pem", authority.certFile)
    .replace("/etc/ssl/box.example.key", authority.keyFile);
}

async function startNginx(options: ProxyOptions): Promise<() => Promise<void>> {
  const folder = join(options.authority.root, "nginx");
  mkdirSync(folder);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  // One process, as whoever starts it.
  const main = `daemon off; master_process off; pid ${folder}/pid; error_log stderr notice;`;
  const served = `http { access_log off; ${temporary.join(" ")}\n${documented("nginx", options)} }`;
  const file = join(folder, "nginx.conf");
  writeFileSync(file, `${main} events {} ${served}`);
  return await startProxy(["nginx", "-e", "stderr", "-p", folder, "-c", file], folder, /epoll/);
}

async function startCaddy(options: ProxyOptions): Promise<() => Promise<void>> {
  const folder = join(options.authority.root, "caddy");
  mkdirSync(folder);
  const general = "{\n  admin off\n  auto_https disable_redirects\n}\n";
  const file = join(folder, "Caddyfile");
  writeFileSync(file, general + documented("caddyfile", options));
  const command = ["caddy", "run", "--adapter", "caddyfile", "--config", file];
  return await startProxy(command, folder, /serving initial configuration/);
}

async function startProxy(command: string[], home: string, serving: RegExp) {
  const child = Bun.spawn(command, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: `${process.env["PATH"]}:/usr/sbin`, HOME: home },
  });
  const isServing = Promise.withResolvers<void>();
  void readAll(child.stderr, (text) => {
    if (serving.test(text)) isServing.resolve();
  }).then((text) => isServing.reject(new Error(`${command[0]} ended: ${text}`)));
  await isServing.promise;
  return async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
}

/** All that comes, of which `look` is told after each piece. */
async function readAll(
  stream: ReadableStream<Uint8Array>,
  look: (text: string) => void,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of stream) {
    text += decoder.decode(piece, { stream: true });
    look(text);
  }
  return text;
}
