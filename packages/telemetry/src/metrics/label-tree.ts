/**
 * Cells by the values of their labels, one level of the tree for each label. A value is found by table look-ups alone:
 * no key is built from several.
 */
export class LabelTree<Cell> {
  readonly #branches = new Map<string, LabelTree<Cell>>()
  readonly #make: () => Cell
  #cell: Cell | undefined

  /** @param make a cell for labels that were not seen before */
  constructor(make: () => Cell) {
    this.#make = make
  }

  /** Those with this value of the next label. */
  at(value: string): LabelTree<Cell> {
    let branch = this.#branches.get(value)
    if (branch === undefined) {
      branch = new LabelTree(this.#make)
      this.#branches.set(value, branch)
    }
    return branch
  }

  /** The cell of the labels on the way here. */
  get cell(): Cell {
    this.#cell ??= this.#make()
    return this.#cell
  }

  /** Every cell there is, with the values on the way to it, in the order in which they were first seen. */
  *cells(values: readonly string[] = []): Generator<readonly [values: readonly string[], cell: Cell]> {
    if (this.#cell !== undefined) yield [values, this.#cell]
    for (const [value, branch] of this.#branches) yield* branch.cells([...values, value])
  }
}
