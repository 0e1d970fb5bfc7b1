import { JunctorError } from '@junctor/protocol'

/** What is wrong with a backend, in the words of a problem of the configuration. */
export interface Diagnosis {
  /** What came. */
  readonly got: string
  readonly expected: string
  /** What to do: one sentence. */
  readonly next: string
}

/** What is known of an attempt that failed. */
export interface FailedAttempt {
  readonly error: Error | undefined
  /** The last lines that the program wrote to standard error. */
  readonly lines: readonly string[]
  /** How long was waited, in milliseconds. */
  readonly waitedMs: number
}

const server = 'an MCP server that answers'

/** The errors below a failed connection, by their code. */
const causes: Readonly<Record<string, Omit<Diagnosis, 'expected'>>> = {
  ENOENT: {
    got: 'no such program',
    next: 'Check the spelling of "command", and that it is installed and on the PATH.',
  },
  EACCES: {
    got: 'a file that may not be run',
    next: 'Make it executable, or name the program that runs it as "command".',
  },
  ECONNREFUSED: { got: 'nothing that listens there', next: 'Start the server, or correct host and port of "url".' },
  ECONNRESET: {
    got: 'a connection that was closed at once',
    next: 'Check whether "url" should begin with https:// or http://.',
  },
  ENOTFOUND: {
    got: 'a host that has no address',
    next: 'Check the host of "url", and the name service of this machine.',
  },
  EAI_AGAIN: {
    got: 'no answer of the name service',
    next: 'Check the network of this machine, then the host of "url".',
  },
  ETIMEDOUT: { got: 'no answer from that address', next: 'Check host and port of "url", and any firewall between.' },
  EHOSTUNREACH: { got: 'no way to that address', next: 'Check the host of "url", and the network of this machine.' },
  ERR_SSL_WRONG_VERSION_NUMBER: { got: 'a server without TLS', next: 'Begin "url" with http:// instead of https://.' },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    got: 'a certificate that signs itself',
    next: 'Trust it with NODE_EXTRA_CA_CERTS=cert.pem.',
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    got: 'a certificate of an unknown authority',
    next: 'Trust it with NODE_EXTRA_CA_CERTS=ca.pem.',
  },
  CERT_HAS_EXPIRED: { got: 'a certificate that has expired', next: 'Renew the certificate of the server.' },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    got: 'a certificate for another host',
    next: 'Use a host in "url" that the certificate names.',
  },
}

/** HTTP statuses that say what is wrong. */
const statuses: Readonly<Record<string, string>> = {
  401: 'Give the token that it wants: auth: { bearer: "${env:TOKEN}" }, or in "headers".',
  403: 'Check that the token in "auth" or "headers" may use this server.',
  404: 'Check the path of "url": most servers have /mcp or /sse.',
  405: 'Check the path of "url": what is there takes no POST.',
  429: 'Wait a while: it has had too many requests.',
}

/** Says what is wrong with a backend that could not be used, and what to do about it. */
export function diagnose({ error, lines, waitedMs }: FailedAttempt): Diagnosis {
  if (error === undefined) {
    return {
      got: `no answer in ${Math.round(waitedMs / 1000)} s`,
      expected: server,
      next: 'Run it by itself to see what it waits for; raise --timeout if it is slow to start.',
    }
  }
  const cause = causes[codeOf(error)]
  if (cause !== undefined) return { expected: server, ...cause }
  const message = plainMessage(error)
  const status = /answered HTTP (\d{3})/.exec(message)?.[1]
  if (status !== undefined) {
    return { got: `HTTP ${status}`, expected: server, next: statuses[status] ?? 'Look at the log of the server.' }
  }
  const code = error instanceof JunctorError ? error.code : undefined
  if (code === 'BACKEND_EXITED') {
    const said = lines.length === 0 ? '' : `: ${lines.join(' / ')}`
    const got = `${message.replace(/^Backend "[^"]*" /, 'a program that ')}${said}`
    return { got, expected: 'a program that goes on running', next: 'Run its command by itself to see why it ends.' }
  }
  if (code === 'PROTOCOL_VIOLATED') {
    return { got: message, expected: 'an MCP server', next: 'Check "url": what is there speaks something else.' }
  }
  return { got: message, expected: server, next: 'Look at the log of the server, or run with --log-level debug.' }
}

/** The code nearest to the operating system. */
function codeOf(error: Error): string {
  const { cause } = error
  if (cause instanceof Error) return codeOf(cause)
  const { code } = error as NodeJS.ErrnoException
  return code ?? ''
}

/** The code in front is for logs. */
function plainMessage({ message }: Error): string {
  return message.replace(/^\[[A-Z_]+\] /, '')
}
