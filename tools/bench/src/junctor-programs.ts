import { hash } from 'node:crypto'
import type { Endpoint } from './load/sessions.ts'
import { createSampleIssuer, type SampleIssuer } from './sample-issuer.ts'
import type { ServerProgram } from './server-process.ts'
import { listedTools } from './servers/tool-list.ts'

/** The program of Junctor. */
export const junctor: URL = new URL('./servers/junctor.ts', import.meta.url)

/** A random key, as real keys are; it opens only the measured gateway. */
export const key: string = 'b3f0c1d29e8a47565b1c0d9e8f7a6b5c'

/** The endpoint for measurements of Junctor over HTTP: at a tenant, with an authenticated caller. */
export const address: Omit<Endpoint, 'port'> = { path: '/mcp/bench', key }

/** The same for requests of 2026-07-28, which need no session. */
export const statelessAddress: Omit<Endpoint, 'port'> = { ...address, revision: '2026-07-28' }

/**
 * Junctor with one backend, on free ports. Over HTTP with everything that a team uses: tenants, keys, the admin port.
 */
export function junctorWith(lean: object, front: 'http' | 'stdio' = 'http', more: object = {}): ServerProgram {
  return junctorOf({ lean }, front, more)
}

/** The same with any number of backends. */
export function junctorOf(backends: object, front: 'http' | 'stdio' = 'http', more: object = {}): ServerProgram {
  const names = Object.keys(backends)
  const team = {
    listen: { http: { port: 0 }, admin: { port: 0 } },
    tenants: { bench: { backends: names }, queue: { backends: names, profile: 'saas' } },
    auth: { apiKeys: { bench: { hash: `sha256:${hash('sha256', key, 'hex')}`, tenants: ['bench', 'queue'] } } },
  }
  const config = front === 'stdio' ? { backends } : { backends, ...team, ...more }
  return { program: junctor, args: [JSON.stringify(config), front] }
}

/** @param port of NATS */
export function natsAt(port: number | undefined): object {
  return { fabric: { nats: { servers: [`nats://127.0.0.1:${port}`], key: `${key}${key}` } } }
}

/** As many tools as in the long list, of a hundred backends. */
export function hundredBackends(): object {
  const backend = { plugin: 'bench', tools: listedTools / 100 }
  return Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`lean${index}`, backend]))
}

/** The issuer of the token that the caller of the guarded gateway has. */
export const issuer: SampleIssuer = createSampleIssuer()

/**
 * Everything that decides whether a call may be made: tokens with scopes, members of a tenant, rates and bounds. None of
 * the limits is reached.
 *
 * @param port of the keys of the issuer
 */
export function guarded(port: number | undefined): object {
  return {
    auth: {
      issuer: issuer.issuer,
      audience: [issuer.audience],
      jwksUri: `http://127.0.0.1:${port}/`,
      scopes: ['mcp'],
      toolScopes: { 'lean:*': ['call'] },
    },
    tenants: {
      bench: {
        backends: ['lean'],
        members: { claim: 'org', values: ['bench'] },
        tools: { allow: ['lean:*'], deny: ['lean:delete_*'] },
        limits: {
          callsPerMinute: 1_000_000,
          callsPerMinuteOfPrincipal: 1_000_000,
          callsPerMinuteOfTools: { 'lean:e*': 1_000_000 },
          burst: '1h',
        },
      },
    },
  }
}

/** The measured backend, on a worker. */
export const onWorker: object = { plugin: 'bench', runsOn: 'workers' }
