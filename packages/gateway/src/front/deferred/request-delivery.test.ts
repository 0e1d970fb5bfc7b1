import { expect, test } from 'vitest'
import { type JsonObject, payloadOf } from '@junctor/jsonrpc'
import type { Extensions } from '@junctor/protocol'
import { deliveryOf } from './request-delivery.ts'

interface Case {
  readonly method?: string
  readonly options?: JsonObject
  readonly extensions?: Extensions
  /** `undefined`: the session is one connection. */
  readonly respondAsync?: boolean
  readonly profile?: 'inline' | 'queued'
}

function judge({ method = 'tools/call', options, extensions, respondAsync, profile = 'inline' }: Case) {
  const request = options === undefined ? { method } : { method, options: payloadOf(options) }
  return deliveryOf(
    request,
    { session: 's', ...(extensions !== undefined && { extensions }) },
    respondAsync === undefined ? {} : { respondAsync },
    { delivery: profile },
  ).kind
}

test.each<readonly [Case, string]>([
  [{ respondAsync: false }, 'inline'],
  [{ respondAsync: true }, 'queued'],
  [{ respondAsync: false, profile: 'queued' }, 'queued'],
  [{ profile: 'queued' }, 'inline'],
  [{ respondAsync: true, method: 'initialize' }, 'inline'],
  [{ respondAsync: true, method: 'rpc.extensions', profile: 'queued' }, 'inline'],
  [{ respondAsync: true, method: 'job.result' }, 'inline'],
  [{ options: { async: true }, extensions: ['async'] }, 'async'],
  [{ options: { async: {} }, extensions: ['async'], respondAsync: true, profile: 'queued' }, 'async'],
  [{ options: { async: true } }, 'inline'],
  [{ options: { async: true }, extensions: ['progress'], respondAsync: true }, 'queued'],
  [{ options: { async: false }, extensions: ['async'] }, 'inline'],
  [{ options: { async: true }, extensions: ['async'], method: 'job.status' }, 'inline'],
])('%j is answered %s', (asked, kind) => {
  expect(judge(asked)).toBe(kind)
})
