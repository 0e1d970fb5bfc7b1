import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type Provider } from 'oidc-provider'
import { consentPage } from './consent-page.ts'
import { errorPage, failedLoginPage } from './error-page.ts'
import { finishLogin } from './finish-login.ts'
import type { Interaction, InteractionParts, InteractionStep } from './interaction-step.ts'
import { loginPage } from './login-page.ts'
import { shownName, shownPlace } from './shown-client.ts'
import { readBody, sendPage } from '@junctor/plugin-sdk/pages'
import { queryOf } from '../provider/query-of.ts'
import { isUnread, unread } from '../provider/unread-documents.ts'
import { beginUpstream, finishUpstream, interactionPath } from './upstream-steps.ts'

const mostFormBytes = 16 * 1024

/** Answers requests for the pages for people. The browser must have the cookie of the interaction that it began. */
export async function answerInteraction(
  parts: InteractionParts,
  received: Pick<InteractionStep, 'request' | 'response' | 'client'>,
): Promise<void> {
  const { request, response } = received
  const interaction = await interactionOf(parts.provider, request, response)
  if (interaction === undefined) {
    return sendPage(response, 400, errorPage('', 'This login has expired, or it was started in another browser.'))
  }
  const step: InteractionStep = { parts, ...received, interaction }
  try {
    await answerStep(step)
  } catch (error) {
    if (!(error instanceof errors.OIDCProviderError)) throw error
    sendFailure(step, error)
  }
}

async function answerStep(step: InteractionStep): Promise<void> {
  const { request, response, interaction } = step
  if (request.method === 'GET' || request.method === 'HEAD') return show(step)
  if (request.method !== 'POST') return sendPage(response, 405, errorPage('', 'Expected GET or POST.'))
  const sent = await readForm(step)
  if (sent === undefined) return sendPage(response, 403, errorPage('', 'This form was not sent from this page.'))
  return interaction.prompt.name === 'login' ? login(step, sent) : consent(step, sent)
}

/** The library refuses the client, or cannot read the document that it is known by. */
function sendFailure({ parts, response, interaction }: InteractionStep, error: errors.OIDCProviderError): void {
  if (!isUnread(error)) return sendPage(response, 400, errorPage(error.error, error.error_description ?? ''))
  response.setHeader('retry-after', unread.retryAfter)
  sendPage(response, 503, failedLoginPage(unread.text, interactionPath(parts.paths, interaction.uid)))
}

async function interactionOf(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Interaction | undefined> {
  try {
    return await provider.interactionDetails(request, response)
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined
    throw error
  }
}

async function show(step: InteractionStep): Promise<void> {
  const { parts, response, interaction } = step
  if (interaction.prompt.name === 'login') return showLogin(step)
  const formToken = parts.forms.make(interaction.uid, interaction.prompt.name)
  const client = await clientOf(step)
  const { params, prompt, session } = interaction
  const accountId = session?.accountId ?? ''
  const { missingOIDCScope, missingResourceScopes } = prompt.details as MissingConsent
  const asked = [...(missingOIDCScope ?? []), ...Object.values(missingResourceScopes ?? {}).flat()]
  const html = consentPage({
    client: client.name,
    clientId: String(params['client_id']),
    person: (await parts.people.find(accountId))?.label ?? accountId,
    resources: Object.keys(missingResourceScopes ?? {}),
    scopes: [...new Set(asked)],
    redirectUri: shownPlace(String(params['redirect_uri'])),
    formToken,
  })
  return sendPage(response, 200, html)
}

async function showLogin(step: InteractionStep): Promise<void> {
  const { parts, request } = step
  const brought = new URLSearchParams(queryOf(request.url ?? ''))
  if (brought.has('state')) return finishUpstream(step, brought)
  const [only, ...others] = parts.upstreams.names
  if (only !== undefined && others.length === 0 && parts.users.isEmpty) return beginUpstream(step, only)
  return sendLogin(step, 200)
}

async function sendLogin(
  step: InteractionStep,
  status: number,
  more: { readonly problem?: string; readonly name?: string } = {},
): Promise<void> {
  const { parts, response, interaction } = step
  const { name: client } = await clientOf(step)
  const formToken = parts.forms.make(interaction.uid, interaction.prompt.name)
  const ways = { hasPasswords: !parts.users.isEmpty, upstreams: parts.upstreams.names }
  sendPage(response, status, loginPage({ client, formToken, ...ways, ...more }))
}

/** The scopes that a person has not agreed to yet. */
interface MissingConsent {
  readonly missingOIDCScope?: readonly string[]
  readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>
}

async function clientOf({ parts, interaction }: InteractionStep): Promise<{ readonly name: string }> {
  const id = String(interaction.params['client_id'])
  const client = await parts.provider.Client.find(id)
  return { name: shownName(client?.clientName ?? id) }
}

/** The fields of a form. `undefined`: this server has not made the form for this step. */
async function readForm({ parts, request, interaction }: InteractionStep): Promise<URLSearchParams | undefined> {
  const { origin } = request.headers
  if (origin !== undefined && origin !== parts.origin) return undefined
  const body = await readBody(request, mostFormBytes)
  if (body === undefined) return undefined
  const fields = new URLSearchParams(body)
  const isGood = parts.forms.isGood(interaction.uid, interaction.prompt.name, fields.get('form') ?? '')
  return isGood ? fields : undefined
}

async function login(step: InteractionStep, fields: URLSearchParams): Promise<void> {
  const { parts, client } = step
  const upstream = fields.get('upstream')
  if (upstream !== null) return beginUpstream(step, upstream)
  const name = fields.get('name') ?? ''
  const verdict = await parts.users.login(name, fields.get('password') ?? '', client)
  if (verdict.kind === 'user') return finishLogin(step, verdict.name, Math.floor(Date.now() / 1000))
  const [status, problem] = problems[verdict.kind]
  return sendLogin(step, status, { problem, name })
}

const problems = {
  refused: [401, 'The name or the password is wrong.'],
  too_many: [429, 'Too many attempts. Wait a minute.'],
  busy: [503, 'Too many people log in now. Try again.'],
} as const

async function consent(
  { parts, request, response, interaction }: InteractionStep,
  fields: URLSearchParams,
): Promise<void> {
  const { provider } = parts
  if (fields.get('answer') !== 'allow') {
    const refused = { error: 'access_denied', error_description: 'The person has not agreed' }
    return provider.interactionFinished(request, response, refused, { mergeWithLastSubmission: false })
  }
  const { params, prompt, session, grantId } = interaction
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const accountId = session?.accountId ?? ''
  const grant = known ?? new provider.Grant({ accountId, clientId: String(params['client_id']) })
  const { missingOIDCScope, missingResourceScopes } = prompt.details as MissingConsent
  if (missingOIDCScope !== undefined) grant.addOIDCScope(missingOIDCScope.join(' '))
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, scopes.join(' '))
  }
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
}
