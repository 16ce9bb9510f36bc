/** Sessions of ACP in one process: the ids of its requests have the name of a session before them. */
import { z } from "zod";
import type { Fields } from "../../src/base/json.ts";
import { at } from "./dialects.ts";
import type { Link, PeerProcess } from "./peer-process.ts";

/** The most bytes of a line that are searched for its session. */
const START_OF_LINE = 256;

const Line = z.record(z.string(), z.unknown());

/** Opens a session under a name of our own. */
export function openAcpLinks(shared: PeerProcess): (name: string) => Link {
  const byName = new Map<string, Link>();
  const bySession = new Map<string, Link>();
  const decoder = new TextDecoder();
  shared.onLine = (bytes) => {
    const start = Buffer.from(
      bytes.buffer,
      bytes.byteOffset,
      Math.min(bytes.length, START_OF_LINE),
    );
    const session = /"sessionId":"([^"]*)"/.exec(start.toString("latin1"))?.[1] ?? "";
    const known = bySession.get(session);
    if (known !== undefined) known.onLine(bytes);
    else takeAnswer(Line.parse(JSON.parse(decoder.decode(bytes))));
  };
  const takeAnswer = (line: Fields) => {
    const [name = "", id] = String(line["id"]).split("#");
    const link = byName.get(name);
    if (link === undefined) return;
    const session = at(line, "result", "sessionId");
    if (typeof session === "string") bySession.set(session, link);
    link.onLine(Buffer.from(JSON.stringify({ ...line, id: Number(id) })));
  };
  return (name) => {
    const isFirst = byName.size === 0;
    const link: Link = {
      pid: shared.pid,
      ended: shared.ended,
      onLine: () => {},
      send: (line) => {
        const { method, id } = line;
        if (method === "initialize" && !isFirst) return;
        shared.send(method === undefined ? line : { ...line, id: `${name}#${id}` });
      },
    };
    byName.set(name, link);
    return link;
  };
}
