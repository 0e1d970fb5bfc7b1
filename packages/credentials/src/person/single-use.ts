import type { Seal, Store } from '@junctor/contracts'
import { hashOf } from './person.ts'
import { openJson, sealJson } from './sealed-json.ts'

/** A record that can be taken once. `null`: it was taken. */
export type SingleUseRecord = string | null

/** Records that are taken once at most, at any node, by the secret that was given out for them. */
export interface SingleUse<T> {
  /** Keeps a record under a secret, which nobody else has. */
  put(secret: string, value: T): Promise<void>
  /** Reads a record without taking it. Undefined: it is not there any more. */
  look(secret: string): Promise<T | undefined>
  /** Takes a record. Of two at the same time, one gets it. */
  take(secret: string): Promise<T | undefined>
}

/**
 * Creates records that are taken once at most.
 *
 * @param kind the kind of record: one of another kind is never read
 * @param read returns undefined for data of another form
 */
export function createSingleUse<T>(
  kind: string,
  store: Store<SingleUseRecord>,
  seal: Seal,
  read: (data: unknown) => T | undefined,
): SingleUse<T> {
  const nameOf = (secret: string): string => `${kind}.${hashOf(secret)}`
  const open = (secret: string, sealed: string | null | undefined): T | undefined =>
    typeof sealed === 'string' ? read(openJson(seal, nameOf(secret), sealed)) : undefined
  return {
    async put(secret, value) {
      const name = nameOf(secret)
      await store.put(name, sealJson(seal, name, value))
    },
    async look(secret) {
      return open(secret, (await store.get(nameOf(secret)))?.value)
    },
    async take(secret) {
      const name = nameOf(secret)
      const stored = await store.get(name)
      const value = open(secret, stored?.value)
      if (stored === undefined || value === undefined) return undefined
      return (await store.put(name, null, stored.revision)) === 'conflict' ? undefined : value
    },
  }
}
