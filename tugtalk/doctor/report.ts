/** The output of `tugtalk doctor --json`. Fields may be added, none is renamed. */
import { z } from "zod";
import { LoginKind } from "../src/messages/session-messages.ts";

const text = z.string();

/** `partly`: the note says how it differs. `unknown`: neither measured nor reported. */
export const FeatureState = z.enum(["yes", "partly", "no", "unknown"]);
export type FeatureState = z.infer<typeof FeatureState>;

/** A feature of tugtalk that depends on the CLI. */
export const Feature = z.object({
  name: text,
  works: FeatureState,
  /** `claude`: this CLI reports it. `measurement`: its version was measured. `inference`: others were. */
  known_by: z.enum(["claude", "measurement", "inference", "nothing"]),
  note: text,
});
export type Feature = z.infer<typeof Feature>;

/** One step of the self-test. */
export const ProbeCheck = z.object({
  name: text,
  ok: z.boolean(),
  reason: text.optional(),
  ms: z.number().int().nonnegative(),
});
export type ProbeCheck = z.infer<typeof ProbeCheck>;

/** Why the CLI cannot be used, and what to do. */
export const DoctorProblem = z.object({
  code: z.enum(["claude_not_found", "not_claude", "claude_start_failed", "claude_unresponsive"]),
  message: text,
});
export type DoctorProblem = z.infer<typeof DoctorProblem>;

/** Whether this version was measured, or where it lies beside the measured versions. */
export const VersionSupport = z.enum(["measured", "between", "newer", "older"]);
export type VersionSupport = z.infer<typeof VersionSupport>;

export const FoundBy = z.enum(["flag", "environment", "path", "usual_place"]);
export type FoundBy = z.infer<typeof FoundBy>;

/** A login variable that is set. The report never has its value. */
export const LoginVariable = z.object({ name: text, login: LoginKind.optional(), meaning: text });
export type LoginVariable = z.infer<typeof LoginVariable>;

export const DoctorReport = z.object({
  tugtalk_version: text,
  machine: z.object({
    platform: text,
    arch: text,
    libc: z.enum(["glibc", "musl"]).optional(),
    bun_version: text,
  }),
  /** The versions of Claude Code that this tugtalk was measured with. */
  measured_versions: z.array(text),
  /** Also false when a check of the probe failed. */
  usable: z.boolean(),
  problem: DoctorProblem.optional(),
  claude: z
    .object({
      command: z.array(text),
      found_by: FoundBy,
      version: text.optional(),
      version_support: VersionSupport.optional(),
      loader: text.optional(),
    })
    .optional(),
  warnings: z.array(text),
  login_variables: z.array(LoginVariable),
  /** The capabilities of this CLI in an empty home. */
  capabilities: z
    .object({
      ready_ms: z.number().int().nonnegative(),
      permission_modes: z.array(text).optional(),
      models: z.array(text).optional(),
      commands: z.array(text).optional(),
      agents: z.array(text).optional(),
      output_styles: z.array(text).optional(),
      /** The protocol capabilities, as Claude names them. */
      protocol: z.array(text).optional(),
    })
    .optional(),
  features: z.array(Feature),
  probe: z.array(ProbeCheck).optional(),
});
export type DoctorReport = z.infer<typeof DoctorReport>;
