import type { CallContext } from '@junctor/exchange'
import { isJsonObject, type JsonValue } from '@junctor/jsonrpc'
import type { Seal } from './fabric.ts'

/** The access token with which a caller authenticated a request. */
export interface CallerToken {
  readonly token: string
  /** When it expires, in epoch milliseconds. `null`: its issuer has not set a time. */
  readonly expires: number | null
}

/** The owner of the token. It is valid for no other caller. */
export interface TokenOwner {
  readonly tenant: string
  /** The key of the principal. */
  readonly principal: string
}

/**
 * Seals the token of a caller. In this form it travels between nodes and rests in records: only nodes can open it, and only
 * for its owner.
 */
export function sealCallerToken(seal: Seal, owner: TokenOwner, { token, expires }: CallerToken): string {
  const data = Buffer.from(JSON.stringify({ token, expires }))
  return Buffer.from(seal.close(placeOf(owner), data)).toString('base64url')
}

/** Opens what {@link sealCallerToken} has sealed. `undefined`: it is not that, or it is the token of another owner. */
export function openCallerToken(seal: Seal, owner: TokenOwner, sealed: string): CallerToken | undefined {
  const data = seal.open(placeOf(owner), Buffer.from(sealed, 'base64url'))
  if (data === undefined) return undefined
  const value = JSON.parse(Buffer.from(data).toString()) as JsonValue
  if (!isJsonObject(value)) return undefined
  const { token, expires } = value
  if (typeof token !== 'string' || !(expires === null || typeof expires === 'number')) return undefined
  return { token, expires }
}

/** The owner of a request's token. */
export function tokenOwner({ tenant, principal }: Pick<CallContext, 'tenant' | 'principal'>): TokenOwner {
  return { tenant, principal: principal.key }
}

function placeOf({ tenant, principal }: TokenOwner): string {
  return JSON.stringify(['caller token', tenant, principal])
}
