import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type Provider } from 'oidc-provider'
import type { Users } from '../users/users.ts'
import { consentPage } from './consent-page.ts'
import { errorPage } from './error-page.ts'
import type { FormTokens } from './form-token.ts'
import { loginPage } from './login-page.ts'
import { readBody, sendPage } from '@junctor/plugin-sdk/pages'

/** The steps at which people are asked: to log in, and to agree. */
export interface InteractionParts {
  readonly provider: Provider
  readonly users: Users
  readonly forms: FormTokens
  /** The origin of the pages. A form from another one is refused. */
  readonly origin: string
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** One request for one step. */
interface Step {
  readonly parts: InteractionParts
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly interaction: Interaction
}

const mostFormBytes = 16 * 1024

/** Answers the pages for people. The browser must have begun here: it has the cookie of the interaction. */
export async function answerInteraction(
  parts: InteractionParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const interaction = await interactionOf(parts.provider, request, response)
  if (interaction === undefined) {
    return sendPage(response, 400, errorPage('', 'This login has expired, or it was started in another browser.'))
  }
  const step: Step = { parts, request, response, interaction }
  if (request.method === 'GET' || request.method === 'HEAD') return show(step)
  if (request.method !== 'POST') return sendPage(response, 405, errorPage('', 'Expected GET or POST.'))
  const sent = await readForm(step)
  if (sent === undefined) return sendPage(response, 403, errorPage('', 'This form was not sent from this page.'))
  return interaction.prompt.name === 'login' ? login(step, sent) : consent(step, sent)
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

async function show(step: Step): Promise<void> {
  const { parts, response, interaction } = step
  const formToken = parts.forms.make(interaction.uid, interaction.prompt.name)
  const client = await clientOf(step)
  if (interaction.prompt.name === 'login') return sendPage(response, 200, loginPage({ client: client.name, formToken }))
  const { params, prompt, session } = interaction
  const { missingOIDCScope, missingResourceScopes } = prompt.details as MissingConsent
  const asked = [...(missingOIDCScope ?? []), ...Object.values(missingResourceScopes ?? {}).flat()]
  const html = consentPage({
    client: client.name,
    clientId: String(params['client_id']),
    person: session?.accountId ?? '',
    resources: Object.keys(missingResourceScopes ?? {}),
    scopes: [...new Set(asked)],
    redirectUri: String(params['redirect_uri']),
    formToken,
  })
  return sendPage(response, 200, html)
}

/** What a person has not agreed to yet. */
interface MissingConsent {
  readonly missingOIDCScope?: readonly string[]
  readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>
}

async function clientOf({ parts, interaction }: Step): Promise<{ readonly name: string }> {
  const id = String(interaction.params['client_id'])
  const client = await parts.provider.Client.find(id)
  return { name: client?.clientName ?? id }
}

/** The fields of a form. `undefined`: it was not made here, for this step. */
async function readForm({ parts, request, interaction }: Step): Promise<URLSearchParams | undefined> {
  const { origin } = request.headers
  if (origin !== undefined && origin !== parts.origin) return undefined
  const body = await readBody(request, mostFormBytes)
  if (body === undefined) return undefined
  const fields = new URLSearchParams(body)
  const isGood = parts.forms.isGood(interaction.uid, interaction.prompt.name, fields.get('form') ?? '')
  return isGood ? fields : undefined
}

async function login(step: Step, fields: URLSearchParams): Promise<void> {
  const { parts, request, response, interaction } = step
  const name = fields.get('name') ?? ''
  const verdict = await parts.users.login(name, fields.get('password') ?? '', request.socket.remoteAddress ?? '')
  if (verdict.kind === 'user') {
    return parts.provider.interactionFinished(request, response, {
      login: { accountId: verdict.name, remember: false },
    })
  }
  const tooMany = verdict.kind === 'too_many'
  const problem = tooMany ? 'Too many attempts. Wait a minute.' : 'The name or the password is wrong.'
  const formToken = parts.forms.make(interaction.uid, interaction.prompt.name)
  const { name: client } = await clientOf(step)
  sendPage(response, tooMany ? 429 : 401, loginPage({ client, formToken, problem, name }))
}

async function consent({ parts, request, response, interaction }: Step, fields: URLSearchParams): Promise<void> {
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
