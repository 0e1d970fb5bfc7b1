import type { IncomingMessage, ServerResponse } from 'node:http'
import { redirect, sendPage } from '@junctor/plugin-sdk/pages'
import { queryOf } from '../provider/query-of.ts'
import type { ServerPaths } from '../provider/server-paths.ts'
import { acceptedAge } from '../upstream/recent-login.ts'
import { errorPage, failedLoginPage } from './error-page.ts'
import { finishLogin } from './finish-login.ts'
import type { InteractionParts, InteractionStep } from './interaction-step.ts'

/** Sends a browser to an OpenID provider, where the person logs in. */
export async function beginUpstream(
  { parts, response, interaction }: InteractionStep,
  upstream: string,
): Promise<void> {
  const { params, uid } = interaction
  const page = await parts.upstreams.begin(upstream, uid, acceptedAge(params))
  if (page?.kind === 'page') return redirect(response, page.url)
  if (page === undefined) return sendPage(response, 400, errorPage('', 'There is no such way to log in.'))
  parts.log.warn('a login at an OpenID provider cannot begin', { upstream, problem: page.problem })
  return sendPage(response, 502, failedLoginPage(`${upstream} cannot be reached.`, interactionPath(parts.paths, uid)))
}

/**
 * Answers a browser that comes back from a provider. The cookie of a login belongs to the path of the login's own page, so the
 * browser does not send it here. The browser is redirected to that page with all parameters. Only the browser that began has
 * the cookie, and can go on.
 */
export async function answerCallback(
  { upstreams, paths }: InteractionParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url = '' } = request
  const [[path = ''], query] = [url.split('?', 1), queryOf(url)]
  if (request.method !== 'GET') return sendPage(response, 405, errorPage('', 'Expected GET.'))
  const state = new URLSearchParams(query).get('state') ?? ''
  const uid = await upstreams.interactionOf(path.slice(paths.callback.length + 1), state)
  if (uid === undefined) return sendPage(response, 400, errorPage('', loginIsOver))
  return redirect(response, `${interactionPath(paths, uid)}?${query}`)
}

/** Ends a login with the parameters that the browser has brought back from a provider. */
export async function finishUpstream(step: InteractionStep, parameters: URLSearchParams): Promise<void> {
  const { parts, response, interaction } = step
  const end = await parts.upstreams.finish(interaction.uid, parameters)
  const fail = (status: number, text: string): void =>
    sendPage(response, status, failedLoginPage(text, interactionPath(parts.paths, interaction.uid)))
  switch (end.kind) {
    case 'account':
      return finishLogin(step, end.account, end.authTime ?? 0)
    case 'unknown':
      return fail(400, loginIsOver)
    case 'denied':
      return fail(403, `${end.upstream} has not let you in${end.error === undefined ? '' : `: ${end.error}`}.`)
    case 'not_a_member':
      return fail(403, `${end.upstream} knows you, but you may not use this server. Ask its operator.`)
    case 'failed':
      parts.log.warn('a login at an OpenID provider has failed', { upstream: end.upstream, problem: end.problem })
      return fail(502, `The answer of ${end.upstream} cannot be used.`)
  }
}

const loginIsOver = 'This login is over: it was finished before, it took too long, or it began in another browser.'

/** The path of the page of a login, as browsers see it. */
export function interactionPath({ prefix, interaction }: ServerPaths, uid: string): string {
  return `${prefix}${interaction}/${uid}`
}
