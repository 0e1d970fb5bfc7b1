import { createHash } from 'node:crypto'
import type { Head, Store } from '@junctor/contracts'
import { headers } from '@junctor/protocol'
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { toleranceSeconds } from './tokens/tolerance.ts'

/** The accepted signature algorithms of proofs, as the metadata name them. */
export const proofAlgorithms: readonly string[] = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'PS256', 'RS256']

/** How old a proof may be, in seconds. Clients make one for each request. */
const oldestSeconds = 60

/** How long a used proof is remembered, in milliseconds: as long as it would be accepted again. */
export const proofKeptMs: number = (oldestSeconds + 2 * toleranceSeconds) * 1000

/** How many proofs a node remembers itself, so that none is used twice. */
const mostProofs = 100_000

/** A token that only the holder of a key may use. */
export interface BoundToken {
  readonly token: string
  /** The thumbprint of the key (RFC 7638). */
  readonly thumbprint: string
}

/**
 * Judges the proof that a request has (RFC 9449 section 4.3). `unknown`: it cannot be determined now whether it was
 * used before. Never rejects.
 */
export type JudgeProof = (head: Head, bound: BoundToken) => Promise<'good' | 'bad' | 'unknown'>

/** Where all nodes remember used proofs, by key. Each record is kept for `proofKeptMs`. */
export type ProofStore = Pick<Store<true>, 'put'>

/** The proofs that were accepted, as long as they would be accepted again. */
export interface UsedProofs {
  /** Notes a proof. Returns false when it was noted before. Rejects when the nodes cannot share that. */
  note(thumbprint: string, id: string): Promise<boolean>
}

/**
 * Creates the memory for used proofs.
 *
 * @param store shared by all nodes. Undefined: there is only this one
 */
export function createUsedProofs(store: ProofStore | undefined): UsedProofs {
  // With `max` in place of `maxSize`, room for all of them is reserved at once: 10 ms and 8 MB for a node without proofs.
  const own = new LRUCache<string, true>({ maxSize: mostProofs, sizeCalculation: () => 1, ttl: proofKeptMs })
  return {
    async note(thumbprint, id) {
      // Clients choose ids of any length and form.
      const key = createHash('sha256').update(`${thumbprint} ${id}`).digest('base64url')
      if (own.has(key)) return false
      own.set(key, true)
      return store === undefined || (await store.put(key, true, 0)) !== 'conflict'
    },
  }
}

/**
 * What a proof (DPoP, RFC 9449) is compared with: the URL that it must name, the time, and the proofs that were used
 * before.
 */
export interface ProofJudgeParts {
  /** The public URL of the endpoint without a tenant. Undefined: it is not known, and every proof is refused. */
  readonly base: string | undefined
  /** Returns epoch milliseconds. */
  readonly now: () => number
  readonly used: UsedProofs
}

/** Creates the check of proofs. Each is accepted once, over all nodes. */
export function createProofJudge({ base, now, used }: ProofJudgeParts): JudgeProof {
  return async (head, bound) => {
    const expected = targetOf(head, base)
    const proof = head.header(headers.dpop)
    if (expected === undefined || proof === undefined) return 'bad'
    let id: string
    try {
      const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
        typ: 'dpop+jwt',
        algorithms: [...proofAlgorithms],
        requiredClaims: ['jti', 'htm', 'htu', 'iat', 'ath'],
        maxTokenAge: oldestSeconds,
        clockTolerance: toleranceSeconds,
        currentDate: new Date(now()),
      })
      const { jti, htm, htu, ath } = payload
      const isForIt = htm === expected.method && isSameUrl(htu, expected.url) && ath === hashOf(bound.token)
      if (!isForIt || (await thumbprintOf(protectedHeader.jwk)) !== bound.thumbprint) return 'bad'
      id = String(jti)
    } catch {
      return 'bad'
    }
    // Nobody can make a note without the key: only for a good proof is anything stored.
    return used.note(bound.thumbprint, id).then(
      (isNew) => (isNew ? 'good' : 'bad'),
      () => 'unknown',
    )
  }
}

function targetOf({ target }: Head, base: string | undefined): { method: string; url: string } | undefined {
  if (target === undefined || base === undefined) return undefined
  const { origin, pathname } = new URL(base)
  // What a proxy in front of the gateway has in its path before that of the endpoint.
  const before = pathname.endsWith('/mcp') ? pathname.slice(0, -'/mcp'.length) : ''
  return { method: target.method, url: `${origin}${before}${target.path}` }
}

/** Compares without query and fragment, and after normalization (RFC 9449 section 4.3, point 9). */
function isSameUrl(given: unknown, expected: string): boolean {
  const url = typeof given === 'string' ? URL.parse(given) : null
  return url !== null && `${url.origin}${url.pathname}` === URL.parse(expected)?.href
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

function thumbprintOf(key: JWK | undefined): Promise<string> | undefined {
  // A client that shows its private key does not keep it for itself.
  if (key === undefined || key.d !== undefined || key.k !== undefined) return undefined
  return calculateJwkThumbprint(key, 'sha256')
}
