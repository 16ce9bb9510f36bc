/** Rows go to a statement as one array for each of their columns. */
import type { SQL } from "bun";

export function columnsOf(sql: SQL) {
  return {
    texts: (values: readonly string[]) => sql.array(values.map(storable), "TEXT"),
    numbers: (values: readonly number[]) => sql.array([...values], "BIGINT"),
  };
}

/** PostgreSQL refuses NUL. It is written as UTF-8 writes half a character. JSON has none. */
export function storable(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
}
