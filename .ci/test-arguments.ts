/** The command line of the test runner. */
import { parseArgs } from "node:util";
import { filesWith, RINGS } from "./test-rings.ts";

export const USAGE = `npm test: runs tests, prints each failure, and the totals as the last line

usage: npm test -- [ring…]         by default the everyday tests, the ring unit
       npm test -- [file…]         the tests of some files: a path, or a part of it
       npm run test:built -- --all every test that starts a bridge, on what npm run build makes

  -t, --name <words>   only the tests whose names match, as a regular expression
  --all                as above
  --help               print this text

rings: ${Object.keys(RINGS).join(", ")}
`;

/** A whole ring, or some of its files. */
export type Chosen = { readonly name: string; readonly files?: readonly string[] };

export type TestArguments = {
  readonly chosen: readonly Chosen[];
  readonly isAll: boolean;
  /** A pattern for the names of tests. */
  readonly testName: string | undefined;
};

const OPTIONS = {
  name: { type: "string", short: "t" },
  all: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Throws the fault of a flag. An unknown word is reported as a ring that does not exist. */
export function parseTestArguments(args: readonly string[]): TestArguments | "help" {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
  });
  if (values.help === true) return "help";
  const words = positionals.length > 0 ? positionals : ["unit"];
  return { chosen: words.flatMap(chosenBy), isAll: values.all === true, testName: values.name };
}

function chosenBy(word: string): Chosen[] {
  if (Object.hasOwn(RINGS, word)) return [{ name: word }];
  const found = filesWith(word.replace(/^\.\//, ""));
  if (found.size === 0) return [{ name: word }];
  return [...found].map(([name, files]) => ({ name, files }));
}
