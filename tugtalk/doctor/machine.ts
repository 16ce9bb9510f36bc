/**
 * What of the machine decides whether the CLI can start: platform, C library, the loader that an
 * executable names; and which login variables are set. Values of variables are not read. Does
 * without `node:fs`, whose import every start of the compiled bridge would pay for.
 */
import type { DoctorReport, LoginVariable } from "./report.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How much of an executable holds the name of its loader, in bytes. */
const HEADER_BYTES = 8192;

/** Where loaders are. */
const LIBRARIES = ["/lib", "/lib64"] as const;

/** The machine as the report names it. */
export function describeMachine(): DoctorReport["machine"] {
  const isLinux = process.platform === "linux";
  const libc = isLinux ? libcOf(LIBRARIES.flatMap(loadersIn)) : undefined;
  return {
    platform: process.platform,
    arch: process.arch,
    ...(libc !== undefined && { libc }),
    bun_version: Bun.version,
  };
}

function loadersIn(folder: string): string[] {
  try {
    return [...new Bun.Glob("ld-*").scanSync({ cwd: folder, onlyFiles: false })];
  } catch {
    // No such folder: nothing is known of the C library.
    return [];
  }
}

/** A glibc system may have musl's loader too; the reverse is rare. */
function libcOf(loaders: readonly string[]): "glibc" | "musl" {
  const hasMusl = loaders.some((name) => name.startsWith("ld-musl"));
  const hasGlibc = loaders.some((name) => name.startsWith("ld-linux"));
  return hasMusl && !hasGlibc ? "musl" : "glibc";
}

/** The loader that a Linux executable names; nothing for scripts and elsewhere. */
export async function loaderOf(path: string): Promise<string | undefined> {
  const head = await Bun.file(path)
    .slice(0, HEADER_BYTES)
    .bytes()
    .catch(() => undefined);
  const text = head === undefined ? "" : Buffer.from(head).toString("latin1");
  if (!text.startsWith("\x7fELF")) return undefined;
  return /\/[\w./-]*\/ld-[\w.-]+/.exec(text)?.[0];
}

/** Why an executable with this loader cannot run here, if so. */
export async function describeLoader(loader: string | undefined): Promise<string | undefined> {
  if (loader === undefined || (await Bun.file(loader).exists())) return undefined;
  const libc = loader.includes("ld-musl") ? "musl" : "glibc";
  const other = libc === "musl" ? "glibc" : "musl";
  return `this claude is built for ${libc}: its loader ${loader} is not here; install the build for ${other}`;
}

const MEANINGS: readonly LoginVariable[] = [
  {
    name: "ANTHROPIC_API_KEY",
    login: "api_key",
    meaning: "every token is billed to this API key, also where a subscription was meant",
  },
  {
    name: "ANTHROPIC_AUTH_TOKEN",
    login: "auth_token",
    meaning: "sent as the login of a gateway; whoever owns it is billed",
  },
  {
    name: "CLAUDE_CODE_OAUTH_TOKEN",
    login: "oauth_token",
    meaning: "the subscription that this token was made for is used",
  },
  { name: "ANTHROPIC_BASE_URL", meaning: "requests go to another address than Anthropic's" },
  {
    name: "CLAUDE_CODE_USE_BEDROCK",
    login: "third_party",
    meaning: "the model runs on Amazon Bedrock, which bills per token",
  },
  {
    name: "CLAUDE_CODE_USE_VERTEX",
    login: "third_party",
    meaning: "the model runs on Google Vertex AI, which bills per token",
  },
  {
    name: "CLAUDE_CODE_USE_FOUNDRY",
    login: "third_party",
    meaning: "the model runs on Microsoft Foundry, which bills per token",
  },
];

/** The login variables that are set and not empty. */
export function findLoginVariables(env: Environment): LoginVariable[] {
  return MEANINGS.filter(({ name }) => (env[name] ?? "") !== "");
}
