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

/** Where the keys are kept. */
export type KeyStore = Store<StoredKeys>

/**
 * Returns the keys. The first node creates them.
 *
 * @param own keys that this node uses already: storage that has lost its data gets these back
 */
export async function loadServerKeys(store: KeyStore, own?: ServerKeys): Promise<ServerKeys> {
  const stored = await store.get('keys')
  if (stored !== undefined) {
    // Records expire after their last write.
    if (own === undefined) await store.put('keys', stored.value, stored.revision)
    return stored.value
  }
  const made = own ?? (await makeKeys())
  const written = await store.put('keys', made as StoredKeys, 0)
  // Another node was faster.
  return written === 'conflict' ? loadServerKeys(store, own) : made
}

async function makeKeys(): Promise<ServerKeys> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const signing = {
    ...(await exportJWK(privateKey)),
    alg: 'ES256',
    use: 'sig',
    kid: randomBytes(9).toString('base64url'),
  }
  return { signing, cookies: randomBytes(32).toString('base64url') }
}
