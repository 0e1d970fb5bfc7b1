/** The progress of a lane: all items up to a number are done, except the open ones. */
export interface LaneMark {
  /** The writer: the lane's own node, or a node that has taken the lane over. */
  readonly by: string
  readonly upTo: number
  /** Numbers of items that are not done. */
  readonly open: readonly number[]
}

/** Prints a mark as it is stored. */
export function printLaneMark({ by, upTo, open }: LaneMark): Uint8Array {
  return Buffer.from(`${by} ${upTo} ${open.join(',')}`)
}

/** Reads a mark. Returns `undefined` for any other text. */
export function readLaneMark(text: string): LaneMark | undefined {
  const [by, upTo, open] = text.split(' ')
  if (by === undefined || upTo === undefined || open === undefined) return undefined
  const numbers = open === '' ? [] : open.split(',').map(Number)
  const last = Number(upTo)
  return [last, ...numbers].every(Number.isSafeInteger) ? { by, upTo: last, open: numbers } : undefined
}

/** Whether an item is not done yet. Items with numbers after the mark are not. */
export function isOpenIn(mark: LaneMark, number: number): boolean {
  return number > mark.upTo || mark.open.includes(number)
}
