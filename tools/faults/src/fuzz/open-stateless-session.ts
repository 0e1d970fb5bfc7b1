import { setTimeout as after } from 'node:timers/promises'
import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { outcomeOf } from '../storm/clients/http-3-client.ts'
import type { OpenOptions } from './open-http-session.ts'
import { createSession, recordMessage, type Opening, type OpenSession, type SendOptions } from './open-session.ts'
import { type PostedAt, postAt } from './post-at.ts'
import { callAskedAbout, replyTo } from './receive-message.ts'

const version = '2026-07-28'
const prefix = 'io.modelcontextprotocol/'

const meta = {
  [`${prefix}protocolVersion`]: version,
  [`${prefix}clientInfo`]: { name: 'fuzz', version: '1' },
  [`${prefix}clientCapabilities`]: { sampling: {} },
}

/** The rounds of a request: a client gives up when so many were not answered. */
const mostRounds = 100
const pauseMs = 100

/** A client of 2026-07-28, which opens no session: each of its requests stands for itself, at any node. */
export function openStatelessSession({ client, kind, node, urls, key }: OpenOptions): Opening {
  const began = performance.now()
  const id = `stateless-${client}-${Math.round(began)}`
  const session = createSession({ id, client, kind, node, began })
  const opened: OpenSession = {
    session,
    nodes: urls.length,
    send: (at, message, more = {}) => sendRounds(opened, at, message, more, post),
    listen() {},
    ensure() {},
    leave: () => Promise.resolve(),
    end: () => Promise.resolve(true),
  }
  const post: PostRound = (at, message, more) => {
    const { method, params = {} } = message as { method: string; params?: JsonObject & { name?: string } }
    const headers = {
      authorization: `Bearer ${key}`,
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(params.name !== undefined && { 'mcp-name': params.name }),
    }
    const declared = { jsonrpc: '2.0', ...message, params: { ...params, _meta: meta } }
    return postAt(urls[at] ?? '', declared, { ...more, headers })
  }
  return { kind: 'open', opened }
}

type PostRound = (node: number, message: JsonObject, options: SendOptions) => Promise<PostedAt>

/** Sends a request, and again with the answers to its questions, at any node, until it has a result. */
async function sendRounds(
  at: OpenSession,
  first: number,
  message: JsonObject,
  options: SendOptions,
  post: PostRound,
): Promise<PostedAt> {
  let next = message
  let node = first
  for (let round = 1; ; round += 1) {
    let received: JsonObject | undefined
    const onMessage = (each: JsonObject): void => void (received = each)
    // oxlint-disable no-await-in-loop -- one round after the other
    const posted = await post(node, next, { ...options, onMessage })
    const asked = askingResult(received)
    const isLast = round === mostRounds || options.abortAfterMs !== undefined
    if (asked !== undefined) {
      const call = callAskedAbout(at, { params: asked })
      if (call?.replyAt === undefined) at.session.foreign.push('question')
      else {
        await after(call.ms)
        node = call.replyAt
        next = withAnswers(message, asked, replyTo(call))
        continue
      }
    } else if (next !== message && !isLast) {
      const call = at.session.calls.find(({ id }) => id === message['id'])
      if (isUnknownState(received)) {
        call?.restarts?.push(performance.now())
        next = message
        continue
      }
      // A round may be sent again, and has the same outcome.
      if (posted.status === undefined || posted.status === 503) {
        await after(pauseMs)
        node = (node + 1) % at.nodes
        continue
      }
    }
    // oxlint-enable no-await-in-loop
    if (received !== undefined) (options.onMessage ?? ((each) => recordMessage(at.session, each)))(received)
    return posted
  }
}

function askingResult(message: JsonObject | undefined): JsonObject | undefined {
  const result = message?.['result']
  return isJsonObject(result) && result['resultType'] === 'input_required' ? result : undefined
}

function withAnswers(message: JsonObject, asked: JsonObject, reply: JsonObject): JsonObject {
  const keys = Object.keys((asked['inputRequests'] ?? {}) as JsonObject)
  const inputResponses = Object.fromEntries(keys.map((key) => [key, reply]))
  const { requestState = null } = asked
  return { ...message, params: { ...(message['params'] as JsonObject), inputResponses, requestState } }
}

function isUnknownState(message: JsonObject | undefined): boolean {
  if (message?.['error'] === undefined) return false
  const outcome = outcomeOf(message)
  return outcome.kind === 'error' && outcome.reason === 'invalid_params' && outcome.message.includes('"requestState"')
}
