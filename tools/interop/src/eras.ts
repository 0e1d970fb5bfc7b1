/** The two eras of the protocol, each with the revision that the peers are pinned to. */
export const revisions = { handshake: '2025-11-25', stateless: '2026-07-28' } as const

/** With a handshake (until 2025-11-25), or with requests that stand alone (since 2026-07-28). */
export type Era = keyof typeof revisions
