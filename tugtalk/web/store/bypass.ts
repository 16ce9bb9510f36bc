/** The mode in which Claude asks for nothing. */
export const BYPASS = "bypassPermissions";
