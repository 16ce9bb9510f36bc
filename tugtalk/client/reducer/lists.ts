/** Lists that are changed by making new ones. */

/** A copy of the list with another item at one place. */
export function replaced<Item>(list: readonly Item[], index: number, item: Item): readonly Item[] {
  if (list[index] === item) return list;
  const copy = list.slice();
  copy[index] = item;
  return copy;
}

/** The list with each item changed; the same list if no item is. */
export function mapped<Item>(list: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  let copy: Item[] | undefined;
  for (const [index, item] of list.entries()) {
    const changed = change(item);
    if (changed === item) continue;
    copy ??= list.slice();
    copy[index] = changed;
  }
  return copy ?? list;
}

/** The items that pass; the same list if all do. */
export function kept<Item>(
  list: readonly Item[],
  isKept: (item: Item) => boolean,
): readonly Item[] {
  return list.every(isKept) ? list : list.filter(isKept);
}
