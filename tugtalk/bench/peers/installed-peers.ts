/** The peers that are installed from npm. */
import { join } from "node:path";
import { installPackage } from "../../testing/drivers/installed-package.ts";
import { ACP_DIALECT } from "./acp-dialect.ts";
import { type Contender, sharedName } from "./contenders.ts";
import { CLAUDE_DIALECT } from "./dialects.ts";

/** A package in the compared version, and its executed file. */
type Package = { readonly name: string; readonly version: string; readonly file: string };

const SDK: Package = {
  name: "@anthropic-ai/claude-agent-sdk",
  version: "0.3.330",
  file: "sdk.mjs",
};
/** This package requires Node 22, but also starts on Node 20. */
const ACP: Package = {
  name: "@agentclientprotocol/claude-agent-acp",
  version: "0.101.0",
  file: "dist/index.js",
};
const RELAY = join(import.meta.dir, "sdk-relay.mjs");

/** The folder that npm has installed for a file of a package. */
function onDisk(module: string): string {
  return module.slice(0, module.indexOf("node_modules") + "node_modules".length);
}

type Runtime = { readonly name: string; readonly path: string };

/** Installs the missing packages. One that cannot be installed is left out. */
export async function installedContenders(): Promise<Contender[]> {
  const node = Bun.which("node");
  const runtimes: Runtime[] = [
    { name: "Bun", path: process.execPath },
    ...(node === null ? [] : [{ name: "Node", path: node }]),
  ];
  const [sdk, acp] = [await install(SDK), await install(ACP)];
  return [
    ...(sdk === undefined ? [] : runtimes.flatMap((runtime) => sdkContenders(sdk, runtime))),
    ...(acp === undefined ? [] : runtimes.map((runtime) => acpContender(acp, runtime))),
  ];
}

function sdkContenders(module: string, { name: on, path }: Runtime): Contender[] {
  const [name, dialect] = [`SDK on ${on}`, CLAUDE_DIALECT];
  const command = (claude: string) => [path, RELAY, module, claude];
  const as = (word: string) => ({
    dialect,
    command: (claude: string) => [...command(claude), word],
  });
  return [
    { name, dialect, command, program: as("program"), files: onDisk(module) },
    { name: sharedName(name), ...as("channels"), isShared: true },
    { name: `${name} alone`, dialect, command, program: as("alone"), isAlone: true },
  ];
}

/** Drops its log. */
const ACP_COMMAND = 'CLAUDE_CODE_EXECUTABLE=$0 exec "$1" "$2" 2>/dev/null';

function acpContender(module: string, { name, path }: Runtime): Contender {
  const command = (claude: string) => ["sh", "-c", ACP_COMMAND, claude, path, module];
  return { name: `ACP on ${name}`, dialect: ACP_DIALECT, command, files: onDisk(module) };
}

/** The path of the executed file. The optional packages are Claude itself, and are left out. */
async function install({ name, version, file }: Package): Promise<string | undefined> {
  try {
    const { path } = await installPackage(name, version, ["--omit=optional"]);
    return join(path, file);
  } catch (error) {
    console.error(`${name} is left out: ${error}`);
    return undefined;
  }
}
