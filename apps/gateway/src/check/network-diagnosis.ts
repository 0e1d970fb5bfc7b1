import type { Diagnosis, DiagnosisKind } from './diagnosis.ts'

type Known = readonly [kind: DiagnosisKind, got: string, next: string]

const noAnswer: Known = [
  'no_route',
  'no answer from that address',
  'Check host and port of "url", and any firewall between.',
]
const noWay: Known = ['no_route', 'no way to that address', 'Check the host of "url", and the network of this machine.']
const withoutTls: Known = [
  'tls',
  'a server without TLS',
  'Begin "url" with http:// instead of https://, or correct its port.',
]
const unknownAuthority: Known = [
  'tls',
  'a certificate of an authority that this machine does not trust',
  "Trust it: set NODE_EXTRA_CA_CERTS to the authority's certificate before starting.",
]

/** Why there is no connection, by the code of the error. */
const codes: Readonly<Record<string, Known>> = {
  ECONNREFUSED: [
    'nothing_listens',
    'nothing that listens there',
    'Start the server, or correct host and port of "url".',
  ],
  ENOTFOUND: ['no_host', 'a host that has no address', 'Correct the host of "url".'],
  EAI_AGAIN: ['no_host', 'no answer of the name service', 'Check the network of this machine, then the host of "url".'],
  ETIMEDOUT: noAnswer,
  UND_ERR_CONNECT_TIMEOUT: noAnswer,
  EHOSTUNREACH: noWay,
  ENETUNREACH: noWay,
  ECONNRESET: [
    'closed',
    'a connection that was closed at once',
    'Check host and port of "url", and whether it should begin with http:// or https://.',
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: withoutTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: withoutTls,
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'tls',
    'a certificate that signs itself',
    'Trust it: set NODE_EXTRA_CA_CERTS to its file before starting.',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'tls',
    'a certificate of an authority that this machine does not trust',
    "Trust it: set NODE_EXTRA_CA_CERTS to the authority's certificate before starting; or let the server send its chain.",
  ],
  CERT_HAS_EXPIRED: [
    'tls',
    'a certificate that has expired',
    'Renew the certificate of the server, or correct the clock of this machine.',
  ],
  CERT_NOT_YET_VALID: [
    'tls',
    'a certificate of the future',
    'Correct the clock of this machine, or that of the server.',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'tls',
    'a certificate for another host',
    'Use a host in "url" that the certificate names.',
  ],
}

/** What is wrong with the network connection to a server. */
export function networkDiagnosis(error: Error): Diagnosis {
  const code = codeOf(error)
  const [kind, got, next] = codes[code] ?? otherwise(code)
  return { kind, got, expected: 'a server that can be reached', next }
}

function otherwise(code: string): Known {
  const kind = /SSL|TLS|CERT/.test(code) ? 'tls' : 'other'
  return [kind, code === '' ? 'no connection' : `no connection (${code})`, 'Check "url", and the network between.']
}

/** The code of an error. An error for several addresses of a host has its code itself, or in its inner errors. */
function codeOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException
  if (code !== undefined) return code
  const [first] = error instanceof AggregateError ? (error.errors as readonly Error[]) : []
  return first === undefined ? '' : codeOf(first)
}
