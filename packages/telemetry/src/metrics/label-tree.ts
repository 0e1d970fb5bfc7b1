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

  /** Returns the subtree with this value of the next label. */
  at(value: string): LabelTree<Cell> {
    let branch = this.#branches.get(value)
    if (branch === undefined) {
      branch = new LabelTree(this.#make)
      this.#branches.set(value, branch)
    }
    return branch
  }

  /** The cell of the labels on the path to this node. */
  get cell(): Cell {
    this.#cell ??= this.#make()
    return this.#cell
  }

  /** Yields every cell with the values on its path, in the order in which they were first used. */
  *cells(values: readonly string[] = []): Generator<readonly [values: readonly string[], cell: Cell]> {
    if (this.#cell !== undefined) yield [values, this.#cell]
    for (const [value, branch] of this.#branches) yield* branch.cells([...values, value])
  }
}
