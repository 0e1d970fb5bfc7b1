import type { Situation } from '@junctor/protocol'

/** The catalogue's situations for errors that Fastify and its plugins raise themselves, by HTTP status. */
const situations: Readonly<Record<number, Situation>> = {
  400: 'invalid_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'unknown_tenant',
  405: 'http_method_not_allowed',
  406: 'not_acceptable',
  408: 'invalid_request',
  413: 'too_large',
  414: 'too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  431: 'too_large',
  503: 'overloaded',
}

/** Returns the error of the catalogue that a status of the HTTP server itself stands for. */
export function situationOfStatus(status: number): Situation {
  return situations[status] ?? (status >= 400 && status < 500 ? 'invalid_request' : 'internal_error')
}
