import type { CallContext, Principal } from './context.ts'

const issuer = 'junctor'

/** The principal of the gateway's own requests, such as one that sets a log level. */
export function gatewayPrincipal(subject: string): Principal {
  return { issuer, subject, key: `${issuer} ${subject}` }
}

/** Whether the gateway itself has sent the request: then there is no client behind it. */
export function isOfGateway({ principal }: Pick<CallContext, 'principal'>): boolean {
  return principal.issuer === issuer
}
