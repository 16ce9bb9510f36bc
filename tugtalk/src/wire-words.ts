/** The words of both wires that mean something there: types, modes, decisions and the like. */
import { z } from "zod";
import { InitializeResponse, ResultMessage, StreamEventMessage } from "./protocol-types.ts";
import { InboundMessage, OutboundMessage } from "./types.ts";

const SCHEMAS = [
  InboundMessage,
  OutboundMessage,
  StreamEventMessage,
  ResultMessage,
  InitializeResponse,
];

let words: ReadonlySet<string> | undefined;

/** Each word that a schema names as a value. They are looked up once: that takes a while. */
export function wireWords(): ReadonlySet<string> {
  words ??= new Set(
    SCHEMAS.flatMap((schema) => wordsIn(z.toJSONSchema(schema, { unrepresentable: "any" }))),
  );
  return words;
}

function wordsIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(wordsIn);
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([name, inner]) => {
    const values: unknown[] = name === "const" ? [inner] : name === "enum" ? inner : [];
    const words = values.filter((value) => typeof value === "string");
    return words.length > 0 ? words : wordsIn(inner);
  });
}
