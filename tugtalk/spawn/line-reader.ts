/** Lines of a stream of text. Only new text is searched, so the cost of a long line is linear. */
import type { Readable } from "node:stream";

/** Four times the limit of the bridge, so that no message is cut. */
const MAX_LINE_CHARS = 256 * 1024 * 1024;

/** Calls `onLine` with each line that is not empty. A line of more characters comes in parts. */
export function readLines(
  stream: Readable,
  onLine: (line: string) => void,
  maxChars = MAX_LINE_CHARS,
): void {
  let pieces: string[] = [];
  let chars = 0;
  const finish = () => {
    const line = pieces.join("");
    pieces = [];
    chars = 0;
    if (line !== "") onLine(line);
  };
  const add = (piece: string) => {
    pieces.push(piece);
    chars += piece.length;
    if (chars > maxChars) finish();
  };
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const [first = "", ...starts] = text.split("\n");
    add(first);
    for (const start of starts) {
      finish();
      add(start);
    }
  });
  stream.on("end", finish);
}
