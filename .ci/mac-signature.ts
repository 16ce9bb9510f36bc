/**
 * The signature that macOS requires in an executable: hashes of its pages, without the name of a signer ("ad
 * hoc"). As in Apple's `cs_blobs.h`; numbers of the file are little-endian, numbers of the signature
 * big-endian.
 */

const COMMANDS_START = 32;
const SEGMENT = 0x19;
const SIGNATURE = 0x1d;
const PAGE = 4096;
const HASH = 32;
/** The bytes of the head of a code directory of version 2.4. */
const HEAD = 88;
const SUPER_BLOB = { magic: 0xfa_de_0c_c0, head: 20 };
const DIRECTORY = { magic: 0xfa_de_0c_02, version: 0x2_04_00 };
/** The flags for ad hoc and for a linker's signature, which `codesign` replaces without a flag of its own. */
const FLAGS = 0x2_00_02;

/** The places of the used load commands and of the signature in a Mach-O file. */
type Layout = {
  readonly text: number;
  readonly linkEdit: number;
  readonly signature: number;
  readonly signatureStart: number;
};

function layoutOf(file: Buffer): Layout {
  const found = { text: 0, linkEdit: 0, signature: 0 };
  let at = COMMANDS_START;
  for (let left = file.readUInt32LE(16); left > 0; left -= 1) {
    const command = file.readUInt32LE(at);
    const name = file.toString("latin1", at + 8, at + 24).replace(/\0+$/, "");
    if (command === SIGNATURE) found.signature = at;
    if (command === SEGMENT && name === "__TEXT") found.text = at;
    if (command === SEGMENT && name === "__LINKEDIT") found.linkEdit = at;
    at += file.readUInt32LE(at + 4);
  }
  if (Object.values(found).includes(0)) throw new Error("no signed Mach-O executable");
  return { ...found, signatureStart: file.readUInt32LE(found.signature + 8) };
}

/** Replaces the signature of an executable for macOS, which must already have one. */
export async function signAdHoc(path: string, identifier: string): Promise<void> {
  await Bun.write(path, signed(Buffer.from(await Bun.file(path).bytes()), identifier));
}

/** The executable with its new signature at its end. */
export function signed(file: Buffer, identifier: string): Buffer {
  const layout = layoutOf(file);
  const end = layout.signatureStart;
  const name = Buffer.from(`${identifier}\0`);
  const pages = Math.ceil(end / PAGE);
  const length = HEAD + name.length + pages * HASH;
  const code = Buffer.from(file.subarray(0, end));
  // The load commands are in the first page, so they are changed before its hash is made.
  code.writeUInt32LE(SUPER_BLOB.head + length, layout.signature + 12);
  const linkEditSize =
    end + SUPER_BLOB.head + length - Number(code.readBigUInt64LE(layout.linkEdit + 40));
  code.writeBigUInt64LE(BigInt(Math.ceil(linkEditSize / PAGE) * PAGE), layout.linkEdit + 32);
  code.writeBigUInt64LE(BigInt(linkEditSize), layout.linkEdit + 48);
  const head = directoryHead(code, layout, { length, pages, nameLength: name.length });
  return Buffer.concat([code, superBlob(length), head, name, ...pageHashes(code)]);
}

/** Has the code directory alone. */
function superBlob(directoryLength: number): Buffer {
  const { magic, head } = SUPER_BLOB;
  return bigEndian([magic, head + directoryLength, 1, 0, head]);
}

type DirectorySizes = {
  readonly length: number;
  readonly pages: number;
  readonly nameLength: number;
};

function directoryHead(code: Buffer, { text }: Layout, sizes: DirectorySizes): Buffer {
  const { length, pages, nameLength } = sizes;
  const { magic, version } = DIRECTORY;
  const places = [HEAD + nameLength, HEAD, 0, pages, code.length];
  // 32 bytes a hash, SHA-256, no platform, pages of 2 to the power of 12.
  const kinds = Buffer.from([HASH, 2, 0, 12]);
  const unused = [0, 0, 0, 0, 0, 0];
  const executable = [code.readBigUInt64LE(text + 40), code.readBigUInt64LE(text + 48), 1n];
  return Buffer.concat([
    bigEndian([magic, length, version, FLAGS, ...places]),
    kinds,
    bigEndian(unused),
    bigEndian(
      executable.flatMap((value) => [Number(value >> 32n), Number(value & 0xff_ff_ff_ffn)]),
    ),
  ]);
}

function bigEndian(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, index) => {
    bytes.writeUInt32BE(number, index * 4);
  });
  return bytes;
}

function pageHashes(code: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(code.length / PAGE) }, (_, index) =>
    new Bun.CryptoHasher("sha256").update(code.subarray(index * PAGE, (index + 1) * PAGE)).digest(),
  );
}

/** The number of pages of a signed executable that differ from its signature. */
export function wrongPages(file: Buffer): number {
  const start = layoutOf(file).signatureStart;
  const directory = file.subarray(start + file.readUInt32BE(start + 16));
  if (directory.readUInt32BE(0) !== DIRECTORY.magic) throw new Error("no code directory");
  const hashes = directory.subarray(directory.readUInt32BE(16));
  const found = pageHashes(file.subarray(0, directory.readUInt32BE(32)));
  return found.filter((hash, at) => !hash.equals(hashes.subarray(at * HASH, (at + 1) * HASH)))
    .length;
}
