import { createHttpClient, HttpRequestError } from '@junctor/plugin-sdk/http'
import { JunctorError } from '@junctor/protocol'
import { allowInsecureRequests, customFetch } from 'oauth4webapi'
import { judgeUrl } from './judge-url.ts'
import { isRefusal } from './is-refusal.ts'
import { textWithoutNulls } from './text-without-nulls.ts'

/** Requests to authorization servers: to public addresses, or to hosts that the operator has named; without redirects. */
export interface OAuthHttp {
  /** The hosts that the operator has named. */
  readonly namedHosts: ReadonlySet<string>
  /** The options of every function of oauth4webapi that sends a request. Each URL is judged before. */
  readonly options: FetchOptions
  /**
   * Fetches a JSON document. `undefined`: the server does not have it. Many sites show a page at a path that they do not know.
   *
   * @throws HttpRequestError when the server cannot be reached, or its address is not allowed
   * @throws JunctorError `BACKEND_UNREACHABLE` when it has failed: it may have the document
   */
  document(url: string): Promise<Response | undefined>
  /** The challenge with which a server answers a request without a token. Undefined: it has none. */
  challenge(serverUrl: string): Promise<string | undefined>
  /** Closes the connections. */
  close(): Promise<void>
}

/** The request function of this client, in the form of oauth4webapi. `http` is judged by the function itself. */
interface FetchOptions {
  readonly [customFetch]: (url: string, init: FetchInit) => Promise<Response>
  readonly [allowInsecureRequests]: true
}

interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: unknown
}

/**
 * A request that servers answer without a session, or refuse for their reasons: a server that wants a token refuses it
 * first.
 */
const probe = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
const probeHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const timeoutMs = 10_000
const maxBytes = 256 * 1024

/**
 * Makes a client for authorization servers.
 *
 * @param namedUrls URLs that the operator has configured: their hosts may have private addresses
 */
export function createOAuthHttp(namedUrls: readonly string[]): OAuthHttp {
  const namedHosts = new Set(namedUrls.map((url) => new URL(url).hostname))
  const allowed = [...namedHosts].map((host) => host.replace(/^\[|\]$/g, ''))
  const http = createHttpClient({ allowed, timeoutMs, maxBytes, maxRedirects: 0 })

  const send = async (url: string, { method, headers, body }: FetchInit): Promise<Response> => {
    const fault = judgeUrl(url, namedHosts)
    if (fault !== undefined) throw new HttpRequestError('bad_request', fault, { sent: false })
    const text = body instanceof URLSearchParams ? body.toString() : body
    const answer = await http.request(url, { method, headers, ...(typeof text === 'string' && { body: text }) })
    // Of an answer with a challenge the library would not read the error in the body.
    const shown = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined || name === 'www-authenticate' ? [] : [[name, String(value)]],
    )
    const content = textWithoutNulls(await answer.text())
    const hasBody = answer.status !== 204 && answer.status !== 205 && answer.status !== 304
    const status = method === 'POST' && answer.status === 200 && isRefusal(content) ? 400 : answer.status
    return new Response(hasBody ? content : null, { status, headers: shown })
  }

  return {
    namedHosts,
    options: { [customFetch]: send, [allowInsecureRequests]: true },
    async document(url) {
      const answer = await send(url, { method: 'GET', headers: { accept: 'application/json' } })
      if (answer.status >= 500) {
        throw new JunctorError('BACKEND_UNREACHABLE', `Expected a document, got HTTP ${answer.status}`)
      }
      return answer.status === 200 && (await isJson(answer.clone())) ? answer : undefined
    },
    async challenge(serverUrl) {
      const answer = await http.request(serverUrl, { method: 'POST', headers: probeHeaders, body: probe })
      answer.cancel()
      return answer.status === 401 ? answer.headers['www-authenticate'] : undefined
    },
    close: () => http.close(),
  }
}

async function isJson(answer: Response): Promise<boolean> {
  return answer.json().then(
    () => true,
    () => false,
  )
}
