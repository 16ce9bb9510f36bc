/** The head of a request as text, as far as it identifies the sender. Pure. */

/** The parts of a request that identify the sender. */
export type RequestHead = Pick<Request, "method" | "headers">;

/** The end of a head: an empty line. */
export const END_OF_HEAD = "\r\n\r\n";

/** The head of a request, without the empty line at its end; undefined if the text is no head. */
export function parseHead(text: string): RequestHead | undefined {
  const [first = "", ...lines] = text.split("\r\n");
  const [method = ""] = first.split(" ");
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  try {
    return { method, headers: new Headers(pairs) };
  } catch {
    return undefined; // A name or a value that no header can have.
  }
}
