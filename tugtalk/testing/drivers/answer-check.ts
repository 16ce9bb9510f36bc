/**
 * Whether an answer of a host is as its OpenAPI document says, to the last field. The validator knows nothing
 * of tugtalk.
 */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { HOST_ROUTES } from "../../client/host-routes.ts";
import { openApiDocument } from "../../host/openapi/document.ts";
import { REFUSALS } from "../../host/openapi/refusals.ts";
import { type Fields, fieldsOf } from "../../src/base/json.ts";
import { ErrorCode } from "../../src/messages/error-message.ts";
import type { HttpAnswer } from "./http-answer.ts";

/** Fields and values that the document does not have are faults. */
const DOCUMENT = openApiDocument("closed");
const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
ajv.addSchema({ $id: "host", ...DOCUMENT });

/** Each is compiled when it is first needed. */
const validators = new Map<string, ValidateFunction>();

/** Throws where an answer over HTTP is not one of the document. A path that is not in it has refusals only. */
export function checkAnswer(method: string, path: string, answer: HttpAnswer): void {
  const route = routeOf(path);
  const pointer = ["paths", route, method.toLowerCase()];
  const operation = route === undefined ? undefined : valueAt(pointer);
  const fault =
    answer.status >= 400
      ? refusalFault(answer.status, answer.body, operation)
      : contentFault(pointer, answer);
  report(`${method} ${path}`, answer.status, fault);
}

/** Throws where an answer of the WebSocket to a command is not one of the document. */
export function checkSocketAnswer(cmd: string, { id: _id, ok, s, ...fields }: Fields): void {
  const route = Object.entries(HOST_ROUTES).find(([name]) => name === cmd)?.[1];
  if (route === undefined || "contentType" in fields) return;
  const pointer = ["paths", pathOf(route.path), route.method.toLowerCase()];
  const operation = valueAt(pointer);
  const { status, ...refusal } = fields;
  const body = s === undefined ? fields : { ...fields, id: s };
  const fault =
    ok === false
      ? refusalFault(Number(status), refusal, operation)
      : statusesOf(operation)
          .map((one) => bodyFault([...pointer, "responses", one, ...JSON_CONTENT], body))
          .reduce((one, other) => one && other);
  report(`${cmd} on the WebSocket`, Number(status ?? 200), fault);
}

const JSON_CONTENT = ["content", "application/json", "schema"];

function report(what: string, status: number, fault: string | undefined): void {
  if (fault === undefined) return;
  throw new Error(`the answer ${status} to ${what} is not as its OpenAPI document says: ${fault}`);
}

/** The path of the document that a request is for, preferably a path without parameters. */
function routeOf(path: string): string | undefined {
  const [given = ""] = path.split("?");
  const fitting = Object.keys(fieldsOf(DOCUMENT["paths"])).filter((known) =>
    new RegExp(`^${known.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`).test(given),
  );
  return fitting.find((known) => !known.includes("{")) ?? fitting[0];
}

function pathOf(route: string): string {
  return route.replace(/:(\w+)/g, "{$1}");
}

function valueAt(pointer: readonly (string | undefined)[]): unknown {
  return pointer.reduce<unknown>((value, key = "") => fieldsOf(value)[key], DOCUMENT);
}

/** The good ones of an operation. */
function statusesOf(operation: unknown): readonly string[] {
  return Object.keys(fieldsOf(fieldsOf(operation)["responses"])).filter((key) => key < "300");
}

function contentFault(
  pointer: readonly (string | undefined)[],
  { status, headers, body }: HttpAnswer,
): string | undefined {
  const response = [...pointer, "responses", String(status)];
  if (valueAt(response) === undefined) return "it has no such status";
  const type = headers.get("content-type");
  const { content } = fieldsOf(valueAt(response));
  if (type === null || content === undefined) return undefined;
  const media = [...response, "content", type];
  if (valueAt(media) === undefined) return `it has no ${type}`;
  const isJson = type.startsWith("application/json");
  return bodyFault([...media, "schema"], isJson ? body : body["text"]);
}

function bodyFault(pointer: readonly (string | undefined)[], body: unknown): string | undefined {
  const escaped = pointer.map((key = "") => key.replaceAll("~", "~0").replaceAll("/", "~1"));
  const reference = `host#/${escaped.map(encodeURIComponent).join("/")}`;
  const validate = validators.get(reference) ?? ajv.compile({ $ref: reference });
  validators.set(reference, validate);
  if (validate(body)) return undefined;
  const errors = (validate.errors ?? []).slice(-5);
  return errors
    .map(({ instancePath, message, params }) => {
      const detail = params["additionalProperty"] ?? params["allowedValue"] ?? "";
      return `${instancePath || "the body"} ${message} ${detail}`.trim();
    })
    .join("; ");
}

function refusalFault(status: number, body: Fields, operation: unknown): string | undefined {
  const found = Object.entries(REFUSALS).find(([known]) => known === String(status));
  if (found === undefined) return "it has no such status";
  const [, { codes }] = found;
  const { code } = body;
  const isOfBridge = [409, 503].includes(status) && ErrorCode.safeParse(code).success;
  if (!isOfBridge && !codes.some((known) => known === code)) return `it has no code ${code}`;
  const named = OF_OPERATIONS.includes(status) && operation !== undefined;
  const responses = fieldsOf(fieldsOf(operation)["responses"]);
  if (named && !(status in responses)) return "the operation has no such status";
  return bodyFault(["components", "schemas", "Error"], body);
}

/** The refusals that say something of the operation, which names them. */
const OF_OPERATIONS = [404, 409, 501];
