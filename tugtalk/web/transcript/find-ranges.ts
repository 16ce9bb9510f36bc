/** Where the document has what a person looks for, across the elements within a text. */

/** The ranges of all matches in the text of an element, in order. */
export function rangesIn(element: Element, pattern: RegExp): readonly Range[] {
  const nodes = textNodesIn(element);
  const text = nodes.map(({ data }) => data).join("");
  return [...text.matchAll(pattern)].map((match) =>
    rangeOf(nodes, match.index, match.index + match[0].length),
  );
}

function textNodesIn(element: Element): readonly Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node instanceof Text) nodes.push(node);
  return nodes;
}

function rangeOf(nodes: readonly Text[], start: number, end: number): Range {
  const range = new Range();
  let offset = 0;
  for (const node of nodes) {
    const { length } = node.data;
    if (start >= offset && start < offset + length) range.setStart(node, start - offset);
    if (end > offset && end <= offset + length) range.setEnd(node, end - offset);
    offset += length;
  }
  return range;
}
