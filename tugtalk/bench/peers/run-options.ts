/** The command line of the comparison. */
import { parseArgs } from "node:util";
import { ArgumentError, parseRounds } from "../bench-arguments.ts";

export type RunOptions = {
  readonly isQuick: boolean;
  readonly rounds: number;
  /** Names of scenarios and contenders; absent: all. */
  readonly only?: readonly string[];
  readonly contenders?: readonly string[];
  /** The file that everything measured is written to. */
  readonly json?: string;
  /** The document that the tables are written into. */
  readonly table?: string;
};

const ROUNDS = 5;

/** The flags, as `parseArgs` takes them. */
export const RUN_FLAGS = {
  quick: { type: "boolean", default: false },
  rounds: { type: "string" },
  only: { type: "string" },
  contenders: { type: "string" },
  json: { type: "string" },
  table: { type: "string" },
} as const;

/** Throws where a flag is unknown, or names what is not there. */
export function parseRunOptions(args: readonly string[]): RunOptions {
  const { values } = parseArgs({ args: [...args], options: RUN_FLAGS });
  const { quick, rounds = quick ? "1" : String(ROUNDS), only, contenders, json, table } = values;
  if (quick && table !== undefined)
    throw new ArgumentError("--table is for a run that is not --quick");
  return {
    isQuick: quick,
    rounds: parseRounds(rounds),
    ...(only !== undefined && { only: only.split(",") }),
    ...(contenders !== undefined && { contenders: contenders.split(",") }),
    ...(json !== undefined && { json }),
    ...(table !== undefined && { table }),
  };
}

/** Those that are named, or all; throws where a name is unknown. */
export function chosen<T extends { readonly name: string }>(
  all: readonly T[],
  names: readonly string[] | undefined,
): readonly T[] {
  const unknown = names?.find((name) => all.every((one) => one.name !== name));
  if (unknown !== undefined)
    throw new ArgumentError(
      `there is no ${unknown}; there are ${all.map(({ name }) => name).join(", ")}`,
    );
  return names === undefined ? all : all.filter(({ name }) => names.includes(name));
}
