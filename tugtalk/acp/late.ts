/**
 * A part that neither a start nor a turn of text needs. It is loaded where it is first used, since loading
 * all such parts takes longer than the rest of a start. It is kept: from source, another `require` of the
 * same module costs more than most of what these parts do.
 */
export function late<Part>(load: () => Part): () => Part {
  let part: Part | undefined;
  return () => {
    part ??= load();
    return part;
  };
}
