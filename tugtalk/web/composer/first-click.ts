/** The second click of a double click would be for the row that has moved to this place. */
export function firstClick(run: () => void) {
  return ({ detail }: MouseEvent) => {
    if (detail < 2) run();
  };
}
