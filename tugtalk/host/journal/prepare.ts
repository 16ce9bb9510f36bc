/** The type of the function that prepares a statement, and the columns that many statements have. */
import type { Statement } from "bun:sqlite";

export type Session = { readonly session: number };
export type Json = { readonly row: string };

export type Bindings = Readonly<Record<string, string | number | boolean | null>>;
export type Prepare = <Row, Params extends Bindings = Record<never, never>>(
  sql: string,
) => Statement<Row, [Params]>;
