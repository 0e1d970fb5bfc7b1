import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { readBody } from '@junctor/plugin-sdk/pages'
import type { AuthServerConfig } from '../config.ts'
import { createAddressLimit } from './address-limit.ts'
import { judgeRegistration } from './registration.ts'

/** The longest registration, in bytes. With keys of its own, a client needs some thousand. */
const mostRegistrationBytes = 16 * 1024

/** Registrations from one address in a minute. */
const mostRegistrations = 20

/**
 * Reads a registration for the library, or refuses it. Returns whether the library may go on.
 *
 * @param client the text under which registrations are counted
 */
export type ReadRegistration = (request: IncomingMessage, response: ServerResponse, client: string) => Promise<boolean>

/** Creates the reader, which counts registrations. */
export function createRegistrationReader(registration: AuthServerConfig['registration']): ReadRegistration {
  const limit = createAddressLimit(mostRegistrations)
  return async (request, response, client) => {
    const counted = await limit(client)
    if (counted.kind === 'refused') {
      response.setHeader('retry-after', counted.seconds)
      return refuse(response, 429, 'temporarily_unavailable', 'Too many registrations. Wait a minute.')
    }
    const text = await readBody(request, mostRegistrationBytes)
    if (text === undefined) return refuse(response, 413, 'invalid_client_metadata', 'Expected at most 16 KiB')
    const verdict = judgeRegistration(text, registration)
    if (verdict.kind === 'refused') return refuse(response, 400, verdict.error, verdict.description)
    readAgain(request, JSON.stringify(verdict.metadata))
    return true
  }
}

/**
 * Lets the library read this body. Of one that was read already it warns on standard error, in the middle of the log,
 * with advice for its developers.
 */
function readAgain(request: IncomingMessage, text: string): void {
  const body = Buffer.from(text)
  const [type = ''] = (request.headers['content-type'] ?? '').split(';')
  Object.assign(request.headers, { 'content-type': type, 'content-length': String(body.length) })
  Object.defineProperties(request, { readable: { value: true }, iterator: { value: () => Readable.from([body]) } })
}

function refuse(response: ServerResponse, status: number, error: string, description: string): false {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify({ error, error_description: description }))
  return false
}
