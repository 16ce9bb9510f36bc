/** The languages that are coloured, each loaded when it is needed first. */
import type { LanguageFn } from "highlight.js";

type Loader = () => Promise<LanguageFn>;

const LANGUAGES = {
  bash: async () => (await import("highlight.js/lib/languages/bash")).default,
  cpp: async () => (await import("highlight.js/lib/languages/cpp")).default,
  css: async () => (await import("./highlight-css.ts")).css,
  diff: async () => (await import("highlight.js/lib/languages/diff")).default,
  dockerfile: async () => (await import("highlight.js/lib/languages/dockerfile")).default,
  go: async () => (await import("highlight.js/lib/languages/go")).default,
  ini: async () => (await import("highlight.js/lib/languages/ini")).default,
  java: async () => (await import("highlight.js/lib/languages/java")).default,
  json: async () => (await import("highlight.js/lib/languages/json")).default,
  markdown: async () => (await import("highlight.js/lib/languages/markdown")).default,
  python: async () => (await import("highlight.js/lib/languages/python")).default,
  rust: async () => (await import("highlight.js/lib/languages/rust")).default,
  sql: async () => (await import("highlight.js/lib/languages/sql")).default,
  typescript: async () => (await import("highlight.js/lib/languages/typescript")).default,
  xml: async () => (await import("highlight.js/lib/languages/xml")).default,
  yaml: async () => (await import("highlight.js/lib/languages/yaml")).default,
} satisfies Readonly<Record<string, Loader>>;

type LanguageName = keyof typeof LANGUAGES;

/** Other names of them, and endings of their files. */
const NAMES: Readonly<Record<LanguageName, string>> = {
  bash: "bash sh shell zsh console shellscript",
  cpp: "cpp c h cc hpp cxx c++",
  css: "css scss less",
  diff: "diff patch",
  dockerfile: "dockerfile docker",
  go: "go golang",
  ini: "ini toml cfg conf properties",
  java: "java",
  json: "json jsonc json5 jsonl",
  markdown: "markdown md mdx",
  python: "python py python3",
  rust: "rust rs",
  sql: "sql sqlite postgresql mysql",
  typescript: "typescript ts tsx mts cts javascript js jsx mjs cjs",
  xml: "xml html svg vue xhtml",
  yaml: "yaml yml",
};

/** Undefined for a language that is not coloured. */
export function languageNamed(name: string): LanguageName | undefined {
  const wanted = name.toLowerCase();
  return (Object.keys(NAMES) as LanguageName[]).find((language) =>
    NAMES[language].split(" ").includes(wanted),
  );
}

export function loadLanguage(name: LanguageName): Promise<LanguageFn> {
  return LANGUAGES[name]();
}
