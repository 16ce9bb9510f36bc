/** Lines of a stream of text. Only the new text is searched, so a long line costs no more than itself. */
import type { Readable } from "node:stream";

/** Calls `onLine` with each line that is not empty. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let pieces: string[] = [];
  const finish = () => {
    const line = pieces.join("");
    pieces = [];
    if (line !== "") onLine(line);
  };
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const [first = "", ...starts] = text.split("\n");
    pieces.push(first);
    for (const start of starts) {
      finish();
      pieces.push(start);
    }
  });
  stream.on("end", finish);
}
