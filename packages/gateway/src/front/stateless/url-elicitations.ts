import type { Outcome } from '@junctor/exchange'
import type { JsonObject, Request } from '@junctor/jsonrpc'
import { isJsonObject, payloadOf } from '@junctor/jsonrpc'
import { type ClientRequest, elicitationModes, methods, type Situation } from '@junctor/protocol'

/** The error of 2025-11-25 with which a server wants its user to open URLs before it is called again. */
const urlElicitationRequired = -32_042

/** The same error of the gateway, for a backend that is called with the account of each caller. */
const consentRequired: Situation = 'consent_required'

/** The keys of these questions begin with it, so that their answers are recognized without a state. */
const prefix = 'url_elicitation_'

/**
 * The outcome of a call for a client of 2026-07-28, which has no error -32042 (2025-11-25, Elicitation, "URL Elicitation
 * Required Error"): its URLs become questions to a client that can open them, and the retry is a call of its own. A client
 * that has declined one gets the error.
 */
export function askUrls(request: Request, outcome: Outcome, capabilities: JsonObject): Outcome {
  if (outcome.kind !== 'error') return outcome
  const data = outcome.error.data?.value()
  const isConsent = isJsonObject(data) && data['reason'] === consentRequired
  if (!isConsent && outcome.error.code !== urlElicitationRequired) return outcome
  if (!elicitationModes(capabilities['elicitation']).url || hasDeclined(request)) return outcome
  const elicitations = isJsonObject(data) ? data['elicitations'] : undefined
  if (!Array.isArray(elicitations)) return outcome
  const requests: Record<string, ClientRequest> = {}
  for (const [index, elicitation] of elicitations.entries()) {
    if (!isUrlElicitation(elicitation)) return outcome
    const { url, message } = elicitation
    requests[`${prefix}${index + 1}`] = {
      method: methods.elicitationCreate,
      params: payloadOf({ mode: 'url', url, message }),
    }
  }
  return elicitations.length === 0 ? outcome : { kind: 'input_required', requests }
}

function isUrlElicitation(value: unknown): value is { readonly url: string; readonly message: string } {
  return isJsonObject(value) && typeof value['url'] === 'string' && typeof value['message'] === 'string'
}

function hasDeclined({ params }: Request): boolean {
  const value = params?.value()
  const responses = isJsonObject(value) ? value['inputResponses'] : undefined
  if (!isJsonObject(responses)) return false
  return Object.entries(responses).some(
    ([key, response]) => key.startsWith(prefix) && !(isJsonObject(response) && response['action'] === 'accept'),
  )
}
