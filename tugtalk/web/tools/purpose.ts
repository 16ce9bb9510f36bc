/** The purpose of a command, which the line of an open card has. Pure. */
import type { InputPreview } from "../../client/views/tools.ts";

export function purposeOf({ body, rest }: InputPreview): string | undefined {
  if (body.kind !== "command") return undefined;
  return rest.find(({ name }) => name === "description")?.text;
}
