/** The largest index of a block, small enough that sums of indexes are exact. */
export const MAX_BLOCK_INDEX = 2 ** 31 - 1;
