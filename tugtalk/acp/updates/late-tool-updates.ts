/** The updates about tool calls, loaded with the first message that may need them: a start, and a turn of text, have none. */
export function toolUpdates() {
  return require("./tool-updates.ts") as typeof import("./tool-updates.ts");
}
