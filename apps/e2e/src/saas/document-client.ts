import { readFileSync } from 'node:fs'
import { compileFunction } from 'node:vm'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'

/** What the document's client uses of a browser. The `EventSource` sends headers, like the document's. */
export interface BrowserEnvironment {
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  readonly EventSource: new (url: string, init: { readonly headers: Readonly<Record<string, string>> }) => Listening
  readonly console: Pick<Console, 'log' | 'error'>
}

/** The part of an `EventSource` that the document's client uses. */
export interface Listening {
  addEventListener(name: string, listener: (event: { readonly data: string }) => void): void
  close?(): void
}

/** A response as the document's client returns it. */
interface Answered extends JsonObject {
  readonly id: number
}

/** The client in the API reference of the profile `saas`. */
export interface MCPClient {
  sessionId: string | null
  accessToken: string
  initialize(agencyId: string): Promise<JsonObject>
  connectStreaming(agencyId: string): void
  call(agencyId: string, method: string, params?: JsonValue): Promise<Answered>
  disconnect(): void
}

/** The code of "JavaScript Client Implementation" in that reference, word for word: a class and its use. */
const printed = readFileSync(new URL('../../fixtures/saas-client.js.txt', import.meta.url), 'utf8')

const [printedClass = ''] = printed.split('\n// Usage\n')

/** The names that the code finds in a browser. Its timers do not keep this process alive: no other stand-in is ours. */
const around = ['fetch', 'EventSource', 'console', 'setTimeout']

const parts = ({ fetch, EventSource, console }: BrowserEnvironment): readonly unknown[] => [
  fetch,
  EventSource,
  console,
  (callback: () => void, ms: number) => setTimeout(callback, ms).unref(),
]

/** Creates the document's client, as its own constructor does. */
export function createDocumentClient(
  browser: BrowserEnvironment,
  ...params: readonly [baseUrl: string, accessToken: string, protocolVersion: string]
): MCPClient {
  const evaluate = compileFunction(`${printedClass}\nreturn MCPClient`, around)
  const Client = evaluate(...parts(browser)) as new (...given: typeof params) => MCPClient
  return new Client(...params)
}

/**
 * Runs the whole code with its lines of use: it opens a session and a stream, lists the tools and writes them to the
 * console. Resolves with its client.
 *
 * @param values what a reader puts in the place of the printed `your-token` and `2025-03-26`
 */
export async function runDocumentProgram(
  browser: BrowserEnvironment,
  values: { readonly token: string; readonly revision: string },
): Promise<MCPClient> {
  const use = printed.slice(printedClass.length)
  const filled = use.replace('your-token', values.token).replace('2025-03-26', values.revision)
  const body = `return (async () => {${printedClass}${filled}\nreturn client })()`
  return compileFunction(body, around)(...parts(browser)) as Promise<MCPClient>
}
