/**
 * `tugtalk doctor`: finds the CLI, inspects it, tests it on demand, and reports. The CLI runs in a temporary
 * home on loopback: the user's own home is neither read nor written.
 */
import packageJson from "../../package.json" with { type: "json" };
import { createIsolatedHome, type IsolatedHome } from "../simulator/isolated-home.ts";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { OWN_COMMAND } from "../spawn/own-command.ts";
import { refuseArguments } from "../src/base/flags.ts";
import { TugtalkError } from "../src/messages/errors.ts";
import { DOCTOR_USAGE, type DoctorArguments, parseDoctorArguments } from "./doctor-arguments.ts";
import { judgeFeatures } from "./features.ts";
import {
  type Answers,
  askAll,
  locateClaude,
  NotClaude,
  readUsage,
  readVersion,
  type Usage,
} from "./inspection.ts";
import { describeLoader, describeMachine, findLoginVariables, loaderOf } from "./machine.ts";
import { runProbe } from "./probe.ts";
import { type DoctorProblem, DoctorReport } from "./report.ts";
import { formatReport } from "./report-text.ts";
import type { StepTimeout } from "./step-timeout.ts";
import { supportOf } from "./version-support.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A port without a listener: control requests need no API. */
const NO_API = "http://127.0.0.1:9";

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const;

/** Runs the sub-command, from its arguments to the exit code. */
export async function runDoctor(words: readonly string[]): Promise<void> {
  const parsed = parseDoctorArguments(words);
  if ("help" in parsed) console.log(DOCTOR_USAGE.trimEnd());
  else if ("problem" in parsed) refuseArguments(parsed.problem, DOCTOR_USAGE);
  else {
    const stopping = new AbortController();
    for (const signal of SIGNALS) process.on(signal, () => stopping.abort());
    const report = await examine(parsed, process.env, stopping.signal);
    console.log(parsed.asJson ? JSON.stringify(report) : formatReport(report));
    process.exitCode = report.usable ? 0 : 1;
  }
}

/** Never throws for a fault of the CLI: the report names it. */
async function examine(
  args: DoctorArguments,
  env: Environment,
  signal: AbortSignal,
): Promise<DoctorReport> {
  const report: Draft = {
    tugtalk_version: packageJson.version,
    machine: describeMachine(),
    measured_versions: [...MEASURED_VERSIONS],
    usable: false,
    warnings: [],
    login_variables: findLoginVariables(env),
    features: [],
  };
  try {
    const home = await createIsolatedHome();
    try {
      await fill(report, { args, env, home, timeout: { ms: args.timeoutMs, signal } });
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
  readonly timeout: StepTimeout;
};

/** Adds one finding after the other, so that a failure keeps the earlier ones. */
async function fill(report: Draft, { args, env, home, timeout }: Examination): Promise<void> {
  const claude = locateClaude(args.claude, env);
  report.claude = claude;
  const loader = await loaderOf(Bun.which(claude.command[0] ?? "") ?? "");
  if (loader !== undefined) claude.loader = loader;
  const mismatch = await describeLoader(loader);
  if (mismatch !== undefined) throw new TugtalkError("claude_start_failed", mismatch);

  const passed = simulatorEntries(env);
  const cli = {
    command: claude.command,
    cwd: home.project,
    env: { ...home.environment(NO_API), ...passed },
  };
  claude.version = await readVersion(cli, timeout);
  claude.version_support = supportOf(claude.version);
  const usage = await readUsage(cli, timeout);
  const answers = await askAll(cli, claude.version, timeout);
  report.capabilities = offeredBy(answers, usage);
  report.features = judge(claude.version, usage, answers);
  report.warnings = warningsOf(report);
  report.usable = true;
  if (!args.probe) return;

  const start = { tugtalk: OWN_COMMAND, claude: claude.command.at(-1) ?? "", home, env: passed };
  report.probe = await runProbe(start, timeout);
  report.usable = report.probe.every(({ ok }) => ok);
}

/** The entries that configure the simulator. No other entry of tugtalk reaches the CLI. */
function simulatorEntries(env: Environment): Record<string, string> {
  const entries = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      /^TUGTALK_(SIM_|CONVERSATION$)/.test(entry[0]) && entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
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

function offeredBy({ readyMs, capabilities }: Answers, usage: Usage) {
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

function judge(version: string, usage: Usage, { capabilities, ...answers }: Answers) {
  return judgeFeatures({
    version,
    flags: usage.flags,
    // Without a usage text the table of features goes by the version.
    permissionModes: usage.permissionModes,
    commands: capabilities.commands?.map(({ name }) => name),
    requests: answers.requests,
    interruptReceipt: answers.interruptReceipt,
  });
}

function warningsOf({ login_variables, claude }: Draft): string[] {
  const logins = login_variables.filter(({ login }) => login !== undefined);
  const names = logins.map(({ name }) => name).join(", ");
  const warnings: [applies: boolean, text: string][] = [
    [
      logins.some(({ login }) => login === "api_key"),
      "with ANTHROPIC_API_KEY every token is billed; the option `use_api_key: false` keeps it away",
    ],
    [logins.length > 1, `${logins.length} logins are set (${names}): Claude uses one of them`],
    [claude?.found_by === "usual_place", "claude is not on PATH"],
  ];
  return warnings.filter(([applies]) => applies).map(([, text]) => text);
}
