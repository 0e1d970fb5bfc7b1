/** What the last note of an id says of its item. */
export type LoanState =
  /** Somebody has it. */
  | 'held'
  /** It was given back. */
  | 'free'
  /** It is done. */
  | 'done'

/** A note: the state of the item with this sequence in its stream. */
export interface LoanNote {
  readonly state: LoanState
  readonly item: number
}

/** Whether an item that the server has delivered may be lent. */
export type LoanVerdict =
  | { readonly kind: 'lend' }
  /** It is one that was done, or whose place a later one has taken: the server has forgotten that it was removed. */
  | { readonly kind: 'done' }
  /** Somebody has it, and for so many milliseconds may believe so: the server has forgotten that it was delivered. */
  | { readonly kind: 'held'; readonly waitMs: number }

const states: ReadonlySet<string> = new Set<LoanState>(['held', 'free', 'done'])

export function printLoanNote({ state, item }: LoanNote): Uint8Array {
  return Buffer.from(`${state} ${item}`)
}

/** Reads a note; `undefined` for one of an earlier version, which does not say. */
export function readLoanNote(text: string): LoanNote | undefined {
  const [state = '', item] = text.split(' ')
  const number = Number(item)
  return states.has(state) && Number.isSafeInteger(number) ? { state: state as LoanState, item: number } : undefined
}

/**
 * A server that was killed may have forgotten what was delivered and what was removed, but no note. So the last note
 * decides, not the server's word.
 *
 * @param item the sequence of the delivered item
 * @param last the last note of its id
 * @param ageMs how old that note is, in milliseconds, by the server's clock
 * @param leaseMs how long a loan lasts, in milliseconds
 */
export function loanVerdict(item: number, last: LoanNote, ageMs: number, leaseMs: number): LoanVerdict {
  if (last.item > item) return { kind: 'done' }
  if (last.item < item || last.state === 'free') return { kind: 'lend' }
  if (last.state === 'done') return { kind: 'done' }
  return ageMs >= leaseMs ? { kind: 'lend' } : { kind: 'held', waitMs: leaseMs - ageMs }
}
