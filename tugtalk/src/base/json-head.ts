/** The fields at the beginning of a JSON object whose rest is not there. */
import { type Fields, fieldsOf, parseJson } from "./json.ts";

/** Members without an inner object or array, each with the comma or brace that ends it. */
const MEMBERS =
  /^\s*\{((?:\s*"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[^\s"{}[\],]+)\s*[,}])*)/;

/** The first fields of an object, up to one that is an object, an array or cut off. */
export function headFields(text: string): Fields {
  const members = MEMBERS.exec(text)?.[1] ?? "";
  return fieldsOf(parseJson(`{${members.slice(0, -1)}}`));
}
