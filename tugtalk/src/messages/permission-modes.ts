/** The permission modes of all CLI versions that were measured. */
export const PERMISSION_MODES = [
  "default",
  "acceptEdits",
  "bypassPermissions",
  "plan",
  "dontAsk",
  "delegate",
  "auto",
  "manual",
] as const;
