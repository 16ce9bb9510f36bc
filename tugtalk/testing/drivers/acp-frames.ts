/** Checks frames of the ACP agent with the schemas that the protocol publishes. */
import STABLE from "@agentclientprotocol/sdk/schema/v1/schema.json";
import UNSTABLE from "@agentclientprotocol/sdk/schema/v1/schema.unstable.json";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Fields } from "../../src/base/json.ts";

const ajv = new Ajv2020({ validateFormats: false, validateSchema: false, strict: false });

function agentMessage(
  id: string,
  schema: { readonly anyOf: readonly unknown[] },
): ValidateFunction {
  const [message] = schema.anyOf;
  ajv.addSchema({ ...schema, anyOf: undefined, $id: id });
  return ajv.compile({ ...JSON.parse(JSON.stringify(message).replaceAll('"#/', `"${id}#/`)) });
}

const OF_AGENT = {
  stable: agentMessage("stable", STABLE),
  unstable: agentMessage("unstable", UNSTABLE),
};

/** The fault of a frame of the agent; undefined if it has none. */
export function frameProblem(
  frame: Fields,
  schema: keyof typeof OF_AGENT = "stable",
): string | undefined {
  const isOfAgent = OF_AGENT[schema];
  if (isOfAgent(frame)) return undefined;
  const [problem] = isOfAgent.errors ?? [];
  return `${problem?.instancePath} ${problem?.message}`;
}
