import { JunctorError } from '@junctor/protocol'
import type { NatsTls } from './nats-credentials.ts'

/** What Node.js says of a certificate that none of the known authorities has issued. */
const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/**
 * Describes why a connection to NATS was not made.
 *
 * @param names of the servers, without secrets
 * @param tls the certificates of this node; undefined: it uses no TLS
 */
export function unreachable(cause: unknown, names: string, tls: NatsTls | undefined): JunctorError {
  return new JunctorError('FABRIC_UNAVAILABLE', problemOf(cause, names, tls), { cause })
}

function problemOf(cause: unknown, names: string, tls: NatsTls | undefined): string {
  const { name, code = '' } = cause as { name?: string; code?: string }
  if (name === 'AuthorizationError') return 'NATS refused the credentials'
  if (unknownAuthority.has(code)) {
    return `NATS at ${names} has a certificate of an unknown authority: fabric.nats.tls.ca names its authority`
  }
  // TLS 1.3 tells a client that its certificate is refused only after the handshake, when the library no longer listens.
  if (name === 'TimeoutError' && tls !== undefined) {
    const own =
      tls.cert === undefined
        ? 'may require a certificate (fabric.nats.tls.cert)'
        : 'may refuse the certificate in fabric.nats.tls.cert'
    return `NATS at ${names} did not answer in time, or ended the connection: it ${own}`
  }
  return `NATS could not be reached at ${names}`
}
