/** Code as coloured pieces. */
import { expect, test } from "bun:test";
import { type CodePiece, highlight } from "../highlight.ts";
import { languageNamed } from "../languages.ts";

const textOf = (pieces: readonly CodePiece[]): string =>
  pieces.map((piece) => (typeof piece === "string" ? piece : textOf(piece.pieces))).join("");

const scopesOf = (pieces: readonly CodePiece[]): string[] =>
  pieces.flatMap((piece) =>
    typeof piece === "string" ? [] : [piece.scope ?? "-", ...scopesOf(piece.pieces)],
  );

const SAMPLES: Readonly<Record<string, readonly [code: string, scope: string]>> = {
  sh: ['for i in *; do echo "$i"; done', "keyword"],
  cpp: ["int main() { return 0; }", "type"],
  css: ["a.b:hover { color: #fff; } @media print {}", "attribute"],
  diff: ["-a\n+b", "addition"],
  docker: ["FROM debian:12", "keyword"],
  go: ["func main() {}", "keyword"],
  toml: ['[a]\nb = "c"', "section"],
  java: ["class A {}", "keyword"],
  json: ['{"a": 1}', "attr"],
  md: ["# Title", "section"],
  py: ["def a(): pass", "keyword"],
  rs: ["fn main() {}", "keyword"],
  sql: ["SELECT a FROM b", "keyword"],
  jsx: ["const a = 1;", "keyword"],
  html: ['<a href="b">', "tag"],
  yml: ["a: 1", "attr"],
};

test.each(Object.entries(SAMPLES))("%s is coloured, and no character is lost", async (...row) => {
  const [language, [code, scope]] = row;
  const pieces = (await highlight(code, language)) ?? [];
  expect(textOf(pieces)).toBe(code);
  expect(scopesOf(pieces)).toContain(scope);
});

test("the properties, selectors and values of CSS have scopes of their own", async () => {
  const code = "/* c */ a.b:hover { color: #fff; width: calc(1px + var(--x)) }";
  const pieces = (await highlight(code, "scss")) ?? [];
  expect(scopesOf(pieces)).toEqual([
    ...["comment", "name", "selector", "selector"],
    ...["attribute", "number", "attribute", "built_in", "number", "built_in", "variable"],
  ]);
});

test("HTML in code is text", async () => {
  const code = '<img src=x onerror="alert(1)"><script>alert(1)</script>';
  expect(textOf((await highlight(code, "html")) ?? [])).toBe(code);
});

test("a language that is not known is left plain, also one with the name of a property", async () => {
  expect(await highlight("a", "brainfuck")).toBeUndefined();
  expect(languageNamed("constructor")).toBeUndefined();
  expect(languageNamed("")).toBeUndefined();
});
