/**
 * Prints types for all messages in Go, Python or Rust, from the JSON Schema on stdin:
 *
 *     npx tugtalk schema | node types.mjs go > tugtalk.go
 *
 * A message of an unknown kind, and an unknown value of an enum, are kept and written again as they came.
 */
import { text } from "node:stream/consumers";
import { declarationsOf } from "./declarations.mjs";
import { printGo } from "./go.mjs";
import { printPython } from "./python.mjs";
import { printRust } from "./rust.mjs";

const PRINTERS = { go: printGo, python: printPython, rust: printRust };

const print = PRINTERS[process.argv[2]];
if (print === undefined) throw new Error("usage: types.mjs go|python|rust < schema.json");
process.stdout.write(print(declarationsOf(JSON.parse(await text(process.stdin)))));
