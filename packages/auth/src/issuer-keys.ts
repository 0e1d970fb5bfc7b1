import type { Log, Tell } from '@junctor/contracts'
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { KeySetSource } from './key-set-source.ts'

/** The keys of an issuer, as they are asked for by the headers of tokens. */
export interface IssuerKeys {
  /** Where they come from, as their source names it. */
  readonly place: string
  /** Rejects with `KeysMissing` when there are no keys at all, else with jose's word for what is wrong. */
  readonly find: JWTVerifyGetKey
  /** Ends a reading under way. */
  close(): void
}

export interface IssuerKeysOptions {
  readonly source: KeySetSource
  /** One reading may take this long, metadata and keys together. */
  readonly timeoutMs: number
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number
  readonly log: Log
  readonly tell: Tell
}

/** No keys could be had, so that no token can be judged: the caller is not to blame. */
export class KeysMissing extends Error {
  override readonly name: string = 'KeysMissing'
  /** Before this there is no other try. */
  readonly retryAfterMs: number

  constructor(retryAfterMs: number) {
    super('the keys of the issuer are not known')
    this.retryAfterMs = retryAfterMs
  }
}

const minute = 60_000

/** Keys are read again after this long, so that a key that its issuer takes back is not trusted for longer. */
const FRESH_MS = 10 * minute

/** Keys of an issuer that does not answer are used for this long: its tokens hardly live longer. */
const KEPT_MS = 60 * minute

/** Between two readings, however many tokens name keys that nobody knows. */
const COOLDOWN_MS = 30_000

/** The same while there are no keys, when nobody can get in. */
const RETRY_MS = 5_000

interface Loaded {
  readonly find: JWTVerifyGetKey
  readonly at: number
}

/**
 * Reads the keys when the first token asks for one, and again when they are old or a token names one that is not among
 * them. One reading at a time. jose's own remote set neither bounds what it reads, nor waits after a reading that
 * failed, nor goes on with the keys that it had.
 */
export function createIssuerKeys({ source, timeoutMs, elapsed, log, tell }: IssuerKeysOptions): IssuerKeys {
  const closing = new AbortController()
  let loaded: Loaded | undefined
  let tried = -Infinity
  let reading: Promise<void> | undefined

  const usable = (): Loaded | undefined => {
    return loaded !== undefined && elapsed() - loaded.at < KEPT_MS ? loaded : undefined
  }

  const pauseMs = (): number => tried + (usable() === undefined ? RETRY_MS : COOLDOWN_MS) - elapsed()

  const read = async (): Promise<void> => {
    tried = elapsed()
    try {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
      loaded = { find: createLocalJWKSet(await source.read(signal)), at: elapsed() }
      tell({ kind: 'issuer_keys_fetched', result: 'success' })
    } catch (error) {
      if (closing.signal.aborted) return
      log.warn('The keys of the issuer could not be read', { error })
      tell({ kind: 'issuer_keys_fetched', result: 'failure' })
    } finally {
      reading = undefined
    }
  }

  /** Resolves when a reading is over, its own or another's; undefined while it is too early for one. Never rejects. */
  const refresh = (): Promise<void> | undefined => {
    if (reading === undefined && pauseMs() <= 0 && !closing.signal.aborted) reading = read()
    return reading
  }

  return {
    place: source.place,
    async find(header, token) {
      if (usable() === undefined) await refresh()
      const known = usable()
      if (known === undefined) throw new KeysMissing(Math.max(0, pauseMs()))
      // The keys at hand will do until the new ones are there.
      if (elapsed() - known.at >= FRESH_MS) void refresh()
      try {
        return await known.find(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        await refresh()
        const renewed = usable()
        if (renewed === undefined || renewed === known) throw error
        return renewed.find(header, token)
      }
    },
    close: () => closing.abort(),
  }
}
