import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from '@junctor/plugin-sdk/pages'
import type { InteractionParts } from './interaction-step.ts'

/** The longest request, in bytes. */
const mostBytes = 16 * 1024

/**
 * Answers a provider that reports a logout (OpenID Connect Back-Channel Logout 1.0, sections 2.5 and 2.8). The request has no
 * credentials: the logout token in it is signed.
 */
export async function answerBackchannelLogout(
  { upstreams, paths, log }: Pick<InteractionParts, 'upstreams' | 'paths' | 'log'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, problem?: string): void => {
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    response.end(problem && JSON.stringify({ error: 'invalid_request', error_description: problem }))
  }
  if (request.method !== 'POST') return answer(405, 'Expected POST')
  const body = await readBody(request, mostBytes)
  if (body === undefined) return answer(413, 'Expected at most 16 KiB')
  const upstream = (request.url ?? '').split('?', 1)[0]?.slice(paths.backchannelLogout.length + 1) ?? ''
  const token = new URLSearchParams(body).get('logout_token')
  const end = token === null ? undefined : await upstreams.logout(upstream, token)
  if (end?.kind === 'ended') return answer(200)
  if (end !== undefined) log.warn('a logout at an OpenID provider was refused', { upstream, problem: end.problem })
  return answer(400, 'Expected a valid logout_token of this provider')
}
