/** Real proxies before a host, with the configuration of the examples. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { document } from "../../../../__tests__/support/markdown.ts";
import { startNginx, startProxy } from "../../../../testing/drivers/nginx.ts";
import type { TestAuthority } from "../../../../testing/drivers/test-authority.ts";

export type ProxyOptions = {
  readonly authority: TestAuthority;
  /** The port of the proxy. */
  readonly port: number;
  readonly hostPort: number;
};

export type TestProxy = {
  /** Starts the proxy. Resolves with its end function when it serves. */
  readonly start: (options: ProxyOptions) => Promise<() => Promise<void>>;
  /** The proxy passes on requests by names that its configuration does not have. */
  readonly passesEveryName: boolean;
};

/** The name in the configuration. */
export const PUBLIC_NAME = "box.example";

export const PROXIES: Readonly<Record<string, TestProxy>> = {
  nginx: { start: startDocumentedNginx, passesEveryName: true },
  Caddy: { start: startCaddy, passesEveryName: false },
};

/** The example's file, with other ports and paths. */
function documented(name: string, { authority, port, hostPort }: ProxyOptions): string {
  return document(`tugtalk/examples/one-host/${name}`)
    .replace("127.0.0.1:7717", `127.0.0.1:${hostPort}`)
    .replace("listen 443", `listen 127.0.0.1:${port}`)
    .replace(`${PUBLIC_NAME} {`, `${PUBLIC_NAME}:${port} {`)
    .replace("/etc/ssl/box.example.pem", authority.certFile)
    .replace("/etc/ssl/box.example.key", authority.keyFile);
}

async function startDocumentedNginx(options: ProxyOptions): Promise<() => Promise<void>> {
  const folder = join(options.authority.root, "nginx");
  const served = `access_log off;\n${documented("nginx.conf", options)}`;
  return await startNginx(folder, served);
}

async function startCaddy(options: ProxyOptions): Promise<() => Promise<void>> {
  const folder = join(options.authority.root, "caddy");
  mkdirSync(folder);
  const general = "{\n  admin off\n  auto_https disable_redirects\n}\n";
  const file = join(folder, "Caddyfile");
  writeFileSync(file, general + documented("Caddyfile", options));
  const command = ["caddy", "run", "--adapter", "caddyfile", "--config", file];
  return await startProxy(command, folder, /serving initial configuration/);
}
