/** Compares a release with its checksums and with its bill of materials. */
import { join } from "node:path";
import { z } from "zod";
import { wrongPages } from "./mac-signature.ts";
import {
  BILL,
  CHECKSUMS,
  formatChecksums,
  type Hashes,
  hashFolder,
  hashPackage,
  parseChecksums,
} from "./release-files.ts";

const Component = z.object({
  type: z.string(),
  name: z.string(),
  version: z.string().optional(),
  hashes: z.tuple([z.object({ content: z.string() })]),
});

/** The part of a bill that is compared. */
const Bill = z.object({
  metadata: z.object({ component: Component.extend({ components: z.array(Component) }) }),
  components: z.array(Component),
});

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()),
});

/** A sentence about each difference: none if the release is complete. */
export async function releaseProblems(folder: string): Promise<readonly string[]> {
  const files = await hashFolder(folder);
  const list = await textOf(folder, CHECKSUMS);
  const listed = parseChecksums(list);
  const unlike = differences(CHECKSUMS, listed, files);
  const isWhole = unlike.length > 0 || list === formatChecksums(files);
  return [
    ...unlike,
    ...(isWhole ? [] : [`${CHECKSUMS} has lines that sha256sum does not write`]),
    ...(await billProblems(folder, files).catch((error: unknown) => [`${BILL}: ${error}`])),
    ...(await signatureProblems(folder, files)),
  ];
}

/** An empty text for a file that is missing. */
async function textOf(folder: string, name: string): Promise<string> {
  const file = Bun.file(join(folder, name));
  return (await file.exists()) ? await file.text() : "";
}

/** The differences both ways: unlisted files, and listed files that are missing. */
function differences(list: string, listed: Hashes, found: Hashes): readonly string[] {
  const names = [...new Set([...listed.keys(), ...found.keys()])];
  return names.flatMap((name) => {
    if (listed.get(name) === found.get(name)) return [];
    if (!found.has(name)) return [`${name} is missing`];
    return [listed.has(name) ? `${name} is not the file of ${list}` : `${list} has no ${name}`];
  });
}

async function billProblems(folder: string, files: Hashes): Promise<readonly string[]> {
  const { metadata, components } = Bill.parse(JSON.parse(await textOf(folder, BILL)));
  const { component } = metadata;
  const tarball = `${component.name}-${component.version}.tgz`;
  const isFile = ({ type }: z.infer<typeof Component>) => type === "file";
  const released = hashesOf([{ ...component, name: tarball }, ...components.filter(isFile)]);
  const others = new Map([...files].filter(([name]) => name !== BILL));
  return [
    ...differences(BILL, released, others),
    ...(await packageProblems(join(folder, tarball), { component, components })),
  ];
}

function hashesOf(components: readonly z.infer<typeof Component>[]): Hashes {
  return new Map(components.map(({ name, hashes: [hash] }) => [name, hash.content]));
}

type Listed = {
  readonly component: z.infer<typeof Bill>["metadata"]["component"];
  readonly components: z.infer<typeof Bill>["components"];
};

/** Whether the package has the files of the bill, and npm installs the packages of the bill with it. */
async function packageProblems(path: string, { component, components }: Listed): Promise<string[]> {
  const problems = differences(BILL, hashesOf(component.components), await hashPackage(path));
  const packed = await new Bun.Archive(await Bun.file(path).bytes()).files("package/package.json");
  const text = await packed.get("package/package.json")?.text();
  const { name, version, dependencies } = Manifest.parse(JSON.parse(text ?? ""));
  const known = [component, ...components].map((one) => `${one.name} ${one.version}`);
  const needed = Object.entries({ [name]: version, ...dependencies });
  const unknown = needed.map((pair) => pair.join(" ")).filter((pair) => !known.includes(pair));
  return [...problems, ...unknown.map((pair) => `${BILL} has no ${pair}, which the package names`)];
}

async function signatureProblems(folder: string, files: Hashes): Promise<string[]> {
  const problems: string[] = [];
  for (const name of files.keys()) {
    if (!name.includes("-darwin-")) continue;
    const wrong = wrongPages(Buffer.from(await Bun.file(join(folder, name)).bytes()));
    if (wrong > 0)
      problems.push(`macOS refuses ${name}: ${wrong} of its pages are not those that were signed`);
  }
  return problems;
}
