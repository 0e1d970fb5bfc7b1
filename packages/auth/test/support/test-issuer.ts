import type { JsonWebKey } from 'node:crypto'
import type { JsonObject } from '@junctor/jsonrpc'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { startHttpServer } from '@junctor/testkit/http'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** An authorization server on 127.0.0.1 with what a gateway reads from one: metadata (RFC 8414) and keys. */
export interface TestIssuer {
  /** Its URL, which is also its name. */
  readonly issuer: string
  /** The requested paths, oldest first. */
  readonly asked: string[]
  /** The keys that it publishes. */
  keys: readonly (JsonWebKey | JsonObject | null)[]
  /** Answers for paths, in place of the normal ones. */
  readonly answers: Map<string, Answer>
  close(): Promise<void>
}

/** Where the issuer has its metadata (RFC 8414, section 3). */
export const metadataPath = '/.well-known/oauth-authorization-server'
/** Where the issuer has its keys. Its metadata says so. */
export const keysPath = '/keys'

/** Starts it on a free port, without keys: the test sets them. The test closes it. */
export async function startTestIssuer(): Promise<TestIssuer> {
  const answers = new Map<string, Answer>()
  const asked: string[] = []
  const { origin, close } = await startHttpServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const answer = answers.get(path)
    if (answer !== undefined) answer(response, request)
    else if (path === metadataPath) json({ issuer: fixture.issuer, jwks_uri: `${fixture.issuer}${keysPath}` })(response)
    else if (path === keysPath) json({ keys: fixture.keys })(response)
    else response.writeHead(404).end()
  })
  const fixture: TestIssuer = { issuer: origin, asked, keys: [], answers, close }
  return fixture
}

/** Answers with JSON. */
export function json(body: unknown): (response: ServerResponse) => void {
  return (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Answers with a text. */
export function text(body: string, status = 200, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(status, headers).end(body)
}

/** Sends a body that never ends: a piece every `everyMs` milliseconds. */
export function endless(piece: string, everyMs: number): Answer {
  return (response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write(piece), everyMs)
    response.on('close', () => clearInterval(timer))
  }
}
