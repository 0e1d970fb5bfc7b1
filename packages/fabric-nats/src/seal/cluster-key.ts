import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/** The size of a key's id in bytes. */
export const keyIdBytes = 4

/** A key of the cluster, derived from a secret (RFC 5869, HKDF-SHA-256): the secret itself seals nothing. */
export interface ClusterKey {
  /** 32 bits that distinguish the key from others, and reveal nothing about it. */
  readonly id: number
  /** The key for messages between nodes. */
  readonly messages: Uint8Array
  /** The key for data that the process with this salt stores. */
  stored(salt: Uint8Array): KeyObject
}

/** @param secret shared by all nodes of a cluster, and known to no other party */
export function createClusterKey(secret: string): ClusterKey {
  const derived = (purpose: string, bytes: number, salt: Uint8Array = new Uint8Array()): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, salt, `junctor.v1 ${purpose}`, bytes))
  return {
    id: derived('id', keyIdBytes).readUInt32BE(),
    messages: derived('messages', 32),
    stored: (salt) => createSecretKey(derived('stored', 32, salt)),
  }
}
