import { createSecureContext } from 'node:tls'
import { JunctorError } from '@junctor/protocol'
import {
  type Authenticator,
  buildAuthenticator,
  credsAuthenticator,
  nkeyAuthenticator,
  type TlsOptions,
} from '@nats-io/transport-node'
import { serverIdentity } from './server-identity.ts'

/** What a client shows to NATS servers when it connects. At most one way to authenticate is given. */
export interface NatsCredentials {
  readonly user?: string | undefined
  readonly password?: string | undefined
  readonly token?: string | undefined
  /** The seed of an nkey, `SU...`. */
  readonly nkey?: string | undefined
  /** The text of a credentials file. */
  readonly credentials?: string | undefined
  /** PEM texts. Default: the system's authorities, and TLS only where an address or the server requires it. */
  readonly tls?: NatsTls | undefined
}

/** Certificates for the connection to NATS, as PEM. */
export interface NatsTls {
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

/** Credentials that can be used. */
export interface ReadNatsCredentials {
  readonly authenticator: Authenticator
  readonly tls: NatsTls | undefined
}

/**
 * Reads credentials before they are used, because a connection reads them only when it connects, perhaps much later.
 *
 * @throws JunctorError `CONFIG_INVALID` for malformed ones
 */
export function readNatsCredentials({
  user,
  password,
  token,
  nkey,
  credentials,
  tls,
}: NatsCredentials): ReadNatsCredentials {
  const authenticator = authenticatorOf(nkey, credentials)
  const passwords = { ...(user !== undefined && { user }), ...(password !== undefined && { pass: password }) }
  attempt('certificates in PEM (fabric.nats.tls)', () => createSecureContext({ ...tls }))
  return {
    authenticator: buildAuthenticator({
      ...passwords,
      ...(token !== undefined && { token }),
      ...(authenticator !== undefined && { authenticator }),
    }),
    tls,
  }
}

/**
 * The options of a connection whose credentials may change: what `current` returns is used at each connection.
 *
 * @param servers their addresses: where one asks for TLS, a server without it is refused, before it gets credentials
 */
export function renewable(
  current: () => ReadNatsCredentials,
  servers: readonly string[],
): { authenticator: Authenticator; tls?: TlsOptions } {
  const { tls } = current()
  const latest = {
    checkServerIdentity: serverIdentity(servers),
    get ca() {
      return current().tls?.ca
    },
    get cert() {
      return current().tls?.cert
    },
    get key() {
      return current().tls?.key
    },
  }
  return {
    authenticator: (nonce) => current().authenticator(nonce),
    ...((servers.some(requiresTls) || tls !== undefined) && { tls: latest as TlsOptions }),
  }
}

/** The client library does not read the scheme: without more, it sends its credentials to a server without TLS. */
function requiresTls(server: string): boolean {
  return /^tls:/i.test(server)
}

function authenticatorOf(nkey: string | undefined, credentials: string | undefined): Authenticator | undefined {
  const bytes = new TextEncoder()
  if (nkey !== undefined) return readable(nkeyAuthenticator(bytes.encode(nkey)), 'the seed of an nkey')
  if (credentials !== undefined) {
    // The client library reads a line only with its end, which a reference to the file removes from the last one.
    const lines = `${credentials.replaceAll('\r\n', '\n')}\n`
    return readable(credsAuthenticator(bytes.encode(lines)), 'the text of a credentials file')
  }
  return undefined
}

function readable(authenticator: Authenticator, what: string): Authenticator {
  attempt(what, () => authenticator('nonce'))
  return authenticator
}

function attempt(what: string, use: () => unknown): void {
  try {
    use()
  } catch (error) {
    throw new JunctorError('CONFIG_INVALID', `expected ${what} for NATS, got a text that cannot be used`, {
      cause: error,
    })
  }
}
