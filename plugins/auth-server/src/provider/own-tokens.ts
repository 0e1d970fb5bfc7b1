import { errors } from 'oidc-provider'

/** The client that sends a token. */
interface Sender {
  readonly clientId: string
  /** `none`: anybody can name this client. */
  readonly clientAuthMethod?: string | undefined
}

interface IssuedToken {
  readonly clientId?: string | undefined
}

/** Whether a client may ask about a token (RFC 7662). One without a secret learns of its own tokens alone. */
export function mayAsk(client: Sender, { clientId }: IssuedToken): boolean {
  return client.clientAuthMethod !== 'none' || clientId === client.clientId
}

/**
 * Whether a client may revoke a token (RFC 7009 section 2.1). It must be its own.
 *
 * @throws InvalidRequest for the token of another client; one without a secret does not learn that the token exists
 */
export function mayRevoke(client: Sender, { clientId }: IssuedToken): boolean {
  if (clientId === client.clientId) return true
  if (client.clientAuthMethod === 'none') return false
  throw new errors.InvalidRequest('client is not authorized to revoke the presented token')
}
