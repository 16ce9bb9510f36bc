/** The report for people. Pure. */
import type { DoctorReport, Feature, FeatureState, FoundBy, VersionSupport } from "./report.ts";
import { describeSupport } from "./version-support.ts";

const FOUND: Readonly<Record<FoundBy, string>> = {
  flag: "named by --claude",
  environment: "named by TUGTALK_CLAUDE",
  path: "found on PATH",
  usual_place: "found in a usual install place",
};

const HEADINGS: Readonly<Record<FeatureState, string>> = {
  yes: "Works",
  partly: "Works in part",
  no: "Does not work",
  unknown: "Unknown",
};

/** The report as lines; the last one is the verdict. */
export function formatReport(report: DoctorReport): string {
  const { usable, problem } = report;
  const sections = [
    formatMachine(report),
    formatClaude(report),
    formatLogin(report),
    ...formatFeatures(report.features),
    formatProbe(report),
    report.warnings.map((warning) => `Warning: ${warning}`),
    [usable ? "Usable: yes" : `Usable: no. ${problem?.message ?? "The self-test failed."}`],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function formatMachine({ tugtalk_version, machine }: DoctorReport): string[] {
  const libc = machine.libc === undefined ? "" : ` (${machine.libc})`;
  return [
    `tugtalk ${tugtalk_version} on ${machine.platform} ${machine.arch}${libc}, Bun ${machine.bun_version}`,
  ];
}

function formatClaude({ claude, capabilities, ...report }: DoctorReport): string[] {
  if (claude === undefined) return [];
  return [
    row("claude", `${claude.command.join(" ")} (${FOUND[claude.found_by]})`),
    ...(claude.version === undefined ? [] : formatVersion(claude.version, report)),
    ...(capabilities === undefined
      ? []
      : [
          row("ready", `after ${capabilities.ready_ms} ms`),
          row("offers", formatOffer(capabilities)),
          ...(capabilities.permission_modes === undefined
            ? []
            : [row("modes", capabilities.permission_modes.join(", "))]),
        ]),
  ];
}

function formatVersion(
  version: string,
  { measured_versions, probe }: Pick<DoctorReport, "measured_versions" | "probe">,
): string[] {
  return [
    row("version", `${version} (${describeSupport(version, probe !== undefined)})`),
    row("measured", measured_versions.join(", ")),
  ];
}

function formatOffer(offered: NonNullable<DoctorReport["capabilities"]>): string {
  const { models, commands, agents, output_styles } = offered;
  const counts = { models, commands, agents, "output styles": output_styles };
  return Object.entries(counts)
    .flatMap(([name, list]) => (list === undefined ? [] : [`${list.length} ${name}`]))
    .join(", ");
}

function formatLogin({ login_variables }: DoctorReport): string[] {
  if (login_variables.length === 0)
    return [row("login", "no login variable is set: Claude uses whoever is logged in")];
  return login_variables.map(({ name, meaning }) => row("login", `${name} is set: ${meaning}`));
}

function formatFeatures(features: readonly Feature[]): string[][] {
  return (["yes", "partly", "no", "unknown"] as const).map((state) => {
    const rows = features.filter(({ works }) => works === state);
    return rows.length === 0 ? [] : [`${HEADINGS[state]}:`, ...rows.map(formatFeature)];
  });
}

/** A mark shows that this CLI has reported the feature itself. */
function formatFeature({ name, note, known_by }: Feature): string {
  return `  ${known_by === "claude" ? "*" : " "} ${name.padEnd(22)} ${note}`;
}

const REST: Readonly<Record<VersionSupport, string>> = {
  measured: "; the rest as measured",
  between: "; the rest as in the measured versions, from which this one may differ",
  newer: "; the rest as in the newest measured version, from which this one may differ",
  older: "",
};

function formatProbe({ probe, features, claude }: DoctorReport): string[] {
  const rest = REST[claude?.version_support ?? "older"];
  const marks = features.length === 0 ? [] : [`* as this CLI reports${rest}`];
  if (probe === undefined) return marks;
  const checks = probe.map(({ name, ok, reason, ms }) => {
    return `  ${name.padEnd(12)} ${ok ? `ok, ${ms} ms` : `FAILED: ${reason}`}`;
  });
  return [...marks, "", "Self-test:", ...checks];
}

function row(name: string, text: string): string {
  return `${name.padEnd(10)}${text}`;
}
