/** Desktop applications, as far as they run without Electron and Tauri: types, configuration, and the host that they start. */
import { afterEach, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { type Example, endExamples } from "./support/example-process.ts";
import { INSTALL_LIMIT_MS, Recipe } from "./support/recipe.ts";

let recipe: Recipe;
let root = "";

beforeAll(async () => {
  recipe = await Recipe.open("desktop.md");
  root = recipe.folder;
}, INSTALL_LIMIT_MS);
afterEach(endExamples);

/** Electron for `main.mjs`: a window that prints its address, and is closed at the end of the input. */
const ELECTRON = `
import { EventEmitter } from "node:events";
import { mkdirSync } from "node:fs";
export const app = Object.assign(new EventEmitter(), {
  whenReady: async () => {},
  getPath(name) {
    mkdirSync(name, { recursive: true });
    return process.cwd() + "/" + name;
  },
  quit() {},
});
export class BrowserWindow {
  webContents = { setWindowOpenHandler() {} };
  async loadURL(url) {
    console.log(url);
    process.stdin.resume().on("end", () => app.emit("will-quit"));
  }
}
export const shell = {};
`;

/** A program that starts a host by \`host.rs\`, prints its address, and lets go of it at the end of the input. */
const RUST = `mod host;
fn main() {
    let tugtalk = std::env::args().nth(1).unwrap();
    let flags = ["--data=data".into(), "--dir=documents".into(), "--no-own-name".into()];
    let host = host::Host::start(&tugtalk, &flags).unwrap();
    println!("{}", host.url);
    let _ = std::io::stdin().read_line(&mut String::new());
}
`;

/** The link signs in, and at the end of its window no process is left. */
async function useAndEnd(program: Example): Promise<void> {
  const link = (await program.output.waitFor(/\n/)).trim();
  expect((await fetch(link, { redirect: "manual" })).status).toBe(303);
  program.endInput();
  expect(await program.ended).toBe(0);
  expect(await program.left()).toEqual([]);
}

test(
  "the application in Electron has the types of Electron, shows a host that it starts, and ends it",
  async () => {
    recipe.folder = root;
    await recipe.run(recipe.commands("Electron"));
    const stub = join(recipe.folder, "on-node");
    mkdirSync(join(stub, "node_modules/electron"), { recursive: true });
    writeFileSync(join(stub, "node_modules/electron/index.mjs"), ELECTRON);
    const manifest = { name: "electron", exports: "./index.mjs" };
    writeFileSync(join(stub, "node_modules/electron/package.json"), JSON.stringify(manifest));
    await useAndEnd(recipe.start("cp main.mjs on-node && cd on-node && node main.mjs"));
  },
  INSTALL_LIMIT_MS,
);

test("the configuration of the application in Tauri fits the schema of Tauri", async () => {
  recipe.folder = root;
  await recipe.run(recipe.commands("Tauri"));
  const install = "npm install --no-save --ignore-scripts --omit=optional @tauri-apps/cli@2.12.5";
  await recipe.run(`mkdir schema && cd schema && npm init -y && ${install}`);
  const read = (path: string) => Bun.file(join(root, path)).json();
  const schema = await read("schema/node_modules/@tauri-apps/cli/config.schema.json");
  const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false });
  const validate = ajv.compile(schema);
  const configuration = await read("tauri/tauri.conf.json");
  expect([validate(configuration), validate.errors]).toEqual([true, null]);
  expect(validate({ ...configuration, windows: [] })).toBe(false);
});

test.skipIf(Bun.which("rustfmt") === null)(
  "the sources of the application in Tauri are formed well, and start a host that ends with them",
  async () => {
    recipe.folder = join(root, "tauri/src");
    await recipe.run("rustfmt --check --edition 2021 main.rs ../build.rs");
    writeFileSync(join(recipe.folder, "try.rs"), RUST);
    await recipe.run("rustc --edition 2021 try.rs && mkdir documents");
    await useAndEnd(recipe.start(`./try ${join(root, "node_modules/.bin/tugtalk")}`));
  },
);
