/**
 * Cells by the values of their labels, one level of the tree for each label. A cell is found only by table look-ups,
 * without building a key from several values.
 */
export class LabelTree<Cell> {
  readonly #branches = new Map<string, LabelTree<Cell>>()
  readonly #make: () => Cell
  #cell: Cell | undefined

  /** @param make creates a cell for new labels */
  constructor(make: () => Cell) {
    this.#make = make
  }

  /** The cell with these values, one for each label; a tree without labels has one cell. It is made when it is first used. */
  at(...values: readonly string[]): Cell {
    // oxlint-disable-next-line typescript/no-this-alias -- the walk starts here
    let branch: LabelTree<Cell> = this
    for (const value of values) {
      let next = branch.#branches.get(value)
      if (next === undefined) {
        next = new LabelTree(this.#make)
        branch.#branches.set(value, next)
      }
      branch = next
    }
    branch.#cell ??= this.#make()
    return branch.#cell
  }

  /** Yields every cell with the values on its path, in the order in which they were first used. */
  *cells(values: readonly string[] = []): Generator<readonly [values: readonly string[], cell: Cell]> {
    if (this.#cell !== undefined) yield [values, this.#cell]
    for (const [value, branch] of this.#branches) yield* branch.cells([...values, value])
  }
}
