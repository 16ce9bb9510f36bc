/**
 * What a hook is told and may answer. No host can declare hooks here: the shapes are for reading the
 * requests that are refused, and for who builds on this. Protocol reference §22.
 */
import { z } from "zod";

const text = z.string();

/** What every hook is told; each event adds fields of its own (tool, prompt, reason, …). */
export const HookInput = z.looseObject({
  hook_event_name: text,
  session_id: text.optional(),
  transcript_path: text.optional(),
  cwd: text.optional(),
  permission_mode: text.optional(),
  tool_name: text.optional(),
  tool_input: z.record(z.string(), z.unknown()).optional(),
  tool_use_id: text.optional(),
});
export type HookInput = z.infer<typeof HookInput>;

/** Claude calls a hook that was registered in `initialize`. */
export const HookCallback = z.looseObject({
  subtype: z.literal("hook_callback"),
  callback_id: text,
  input: HookInput,
  tool_use_id: text.nullish(),
});
export type HookCallback = z.infer<typeof HookCallback>;
