import type { PeerCertificate } from 'node:tls'
import { expect, it } from 'vitest'
import { serverIdentity } from './server-identity.ts'

const certificate = (names: string): PeerCertificate =>
  ({ subject: { CN: '' }, subjectaltname: names }) as PeerCertificate

it.each([
  // A host name is checked as it is.
  [['tls://nats.example.com:4222'], 'nats.example.com', 'DNS:nats.example.com', true],
  [['tls://nats.example.com:4222'], 'nats.example.com', 'DNS:localhost', false],
  [['tls://localhost:4222'], 'localhost', 'DNS:localhost', true],
  // For an IP address, the client library leaves the name to TLS, which takes localhost.
  [['tls://10.0.0.1:4222'], 'localhost', 'IP Address:10.0.0.1', true],
  [['tls://10.0.0.1'], 'localhost', 'DNS:localhost', false],
  [['tls://me:secret@10.0.0.1:4222', 'tls://10.0.0.2:4222'], 'localhost', 'IP Address:10.0.0.2', true],
  [['tls://10.0.0.1:4222', 'tls://10.0.0.2:4222'], 'localhost', 'IP Address:10.0.0.3', false],
  [['tls://[fd00::1]:4222'], 'localhost', 'IP Address:FD00:0:0:0:0:0:0:1', true],
  [['tls://10.0.0.1:4222', 'localhost:4222'], 'localhost', 'DNS:localhost', true],
])('servers %j, of which one is checked as %s, with a certificate for %s: %s', (servers, host, names, fits) => {
  expect(serverIdentity(servers)(host, certificate(names)) === undefined).toBe(fits)
})
