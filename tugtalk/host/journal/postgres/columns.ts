/** Rows go to a statement as one array for each of their columns. */
import type { SQL } from "bun";

export function columnsOf(sql: SQL) {
  return {
    texts: (values: readonly string[]) => sql.array(values.map(storable), "TEXT"),
    numbers: (values: readonly number[]) => sql.array([...values], "BIGINT"),
  };
}

/**
 * Replaces NUL, which PostgreSQL refuses, by the character that stands for half a character. JSON text has no
 * NUL.
 */
export function storable(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
}
