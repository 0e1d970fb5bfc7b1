import { randomBytes } from 'node:crypto'
import type { Store } from '@junctor/plugin-sdk/link'
import { exportJWK, generateKeyPair, type JWK } from 'jose'

/** The keys that all nodes of the authorization server share. */
export interface ServerKeys {
  /** Signs ID tokens. */
  readonly signing: JWK
  /** Signs cookies and forms. */
  readonly cookies: string
}

type StoredKeys = { readonly signing: Record<string, string>; readonly cookies: string }

/** Returns the keys. The first node creates them. */
export async function loadServerKeys(store: Store<StoredKeys>): Promise<ServerKeys> {
  const stored = await store.get('keys')
  if (stored !== undefined) {
    // Records expire after their last write.
    await store.put('keys', stored.value, stored.revision)
    return stored.value
  }
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = (await exportJWK(privateKey)) as Record<string, string>
  const signing = { ...jwk, alg: 'ES256', use: 'sig', kid: randomBytes(9).toString('base64url') }
  const made = { signing, cookies: randomBytes(32).toString('base64url') }
  const written = await store.put('keys', made, 0)
  // Another node was faster.
  return written === 'conflict' ? loadServerKeys(store) : made
}
