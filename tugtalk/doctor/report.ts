/** What `tugtalk doctor --json` prints. Fields may be added, none is renamed. */
import { z } from "zod";
import { LoginKind } from "../src/messages/session-messages.ts";

const text = z.string();

/** `partly`: the note says in what it differs. `unknown`: nobody measured it and Claude does not tell. */
export const FeatureState = z.enum(["yes", "partly", "no", "unknown"]);
export type FeatureState = z.infer<typeof FeatureState>;

/** One thing that tugtalk offers and that depends on the CLI. */
export const Feature = z.object({
  name: text,
  works: FeatureState,
  /** `claude`: this CLI was asked. `measurement`: from what its version was seen to do. */
  known_by: z.enum(["claude", "measurement", "nothing"]),
  note: text,
});
export type Feature = z.infer<typeof Feature>;

/** One step of the self-test. */
export const ProbeCheck = z.object({
  name: text,
  ok: z.boolean(),
  /** Why not. */
  reason: text.optional(),
  ms: z.number().int().nonnegative(),
});
export type ProbeCheck = z.infer<typeof ProbeCheck>;

/** Why the CLI cannot be used, in words to act on. */
export const DoctorProblem = z.object({
  code: z.enum(["claude_not_found", "not_claude", "claude_start_failed", "claude_unresponsive"]),
  message: text,
});
export type DoctorProblem = z.infer<typeof DoctorProblem>;

export const FoundBy = z.enum(["flag", "environment", "path", "usual_place"]);
export type FoundBy = z.infer<typeof FoundBy>;

/** What this CLI said it has when it was asked in an empty home. */
export const OfferedCapabilities = z.object({
  ready_ms: z.number().int().nonnegative(),
  permission_modes: z.array(text).optional(),
  models: z.array(text).optional(),
  commands: z.array(text).optional(),
  agents: z.array(text).optional(),
  output_styles: z.array(text).optional(),
  /** The names that Claude itself gives to parts of its protocol. */
  protocol: z.array(text).optional(),
});
export type OfferedCapabilities = z.infer<typeof OfferedCapabilities>;

/** A login variable that is set; its value is never read into the report. */
export const LoginVariable = z.object({ name: text, login: LoginKind.optional(), meaning: text });
export type LoginVariable = z.infer<typeof LoginVariable>;

/** All that the doctor found. */
export const DoctorReport = z.object({
  tugtalk_version: text,
  machine: z.object({
    platform: text,
    arch: text,
    libc: z.enum(["glibc", "musl"]).optional(),
    bun_version: text,
  }),
  /** tugtalk can work with this CLI; false also when a probe failed. */
  usable: z.boolean(),
  problem: DoctorProblem.optional(),
  claude: z
    .object({
      command: z.array(text),
      found_by: FoundBy,
      version: text.optional(),
      /** The loader that the executable names. */
      loader: text.optional(),
    })
    .optional(),
  warnings: z.array(text),
  login_variables: z.array(LoginVariable),
  capabilities: OfferedCapabilities.optional(),
  features: z.array(Feature),
  probe: z.array(ProbeCheck).optional(),
});
export type DoctorReport = z.infer<typeof DoctorReport>;
