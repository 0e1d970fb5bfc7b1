import type { CallContext, Outcome } from '@junctor/exchange'
import { isJsonObject, type JsonValue, memberOf, payloadOf, type Request } from '@junctor/jsonrpc'
import { type ClientRequest, elicitationModes, mcpProfile, methods, type Situation, wireError } from '@junctor/protocol'
import { errorData } from '../../shared/errors.ts'

/** The error of 2025-11-25 with which a server wants its user to open URLs before it is called again. */
const urlElicitationRequired = -32_042

/** The same error of the gateway, for a backend that is called with the account of each caller. */
const consentRequired: Situation = 'consent_required'

/** The keys of these questions begin with it, so that their answers are recognized without a state. */
const prefix = 'url_elicitation_'

/**
 * The outcome of a call for a client of 2026-07-28, which must not get the error -32042 (2025-11-25, Elicitation, "URL
 * Elicitation Required Error"): its URLs become questions to a client that can open them, and the retry is a call of its own. A
 * client that cannot, or has declined one, gets an error of this revision with the same URLs.
 */
export function askUrls(request: Request, outcome: Outcome, { revision, client }: CallContext): Outcome {
  if (outcome.kind !== 'error') return outcome
  const { code, message } = outcome.error
  const data = errorData(outcome)
  const isConsent = data['reason'] === consentRequired
  if (!isConsent && code !== urlElicitationRequired) return outcome
  const canOpen = elicitationModes(client.capabilities['elicitation']).url
  const requests = canOpen && !hasDeclined(request) ? questionsOf(data['elicitations']) : undefined
  if (requests !== undefined) return { kind: 'input_required', requests }
  if (isConsent) return outcome
  const view = { revision, dialect: request.dialect, profile: mcpProfile }
  const missing = { data: { ...data, requiredCapabilities: { elicitation: { url: {} } } }, name: 'elicitation.url' }
  const error = canOpen
    ? wireError(consentRequired, view, { data, message })
    : wireError('capability_missing', view, missing)
  return { kind: 'error', error }
}

/** A question for each URL. Undefined when there is none, or one of them is not valid. */
function questionsOf(elicitations: JsonValue | undefined): Record<string, ClientRequest> | undefined {
  if (!Array.isArray(elicitations) || elicitations.length === 0) return undefined
  const requests: Record<string, ClientRequest> = {}
  for (const [index, elicitation] of elicitations.entries()) {
    if (!isUrlElicitation(elicitation)) return undefined
    const { url, message } = elicitation
    requests[`${prefix}${index + 1}`] = {
      method: methods.elicitationCreate,
      params: payloadOf({ mode: 'url', url, message }),
    }
  }
  return requests
}

function isUrlElicitation(value: unknown): value is { readonly url: string; readonly message: string } {
  return isJsonObject(value) && typeof value['url'] === 'string' && typeof value['message'] === 'string'
}

function hasDeclined({ params }: Request): boolean {
  const responses = memberOf(params?.value(), 'inputResponses')
  if (!isJsonObject(responses)) return false
  return Object.entries(responses).some(
    ([key, response]) => key.startsWith(prefix) && memberOf(response, 'action') !== 'accept',
  )
}
