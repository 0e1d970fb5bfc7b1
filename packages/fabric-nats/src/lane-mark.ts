/** How far a lane is: all of its items up to a number are done, but some. */
export interface LaneMark {
  /** Who wrote it: the lane's own node, or one that has taken it over. */
  readonly by: string
  readonly upTo: number
  readonly open: readonly number[]
}

export function printLaneMark({ by, upTo, open }: LaneMark): Uint8Array {
  return Buffer.from(`${by} ${upTo} ${open.join(',')}`)
}

/** Reads a mark; `undefined` when it is none. */
export function readLaneMark(text: string): LaneMark | undefined {
  const [by, upTo, open] = text.split(' ')
  if (by === undefined || upTo === undefined || open === undefined) return undefined
  const numbers = open === '' ? [] : open.split(',').map(Number)
  const last = Number(upTo)
  return [last, ...numbers].every(Number.isSafeInteger) ? { by, upTo: last, open: numbers } : undefined
}

/** Whether an item of the lane is still to be done. What came after the mark is. */
export function isOpenIn(mark: LaneMark, number: number): boolean {
  return number > mark.upTo || mark.open.includes(number)
}
