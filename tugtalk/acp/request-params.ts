/** Checks the parameters of the client's requests. */
import type { z } from "zod";
import { AcpError } from "./json-rpc.ts";
import { late } from "./late.ts";
import { PLAIN_REQUESTS } from "./plain-checks.generated.ts";

type Schemas = typeof import("./request-schemas.ts").REQUESTS;
type Params<Name extends keyof Schemas> = z.infer<Schemas[Name]>;

/** For parameters that are not plain. */
const schemas = late(
  () => (require("./request-schemas.ts") as typeof import("./request-schemas.ts")).REQUESTS,
);

/** The checked parameters. Throws -32602, which names the first fields that are wrong. */
export function paramsOf<Name extends keyof Schemas>(name: Name, params: unknown): Params<Name> {
  const given = params ?? {};
  if (isPlain(name, given)) return given;
  const { data, error } = schemas()[name].safeParse(given);
  // The schema of a name gives the parameters of that name.
  if (error === undefined) return data as Params<Name>;
  const problems = error.issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
  throw new AcpError("invalidParams", problems.join("; "));
}

/** Whether the schema of the request would change none of the fields that the agent reads. */
function isPlain<Name extends keyof Schemas>(name: Name, params: unknown): params is Params<Name> {
  return PLAIN_REQUESTS.get(name)?.(params) === true;
}
