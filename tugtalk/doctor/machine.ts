/**
 * Whether the CLI can start on this machine (platform, C library, the loader of its executable), and which
 * login variables are set; not their values. Avoids `node:fs`, whose import slows every start of the
 * compiled bridge.
 */
import type { DoctorReport, LoginVariable } from "./report.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The name of its loader is within the first bytes of an executable. */
const HEADER_BYTES = 8192;

const LOADER_FOLDERS = ["/lib", "/lib64"] as const;

/** The machine as the report names it. */
export function describeMachine(): DoctorReport["machine"] {
  const isLinux = process.platform === "linux";
  const libc = isLinux ? libcOf(LOADER_FOLDERS.flatMap(loadersIn)) : undefined;
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
    return []; // No such folder.
  }
}

/** A system with both loaders is usually a glibc system. */
function libcOf(loaders: readonly string[]): "glibc" | "musl" {
  const hasMusl = loaders.some((name) => name.startsWith("ld-musl"));
  const hasGlibc = loaders.some((name) => name.startsWith("ld-linux"));
  return hasMusl && !hasGlibc ? "musl" : "glibc";
}

/** The loader that a Linux executable names; undefined for any other file. */
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

const LOGIN_VARIABLES: readonly LoginVariable[] = [
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
  onPlatform("CLAUDE_CODE_USE_BEDROCK", "Amazon Bedrock"),
  onPlatform("CLAUDE_CODE_USE_VERTEX", "Google Vertex AI"),
  onPlatform("CLAUDE_CODE_USE_FOUNDRY", "Microsoft Foundry"),
];

/** The login variables that are set and not empty. */
export function findLoginVariables(env: Environment): LoginVariable[] {
  return LOGIN_VARIABLES.filter(({ name }) => (env[name] ?? "") !== "");
}

function onPlatform(name: string, platform: string): LoginVariable {
  const meaning = `the model runs on ${platform}, which bills per token`;
  return { name, login: "third_party", meaning };
}
