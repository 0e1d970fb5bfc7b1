import { isJsonObject } from '@junctor/jsonrpc'
import { HttpRequestFailed } from '@junctor/plugin-mcp'
import { HttpRequestError } from '@junctor/plugin-sdk/http'
import { JunctorError } from '@junctor/protocol'
import type { Diagnosis } from './diagnosis.ts'
import type { FailedAttempt } from './failed-attempt.ts'
import { networkDiagnosis } from './network-diagnosis.ts'
import { plainMessage } from './plain-message.ts'
import { waitedSeconds } from './waited-seconds.ts'

const server = 'an MCP server'

/** Finds out why a server does not work as a backend. `undefined`: nothing is known beyond its error. */
export function diagnoseServer(attempt: FailedAttempt): Diagnosis | undefined {
  const { error } = attempt
  if (error === undefined) {
    const got = `no answer in ${waitedSeconds(attempt)}`
    const next = 'Check host and port of "url", and any firewall between; raise --timeout, up to 60s, if it is slow.'
    return { kind: 'silent', got, expected: 'an answer to initialize', next }
  }
  if (!(error instanceof HttpRequestFailed)) return diagnoseWebSocket(error, attempt)
  const { failure } = error
  switch (failure.kind) {
    case 'unreachable':
      return diagnoseTokens(failure.error) ?? networkDiagnosis(failure.error)
    case 'refused':
      return diagnoseStatus(failure.status, failure.detail, attempt)
    case 'interrupted':
      return diagnoseInterruption(failure.error)
    case 'unusable': {
      const got = /, got (.*)$/.exec(failure.what)?.[1]
      return notMcp(got === undefined ? failure.what : `content of the type ${got}`)
    }
    case 'session_unknown':
    case 'old_stream':
      break
  }
  return undefined
}

/** A request that was not sent because there was no token for it. Undefined: it needed none, or had one. */
function diagnoseTokens(error: Error): Diagnosis | undefined {
  if (!(error instanceof JunctorError)) return undefined
  const network = error.cause instanceof HttpRequestError ? error.cause.cause : undefined
  if (!(network instanceof Error)) {
    const expected = 'a token for the server'
    return { kind: 'no_token', got: plainMessage(error), expected, next: 'Check "auth" of this backend.' }
  }
  const diagnosis = networkDiagnosis(network)
  const next = diagnosis.next.replaceAll('"url"', 'the issuer')
  return { ...diagnosis, expected: 'an authorization server that can be reached', next }
}

function diagnoseWebSocket(error: Error, attempt: FailedAttempt): Diagnosis | undefined {
  const [, status] = /^Expected a WebSocket, got HTTP (\d+)$/.exec(plainMessage(error)) ?? []
  if (status !== undefined) return diagnoseStatus(Number(status), undefined, attempt)
  const isUnreachable = error instanceof JunctorError && error.code === 'BACKEND_UNREACHABLE'
  return isUnreachable && error.cause instanceof Error ? networkDiagnosis(error.cause) : undefined
}

function diagnoseInterruption(error: Error | undefined): Diagnosis {
  if (error?.name === 'HTTPParserError') return notMcp('something that is no HTTP')
  return {
    kind: 'closed',
    got: 'a connection that was closed before the answer',
    expected: server,
    next: 'Check host and port of "url", and whether it begins with https://; else look at the log of the server.',
  }
}

function notMcp(got: string): Diagnosis {
  const next = 'Check host, port and path of "url": what is there is something else; most MCP servers have /mcp.'
  return { kind: 'not_mcp', got, expected: server, next }
}

function diagnoseStatus(status: number, detail: string | undefined, attempt: FailedAttempt): Diagnosis {
  const got = `HTTP ${status}${detail === undefined ? '' : `: ${detail}`}`
  const { kind, next } = statusSteps(status, attempt)
  return { kind, got, expected: server, next }
}

function statusSteps(status: number, { options }: FailedAttempt): Pick<Diagnosis, 'kind' | 'next'> {
  const { headers, auth } = options
  const proven = auth !== undefined || (isJsonObject(headers) && Object.keys(headers).length > 0)
  if (status === 401 && !proven)
    return { kind: 'unauthorized', next: 'Give the token that it wants: auth: { bearer: "${env:TOKEN}" }.' }
  if (status === 401) return { kind: 'unauthorized', next: 'Renew the token in "auth" or "headers": it was refused.' }
  if (status === 403 && !proven) {
    const next =
      'Give the host of "url" as the server allows it, such as localhost, or the token that it wants in "auth".'
    return { kind: 'forbidden', next }
  }
  if (status === 403)
    return { kind: 'forbidden', next: 'Check what the token in "auth" or "headers" is allowed to do there.' }
  if (status === 404 || status === 405) {
    return { kind: 'not_found', next: 'Check the path of "url": most MCP servers have /mcp or /sse.' }
  }
  if (status >= 300 && status < 400) {
    const next = 'Write the address that it leads to as "url": none is followed, so that credentials go nowhere else.'
    return { kind: 'redirect', next }
  }
  if (status === 429) return { kind: 'http_status', next: 'Wait a while: it has had too many requests.' }
  if (status >= 500) return { kind: 'http_status', next: 'Look at the log of the server, or of the proxy before it.' }
  return { kind: 'http_status', next: 'Check the path of "url" and "headers"; the answer says what is wrong.' }
}
