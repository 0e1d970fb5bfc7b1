import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/** Bytes of a key's id. */
export const keyIdBytes = 4

/** A key of the cluster, as what is made from it (RFC 5869, HKDF-SHA-256): nothing is sealed with the secret itself. */
export interface ClusterKey {
  /** 32 bits that tell it from others, and nothing of it. */
  readonly id: number
  /** For what nodes tell each other. */
  readonly messages: Uint8Array
  /** For what is stored by the process that chose this salt. */
  stored(salt: Uint8Array): KeyObject
}

/** @param secret what all nodes of a cluster share, and nobody else knows */
export function createClusterKey(secret: string): ClusterKey {
  const derived = (purpose: string, bytes: number, salt: Uint8Array = new Uint8Array()): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, salt, `junctor.v1 ${purpose}`, bytes))
  return {
    id: derived('id', keyIdBytes).readUInt32BE(),
    messages: derived('messages', 32),
    stored: (salt) => createSecretKey(derived('stored', 32, salt)),
  }
}
