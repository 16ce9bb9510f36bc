/** CSS and its relatives for highlight.js, without the long lists of names that its own grammar has. */
import type { HLJSApi, Language } from "highlight.js";

export function css(hljs: HLJSApi): Language {
  const value = [
    hljs.QUOTE_STRING_MODE,
    hljs.APOS_STRING_MODE,
    { scope: "number", begin: /#[\da-f]{3,8}\b|-?\b\d+(?:\.\d+)?(?:%|[a-z]+\b)?/i },
    { scope: "variable", begin: /--[\w-]+|[$@][\w-]+/ },
    { scope: "built_in", begin: /[\w-]+(?=\()/ },
    { scope: "keyword", begin: /!important/ },
  ];
  const comments = [hljs.C_BLOCK_COMMENT_MODE, hljs.COMMENT(/(?<![:\w])\/\//, /$/)];
  return {
    name: "CSS",
    case_insensitive: true,
    contains: [
      ...comments,
      { scope: "keyword", begin: /@[\w-]+/ },
      {
        scope: "attribute",
        begin: /[\w-]+(?=\s*:[^{};]*(?:[;}]|$))/,
        starts: { end: /[;}]/, contains: [...comments, ...value] },
      },
      { scope: "selector", begin: /::?[\w-]+|[.#][a-z_][\w-]*|\[[^\]\n]*\]|&/ },
      { scope: "name", begin: /\b[a-z][\w-]*(?=[^{};]*\{)/ },
      ...value,
    ],
  };
}
