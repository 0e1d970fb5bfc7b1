/** The state of an item in the last note of its id. */
export type LoanState =
  /** A node has it on loan. */
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
  /** The item is done, or a later one has replaced it: the server has forgotten that it was removed. */
  | { readonly kind: 'done' }
  /** A node may hold it for this many milliseconds: the server has forgotten that it was delivered. */
  | { readonly kind: 'held'; readonly waitMs: number }

const states: ReadonlySet<string> = new Set<LoanState>(['held', 'free', 'done'])

/** Prints a note as it is stored. */
export function printLoanNote({ state, item }: LoanNote): Uint8Array {
  return Buffer.from(`${state} ${item}`)
}

/** Parses a note; `undefined` for a note of an earlier version, without a state. */
export function readLoanNote(text: string): LoanNote | undefined {
  const [state = '', item] = text.split(' ')
  const number = Number(item)
  return states.has(state) && Number.isSafeInteger(number) ? { state: state as LoanState, item: number } : undefined
}

/**
 * Decides by the last note, not by the server's delivery: a server that was killed may have forgotten deliveries and
 * removals, but no note.
 *
 * @param item the sequence of the delivered item
 * @param last the last note of its id
 * @param ageMs the age of that note, in milliseconds, by the server's clock
 * @param leaseMs the duration of a loan, in milliseconds
 */
export function loanVerdict(item: number, last: LoanNote, ageMs: number, leaseMs: number): LoanVerdict {
  if (last.item > item) return { kind: 'done' }
  if (last.item < item || last.state === 'free') return { kind: 'lend' }
  if (last.state === 'done') return { kind: 'done' }
  return ageMs >= leaseMs ? { kind: 'lend' } : { kind: 'held', waitMs: leaseMs - ageMs }
}
