/** Real proxies before a host, with the configuration that HOST.md gives for them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeBlocks, document } from "../../../../__tests__/support/markdown.ts";
import { startNginx, startProxy } from "../../../../testing/drivers/nginx.ts";
import type { TestAuthority } from "../../../../testing/drivers/test-authority.ts";

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
  nginx: { start: startDocumentedNginx, passesEveryName: true },
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

async function startDocumentedNginx(options: ProxyOptions): Promise<() => Promise<void>> {
  const folder = join(options.authority.root, "nginx");
  const served = `access_log off;\n${documented("nginx", options)}`;
  return await startNginx(folder, served);
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
