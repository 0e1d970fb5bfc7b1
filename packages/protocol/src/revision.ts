/** Every released protocol revision, oldest first. The first four open with a handshake, the last does without. */
export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

export type Revision = (typeof revisions)[number]

/** How a revision opens: `initialize` and a session, or `_meta` on each request. */
export type Era = 'handshake' | 'modern'

/** The newest revision that is negotiated by `initialize`. */
export const latestHandshake: Revision = '2025-11-25'

export function isRevision(value: unknown): value is Revision {
  return (revisions as readonly unknown[]).includes(value)
}

export function eraOf(revision: Revision): Era {
  return revision === '2026-07-28' ? 'modern' : 'handshake'
}

/** Whether `revision` is `first` or newer. Revisions are dates, so text order is their order. */
export function isAtLeast(revision: Revision, first: Revision): boolean {
  return revision >= first
}
