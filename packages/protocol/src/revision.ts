/** Every released protocol revision, oldest first. The first four start with a handshake, the last does not. */
export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

/** A revision of the protocol that Junctor speaks. */
export type Revision = (typeof revisions)[number]

/** How a revision starts: with `initialize` and a session, or with `_meta` on each request. */
export type Era = 'handshake' | 'modern'

/** The newest revision that `initialize` can negotiate. */
export const latestHandshake: Revision = '2025-11-25'

/** Whether a value is a revision that Junctor speaks. */
export function isRevision(value: unknown): value is Revision {
  return (revisions as readonly unknown[]).includes(value)
}

/** The era of a revision: with a handshake and sessions, or without. */
export function eraOf(revision: Revision): Era {
  return revision === '2026-07-28' ? 'modern' : 'handshake'
}

/** Whether `revision` is `first` or newer. Revisions are dates, so text order is chronological. */
export function isAtLeast(revision: Revision, first: Revision): boolean {
  return revision >= first
}

/** The revisions from the first to the last. Without `last`: to the newest. */
export interface Span {
  readonly first: Revision
  readonly last?: Revision
}

/** Whether a revision is one of a span. */
export function isWithin(revision: Revision, { first, last }: Span): boolean {
  return revision >= first && (last === undefined || revision <= last)
}
