/** The names of the tests of a file, read from its text, so that documents can be held against them. */

/** One `test` or `describe`, with the part of the text that it spans. */
type Named = {
  readonly word: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
};

const HEAD = /^( *)(test|describe)(?:\.\w+)*\(/gm;
const LITERAL = /\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`),/y;
const LITERAL_AFTER_TABLE = /\)\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`),/g;

/**
 * `describe › test` for each test, templates of `test.each` as they are written. Relies on the
 * formatter: what a block spans ends with the first bracket at the indentation of its first word.
 */
export function testNames(text: string): string[] {
  const all = [...text.matchAll(HEAD)].flatMap((head) => named(text, head));
  const groups = all.filter(({ word }) => word === "describe");
  return all
    .filter(({ word }) => word === "test")
    .map(({ start, name }) => {
      const around = groups.filter((group) => group.start < start && start < group.end);
      return [...around.map((group) => group.name), name].join(" › ");
    });
}

function named(text: string, head: RegExpExecArray): Named[] {
  const [whole, indent = "", word = ""] = head;
  const afterHead = head.index + whole.length - 1;
  const pattern = whole.includes(".each(") ? LITERAL_AFTER_TABLE : LITERAL;
  pattern.lastIndex = afterHead;
  const literal = pattern.exec(text);
  if (literal === null) return [];
  const from = literal.index + literal[0].length;
  const end = text.slice(from).search(new RegExp(`\n${indent}[\\])}]`));
  const name = unquoted(literal[1] ?? "");
  return [{ word, name, start: head.index, end: end === -1 ? text.length : from + end }];
}

function unquoted(literal: string): string {
  const inner = literal.slice(1, -1);
  return literal.startsWith("`") ? inner : inner.replace(/\\(.)/g, "$1");
}
