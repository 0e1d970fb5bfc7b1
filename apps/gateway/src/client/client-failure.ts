import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { isJsonObject, memberOf, parseJson } from '@junctor/jsonrpc'
import { catalogue, type Situation } from '@junctor/protocol'
import type { Failure } from '@junctor/command'
import { errorOf, printable } from '@junctor/primitives'
import { networkDiagnosis } from '../check/network-diagnosis.ts'

/**
 * Why a call or a list failed, and what to do, for the user of the command.
 *
 * @param url the URL of the gateway; absent: the command started the gateway itself
 * @param connected whether the gateway had answered before
 */
export function clientFailure(error: unknown, url: string | undefined, connected: boolean): Failure {
  const message = errorOf(error).message
  if (error instanceof ProtocolError) return { message, next: nextStep(error) }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    if (!connected && url !== undefined) {
      return { message: `${url} takes connections and does not answer`, next: 'Check that it is a gateway, and runs.' }
    }
    return { message: 'no answer came in time', next: 'See what its backends do; a call waits longer with --timeout.' }
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult && message.includes('initialize')) {
    return {
      message: 'this tenant does not answer initialize as the specification says, and cannot be used with this command',
      next: 'Use a tenant with the profile mcp. The profile saas is for its own clients: see docs/coming-from/saas.md.',
    }
  }
  if (url === undefined) {
    return { message, next: 'Run "junctor check" to see whether the configuration and its backends are well.' }
  }
  const known = error instanceof SdkHttpError ? (statusFailure(error.status, url) ?? refusalIn(error.data)) : undefined
  return known ?? connectionFailure(error, message, url)
}

/** The error of the gateway in the body of an HTTP error, for example above a rate. */
function refusalIn({ text }: { readonly status: number; readonly text?: unknown }): Failure | undefined {
  if (typeof text !== 'string') return undefined
  const error = memberOf(parseJson(text), 'error')
  if (!isJsonObject(error)) return undefined
  const { code, message, data } = error
  return typeof message === 'string' ? { message, next: nextStep({ code, data }) } : undefined
}

/** Errors of the gateway itself carry their situation; other errors come from a backend. */
function nextStep({ code, data }: { readonly code?: unknown; readonly data?: unknown }): string {
  const reason = memberOf(data, 'reason')
  const known =
    typeof reason === 'string' && Object.hasOwn(catalogue, reason) ? catalogue[reason as Situation] : undefined
  if (known === undefined) return `This is the error ${String(code)} of the tool or its server: look at their log.`
  return known.nextStep
    .replace(/that `data\.(\w+)` names/, (words, name: string) => valueOf(data, name) ?? words)
    .replace(/`data\.(\w+)`/, (word, name: string) => [word, valueOf(data, name)].join(' ').trimEnd())
    .replaceAll('`', '')
}

/** A text or number of an error's `data`, which the user of the command does not see. */
function valueOf(data: unknown, name: string): string | undefined {
  const value = memberOf(data, name)
  return typeof value === 'string' || typeof value === 'number' ? printable(String(value)) : undefined
}

function statusFailure(status: number, url: string): Failure | undefined {
  switch (status) {
    case 401:
      return { message: `${url} asks who calls`, next: 'Give a key with --key, or in the variable JUNCTOR_KEY.' }
    case 403:
      return { message: `${url} does not let this caller in`, next: 'Check which tenants the key opens, and "Host".' }
    case 404: {
      const message = `there is nothing for this caller at ${url}`
      return { message, next: 'Check the path: /mcp, or /mcp/ and a tenant that the key opens.' }
    }
    default:
      return undefined
  }
}

function connectionFailure(error: unknown, message: string, url: string): Failure {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error)) return { message, next: 'Check --url and --key.' }
  const { kind, got, next } = networkDiagnosis(cause)
  if (kind === 'nothing_listens') {
    return { message: `nothing listens at ${url}`, next: 'Start a gateway with "junctor serve", or correct --url.' }
  }
  if (kind === 'other') return { message: `${message}: ${cause.message}`, next: 'Check --url and --key.' }
  const wanted = `expected a server that can be reached at ${url}, got ${got}`
  return { message: wanted, next: next.replaceAll('"url"', '--url') }
}
