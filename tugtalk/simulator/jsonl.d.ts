/** Conversation files that are imported as text, so that they are part of the built command. */
declare module "*.jsonl" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: an import with `type: "text"` has no other export
  export default text;
}
