/**
 * `tugtalk doctor`: finds the CLI, asks it, tests it if that is wanted, and reports. Works in a
 * throw-away home on loopback; the user's own home is neither read nor written.
 */
import packageJson from "../../package.json" with { type: "json" };
import { createIsolatedHome, type IsolatedHome } from "../simulator/isolated-home.ts";
import { TugtalkError } from "../src/messages/errors.ts";
import { DOCTOR_USAGE, type DoctorArguments, parseDoctorArguments } from "./doctor-arguments.ts";
import { judgeFeatures } from "./features.ts";
import {
  askUsage,
  askVersion,
  type Interview,
  interview,
  locateClaude,
  type Usage,
} from "./inspection.ts";
import { describeLoader, describeMachine, findLoginVariables, loaderOf } from "./machine.ts";
import type { Patience } from "./patience.ts";
import { runProbe } from "./probe.ts";
import { type DoctorProblem, DoctorReport } from "./report.ts";
import { formatReport } from "./report-text.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Nobody listens there: an interview needs no API. */
const NO_API = "http://127.0.0.1:9";

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Runs the sub-command, from its arguments to the exit code. */
export async function runDoctor(words: readonly string[]): Promise<void> {
  const parsed = parseDoctorArguments(words);
  if ("help" in parsed) console.log(DOCTOR_USAGE.trimEnd());
  else if ("problem" in parsed) {
    console.error(`${parsed.problem}\n\n${DOCTOR_USAGE.trimEnd()}`);
    process.exitCode = 2;
  } else {
    const stopping = new AbortController();
    for (const signal of SIGNALS) process.on(signal, () => stopping.abort());
    const report = await examine(parsed, process.env, stopping.signal);
    console.log(parsed.asJson ? JSON.stringify(report) : formatReport(report));
    process.exitCode = report.usable ? 0 : 1;
  }
}

/** All that can be found out. Never throws for what is wrong with the CLI: that is the report. */
export async function examine(
  args: DoctorArguments,
  env: Environment,
  signal: AbortSignal,
): Promise<DoctorReport> {
  const report: Draft = {
    tugtalk_version: packageJson.version,
    machine: describeMachine(),
    usable: false,
    warnings: [],
    login_variables: findLoginVariables(env),
    features: [],
  };
  try {
    const home = await createIsolatedHome();
    try {
      await fill(report, { args, env, home, patience: { ms: args.timeoutMs, signal } });
    } finally {
      await home.remove();
    }
  } catch (error) {
    report.usable = false;
    report.problem ??= problemOf(TugtalkError.from(error));
  }
  return DoctorReport.parse(report); // In the order of the schema.
}

type Draft = { -readonly [Key in keyof DoctorReport]: DoctorReport[Key] };

type Examination = {
  readonly args: DoctorArguments;
  readonly env: Environment;
  readonly home: IsolatedHome;
  readonly patience: Patience;
};

/** One finding after the other; what fails leaves the earlier ones in the report. */
async function fill(report: Draft, { args, env, home, patience }: Examination): Promise<void> {
  const claude: Draft["claude"] & object = { ...located(args, env) };
  report.claude = claude;
  const loader = await loaderOf(Bun.which(claude.command[0] ?? "") ?? "");
  if (loader !== undefined) claude.loader = loader;
  const mismatch = await describeLoader(loader);
  if (mismatch !== undefined) throw new TugtalkError("claude_start_failed", mismatch);

  const cwd = home.project;
  const own = standInEntries(env);
  const place = { command: claude.command, cwd, env: { ...home.environment(NO_API), ...own } };
  const { version, printed } = await askVersion(place, patience);
  if (version === undefined) throw notClaude(claude.command, printed);
  claude.version = version;
  const usage = await askUsage(place, patience);
  const talk = await interview(place, version, patience);
  report.capabilities = offeredBy(talk, usage);
  report.features = judge(version, usage, talk);
  report.warnings = warningsOf(report);
  report.usable = true;
  if (!args.probe) return;

  const start = { tugtalk: ownCommand(), claude: claude.command.at(-1) ?? "", home, env: own };
  report.probe = await runProbe(start, patience);
  report.usable = report.probe.every(({ ok }) => ok);
}

function located(args: DoctorArguments, env: Environment) {
  const { command, found_by } = locateClaude(args.claude, env);
  return { command: [...command], found_by };
}

/** What the stand-in for the CLI is told by environment; nothing else of ours reaches the CLI. */
function standInEntries(env: Environment): Record<string, string> {
  const entries = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      /^TUGTALK_(SIM_|CONVERSATION$)/.test(entry[0]) && entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}

class NotClaude extends TugtalkError {}

function notClaude(command: readonly string[], printed: { out: string; errors: string }) {
  const words = (printed.out.trim() || printed.errors.trim()).split("\n")[0]?.slice(0, 200);
  const said = words === undefined || words === "" ? "nothing" : `"${words}"`;
  const message = `${command.join(" ")} is not Claude Code: --version says ${said}`;
  return new NotClaude("claude_start_failed", message);
}

function problemOf(error: TugtalkError): DoctorProblem {
  const { message } = error;
  if (error instanceof NotClaude) return { code: "not_claude", message };
  switch (error.code) {
    case "claude_not_found":
    case "claude_start_failed":
      return { code: error.code, message };
    default:
      return { code: "claude_unresponsive", message };
  }
}

function offeredBy({ readyMs, capabilities }: Interview, usage: Usage) {
  const { models, commands, agents, available_output_styles, permission_modes } = capabilities;
  const modes = usage.permissionModes ?? permission_modes;
  const protocol = capabilities["capabilities"];
  return {
    ready_ms: readyMs,
    ...(modes !== undefined && { permission_modes: [...modes].sort() }),
    ...(models !== undefined && { models: models.map(({ value }) => value) }),
    ...(commands !== undefined && { commands: commands.map(({ name }) => name) }),
    ...(agents !== undefined && { agents: agents.map(({ name }) => name) }),
    ...(available_output_styles !== undefined && { output_styles: available_output_styles }),
    ...(Array.isArray(protocol) && { protocol: protocol.map(String) }),
  };
}

function judge(version: string, usage: Usage, { capabilities, ...talk }: Interview) {
  return judgeFeatures({
    version,
    flags: usage.flags,
    // Without a usage text the modes are a guess from the version, which the table makes itself.
    permissionModes: usage.permissionModes,
    commands: capabilities.commands?.map(({ name }) => name),
    requests: talk.requests,
    interruptReceipt: talk.interruptReceipt,
  });
}

function warningsOf({ login_variables, claude }: Draft): string[] {
  const tokens = login_variables.filter(({ login }) => login !== undefined);
  return [
    ...(tokens.some(({ login }) => login === "api_key")
      ? [
          "with ANTHROPIC_API_KEY every token is billed; the option `use_api_key: false` keeps it away",
        ]
      : []),
    ...(tokens.length > 1
      ? [
          `${tokens.length} logins are set (${tokens.map(({ name }) => name).join(", ")}): Claude picks one`,
        ]
      : []),
    ...(claude?.found_by === "usual_place" ? ["claude is not on PATH"] : []),
  ];
}

/** The words that start this same tugtalk again: a compiled one is its own executable. */
function ownCommand(): string[] {
  const isCompiled = /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/i.test(Bun.main);
  return isCompiled ? [process.execPath] : [process.execPath, Bun.main];
}
