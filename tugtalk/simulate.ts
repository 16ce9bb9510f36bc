/** `tugtalk simulate`: a bridge whose Claude is the simulator, for builders of frontends. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openIds } from "./simulator/ids.ts";
import { writePastConversations } from "./simulator/past-conversations.ts";
import { DEFAULT_SCENARIO, listScenarios, scenarioText } from "./simulator/scenarios.ts";
import { parseSpeed } from "./simulator/speed.ts";
import { OWN_COMMAND } from "./spawn/own-command.ts";
import { refuseArguments } from "./src/base/flags.ts";
import { OPTIONS } from "./src/edge/arguments.ts";
import type { ReplacedClaude } from "./src/edge/bridge-ports.ts";
import { runBridge } from "./src/main.ts";

const USAGE = `tugtalk simulate: a bridge whose Claude is a simulator. It costs nothing and needs no account

usage: tugtalk simulate [scenario] [options]
       tugtalk simulate --list

Write protocol_init, then any user message: each one plays the next turn of the scenario, and after
the last turn the first again. A permission is not asked for again once all suggestions of its prompt
were accepted.

The simulator stores no conversation. resume with any id is accepted, and plays the scenario from its
beginning; without an id it needs the --state-dir of the process before. Only the conversations of the
scenario history can be listed, read, and continued at a message (at_message). No file is changed, so
rewind_files puts none back.

  --list             list the scenarios: what each shows, and what to type
  --speed <factor>   how many times faster to play; max or 0: without any pause (default: 1)
  --seed <text>      make the ids repeatable: the same seed and the same messages of the host give the
                     same messages, except for process ids, times and the instance_id
  --help             print this text and exit

The options of tugtalk itself (tugtalk --help) are accepted too, except for --claude.
`;

const OWN_OPTIONS = {
  list: { type: "boolean" },
  speed: { type: "string" },
  seed: { type: "string" },
} as const;

type SimulateArguments = {
  readonly scenario: string;
  readonly speed: string;
  readonly seed: string | undefined;
  readonly dir: string | undefined;
  /** The arguments of the bridge. */
  readonly bridge: readonly string[];
};

type ParsedArguments =
  | { readonly run: SimulateArguments }
  | { readonly print: string }
  | { readonly problem: string };

/** Runs the bridge on the pipes of this process, with the arguments after `simulate`. Sets the exit code. */
export async function runSimulate(args: readonly string[]): Promise<void> {
  const parsed = parseSimulateArguments(args);
  if ("run" in parsed) await simulate(parsed.run);
  else if ("print" in parsed) console.log(parsed.print);
  else refuseArguments(parsed.problem, USAGE);
}

/** Works in a folder of its own: no real conversation is listed, and none of these is kept. */
async function simulate({ bridge, ...rest }: SimulateArguments): Promise<void> {
  const folder = makeFolder();
  if (folder === undefined) return;
  const configDir = join(folder, "claude");
  process.env["CLAUDE_CONFIG_DIR"] = configDir;
  try {
    if (rest.scenario === "history") await writeHistory(rest, configDir);
    await runBridge([`--state-dir=${join(folder, "state")}`, ...bridge], replaceClaude(rest));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Undefined, with one line on stderr and the exit code 1, where there is no room for one. */
function makeFolder(): string | undefined {
  try {
    return mkdtempSync(join(tmpdir(), "tugtalk-simulate-"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`tugtalk simulate: no temporary folder: ${reason}; TMPDIR names another place`);
    process.exitCode = 1;
    return undefined;
  }
}

/** A folder that does not exist has no history, and the bridge reports it. */
async function writeHistory(
  { dir, seed }: Pick<SimulateArguments, "dir" | "seed">,
  configDir: string,
): Promise<void> {
  const directory = dir ?? process.cwd();
  if (!existsSync(directory)) return;
  const { transcriptFolder } = await import("./src/history/transcript-folder.ts");
  const folder = await transcriptFolder({ path: directory, isMade: false }, configDir);
  writePastConversations(folder, openIds(seed === undefined ? undefined : `${seed} past`));
}

function replaceClaude({
  scenario,
  speed,
  seed: ofAll,
}: Omit<SimulateArguments, "bridge" | "dir">): (channel?: string) => ReplacedClaude {
  return (channel) => {
    const seed = ofAll === undefined || channel === undefined ? ofAll : `${ofAll} ${channel}`;
    let started = 0;
    return {
      newId: bridgeIds(seed),
      start: () => {
        started += 1;
        const env = {
          TUGTALK_SIM_SCENARIO: scenario,
          TUGTALK_SIM_PROCESS: String(started),
          TUGTALK_SIM_SPEED: speed,
          ...(seed !== undefined && { TUGTALK_SIM_SEED: `${seed} ${started}` }),
        };
        return { command: [...OWN_COMMAND, "simulated-claude"], env };
      },
    };
  };
}

/** The ids of a bridge. Only the ids of its process differ from run to run. */
function bridgeIds(seed: string | undefined): ReplacedClaude["newId"] {
  const newId = openIds(seed);
  return (of) => (of === "process" ? crypto.randomUUID() : newId());
}

function parseSimulateArguments(args: readonly string[]): ParsedArguments {
  try {
    return readArguments(args);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Throws where an argument is wrong, and names it. */
function readArguments(args: readonly string[]): ParsedArguments {
  const { claude: _claude, ...ofBridge } = OPTIONS;
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: { ...ofBridge, ...OWN_OPTIONS },
    allowPositionals: true,
    tokens: true,
  });
  if (values.help === true) return { print: USAGE.trimEnd() };
  if (values.list === true) return { print: formatList() };
  const [scenario = DEFAULT_SCENARIO, unexpected] = positionals;
  if (unexpected !== undefined) throw new Error(`unexpected word: ${unexpected}`);
  scenarioText(scenario);
  const { speed = "1", seed } = values;
  if (parseSpeed(speed) === undefined)
    throw new Error(`--speed: expected a factor or max, got ${speed}`);
  const bridge = tokens.flatMap((token) => {
    if (token.kind !== "option" || Object.hasOwn(OWN_OPTIONS, token.name)) return [];
    return [token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`];
  });
  return { run: { scenario, speed, seed, dir: values.dir, bridge } };
}

function formatList(): string {
  return listScenarios()
    .map(({ name, shows, type }) => `${name}\n    shows: ${shows}\n    type:  ${type}`)
    .join("\n");
}
