/**
 * Clients that are made of the OpenAPI document of a host: in Python by `examples/openapi.py`, in TypeScript by
 * `openapi-fetch`. With `TUGTALK_TEST_CLIENT` the tests of the host give their commands by one of them.
 */
import { join } from "node:path";
import { z } from "zod";
import { openApiDocument } from "../../host/openapi/document.ts";
import { type Fields, fieldsOf } from "../../src/base/json.ts";
import type { HttpAnswer } from "./http-answer.ts";
import { installPackage } from "./installed-package.ts";

/** The host that a client speaks with. */
export type Address = { readonly url: string; readonly token: string };

/** Gives a command, as the operation of that name. */
export type OpenApiClient = (command: string, fields: Fields) => Promise<HttpAnswer>;

const CLIENTS = { python: openPython, typescript: openTypeScript } as const;

/** The clients by name. */
export const CLIENT_NAMES = Object.keys(CLIENTS) as readonly (keyof typeof CLIENTS)[];

const opened = new Map<string, Promise<OpenApiClient>>();

/** The client of that name for a host: one for each token, which ends with this process. */
export function openClient(name: string, address: Address): Promise<OpenApiClient> {
  const open = CLIENT_NAMES.find((known) => known === name);
  if (open === undefined) throw new Error(`there is no client ${name}`);
  const key = [name, address.url, address.token].join(" ");
  const client = opened.get(key) ?? CLIENTS[open](address);
  opened.set(key, client);
  return client;
}

const PythonAnswer = z.object({
  status: z.number(),
  body: z.record(z.string(), z.unknown()),
});

async function openPython({ url, token }: Address): Promise<OpenApiClient> {
  const program = join(import.meta.dir, "openapi-client.py");
  const examples = join(import.meta.dir, "../../examples");
  const child = Bun.spawn(["python3", "-B", program, examples, url, token], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.unref();
  const waiting: ((answer: HttpAnswer) => void)[] = [];
  void readLines(child.stdout, (line) => {
    waiting.shift()?.({ ...PythonAnswer.parse(JSON.parse(line)), headers: new Headers() });
  });
  return (command, fields) => {
    const { promise, resolve } = Promise.withResolvers<HttpAnswer>();
    waiting.push(resolve);
    child.stdin.write(`${JSON.stringify({ command, fields })}\n`);
    child.stdin.flush();
    return promise;
  };
}

async function readLines(
  stream: ReadableStream<Uint8Array>,
  onLine: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  }
}

/** The part of `openapi-fetch` that is used. */
type Fetching = {
  readonly default: (options: Fields) => {
    readonly request: (method: string, path: string, options: Fields) => Promise<Fetched>;
  };
};
type Fetched = { readonly data?: unknown; readonly error?: unknown; readonly response: Response };

async function openTypeScript({ url: baseUrl, token }: Address): Promise<OpenApiClient> {
  const { path } = await installPackage("openapi-fetch", "0.17.0");
  const { default: createClient }: Fetching = await import(join(path, "dist/index.mjs"));
  const client = createClient({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  return async (command, fields) => {
    const { method, template, places } = operationOf(command);
    const given: Record<string, Record<string, unknown>> = { path: {}, query: {}, body: {} };
    for (const [name, value] of Object.entries(fields)) {
      const place = given[places.get(name) ?? "body"];
      if (place !== undefined) place[name] = value;
    }
    const { body = {}, ...params } = given;
    const { data, error, response } = await client.request(method, template, {
      params,
      ...(Object.keys(body).length > 0 && { body }),
      ...(command === "export" && fields["format"] !== "json" && { parseAs: "text" }),
    });
    const { status, headers } = response;
    const answer = data ?? error;
    return {
      status,
      headers,
      body: typeof answer === "string" ? { text: answer } : fieldsOf(answer),
    };
  };
}

type Operation = {
  readonly method: string;
  readonly template: string;
  /** `path` or `query`, by the name of a parameter. */
  readonly places: ReadonlyMap<string, string>;
};

function operationOf(command: string): Operation {
  for (const [template, item] of Object.entries(fieldsOf(DOCUMENT["paths"])))
    for (const [method, operation] of Object.entries(fieldsOf(item))) {
      if (fieldsOf(operation)["operationId"] !== command) continue;
      const inPath = [...template.matchAll(/\{(\w+)\}/g)].map(
        ([, name = ""]) => [name, "path"] as const,
      );
      const { parameters } = fieldsOf(operation);
      const own = Array.isArray(parameters) ? parameters.map(fieldsOf) : [];
      const inQuery = own.map((one) => [String(one["name"]), String(one["in"])] as const);
      return { method, template, places: new Map([...inPath, ...inQuery]) };
    }
  throw new Error(`the document has no operation ${command}`);
}

const DOCUMENT = openApiDocument();
