/** How the client of a scenario answers the requests of the agent. */
import { fieldsOf } from "../../src/base/json.ts";
import type { Answering } from "../drivers/acp-client.ts";

/** Chooses the first option of a kind. */
export function choosing(kind: string): Answering {
  return ({ method, params }) => {
    if (method !== "session/request_permission") return undefined;
    const options = fieldsOf(params)["options"];
    const all = Array.isArray(options) ? options.map(fieldsOf) : [];
    const optionId = all.find((option) => option["kind"] === kind)?.["optionId"];
    return { outcome: { outcome: "selected", optionId } };
  };
}
