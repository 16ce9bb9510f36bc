/** A certificate authority of a test's own, and a home in which Chromium trusts it. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type TestAuthority = {
  /** Everything is in here. */
  readonly root: string;
  /** The certificate of the authority, as PEM. */
  readonly certificate: string;
  /** Files of the certificate for the name, and of its key. */
  readonly certFile: string;
  readonly keyFile: string;
  /** The home of a person who trusts it. */
  readonly home: string;
};

const NEW_KEY = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes".split(" ");

/** Needs `openssl` and `certutil`. */
export function createAuthority(name: string): TestAuthority {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "authority-")));
  const [authority, authorityKey] = [join(root, "authority.pem"), join(root, "authority.key")];
  const [certFile, keyFile] = [join(root, "cert.pem"), join(root, "cert.key")];
  const made = (out: string, key: string) => ["-days", "2", "-out", out, "-keyout", key];
  run("openssl", "req", "-x509", ...NEW_KEY, ...made(authority, authorityKey), "-subj", "/CN=Test");
  const signed = ["-CA", authority, "-CAkey", authorityKey, "-subj", `/CN=${name}`];
  const names = ["-addext", `subjectAltName=DNS:${name}`, "-addext", "basicConstraints=CA:FALSE"];
  run("openssl", "req", "-x509", ...NEW_KEY, ...made(certFile, keyFile), ...signed, ...names);
  const home = join(root, "home");
  const trusted = join(home, ".pki", "nssdb");
  mkdirSync(trusted, { recursive: true });
  run("certutil", "-d", `sql:${trusted}`, "-N", "--empty-password");
  run("certutil", "-d", `sql:${trusted}`, "-A", "-n", "test", "-t", "C,,", "-i", authority);
  return { root, certificate: readFileSync(authority, "utf8"), certFile, keyFile, home };
}

function run(...command: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([...command]);
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
}
