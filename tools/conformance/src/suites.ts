import { createRequire } from 'node:module'
import { statelessScenarios } from './stateless-scenarios.ts'

const require = createRequire(import.meta.url)
const current = require.resolve('@modelcontextprotocol/conformance/dist/index.js')
const released = require.resolve('conformance-released/dist/index.js')

/** One run of an official suite, without its target. */
export interface Suite {
  readonly name: string
  /** The suite's program, and its arguments. */
  readonly command: readonly [program: string, ...args: string[]]
  /** The scenarios that do not count, by the names of their folders. Default: all count. */
  readonly unscored?: RegExp
}

/**
 * The suites for servers, most thorough first: the newest also checks each message against the specification's schema.
 */
export const serverSuites: readonly [Suite, ...Suite[]] = [
  { name: 'requirements 2025-11-25', command: [current, 'server', '--requirements', '2025-11-25'] },
  { name: 'everything 2025-06-18', command: [current, 'server', '--spec-version', '2025-06-18', '--suite', 'all'] },
  {
    name: 'requirements 2026-07-28',
    command: [current, 'server', '--requirements', '2026-07-28'],
    // The suite runs these too, and does not count them: they are an extension, which this fixture does not have.
    unscored: /^server-tasks-/,
  },
  { name: 'released suite', command: [released, 'server', '--suite', 'all'] },
]

/** The suites of skills (SEP-2640), which only the fixture of 2026-07-28 has. */
export const skillSuites: readonly Suite[] = ['enumeration', 'manifest', 'directory'].map((part) => ({
  name: `skills ${part}`,
  command: [current, 'server', '--scenario', `sep-2640-skills-${part}`],
}))

/**
 * The scenarios of tasks (SEP-2663), which only the fixture with that extension has. Two are left out: the suite has no
 * checks yet for `tasks-status-notifications`, and `tasks-required-task-error` expects an error for a client without tasks,
 * for which the gateway waits for the result.
 */
export const taskSuites: readonly Suite[] = [
  'lifecycle',
  'capability-negotiation',
  'wire-fields',
  'request-state-removal',
  'mrtr-input',
  'request-headers',
  'dispatch-and-envelope',
  'mrtr-composition',
].map((part) => ({ name: `tasks ${part}`, command: [current, 'server', '--scenario', `tasks-${part}`] }))

/** The suites for clients: they test the gateway's back side, with the suite as the backend. */
export const clientSuites: readonly Suite[] = [
  ...statelessScenarios,
  'initialize',
  'tools_call',
  'elicitation-sep1034-client-defaults',
  'sse-retry',
  'json-schema-2020-12-preservation',
].map((scenario) => ({ name: `client ${scenario}`, command: [current, 'client', '--scenario', scenario] }))

/**
 * The suites of authorization for clients: the gateway gets tokens for the suite's server. `basic-cimd` is left out, because
 * it wants one URL of a document, and that of a gateway is its own; `enterprise-managed-authorization`
 * (`cross-app-access-complete-flow` in the released suite), because it tests the program that a person logged in at: it gives
 * an ID token to its client, and takes nothing else in exchange. A gateway exchanges the access token that a caller presents,
 * after it has verified it. It could not verify this one: it is issued to another audience, and its provider serves no keys.
 */
export const authSuites: readonly Suite[] = [
  'metadata-default',
  'metadata-var1',
  'metadata-var2',
  'metadata-var3',
  'scope-from-www-authenticate',
  'scope-from-scopes-supported',
  'scope-omitted-when-undefined',
  'scope-step-up',
  'scope-retry-limit',
  'token-endpoint-auth-basic',
  'token-endpoint-auth-post',
  'token-endpoint-auth-none',
  'pre-registration',
  '2025-03-26-oauth-metadata-backcompat',
  '2025-03-26-oauth-endpoint-fallback',
  'resource-mismatch',
  'offline-access-scope',
  'offline-access-not-supported',
  'iss-supported',
  'iss-not-advertised',
  'iss-supported-missing',
  'iss-wrong-issuer',
  'iss-unexpected',
  'iss-normalized',
  'metadata-issuer-mismatch',
  'authorization-server-migration',
  'client-credentials-jwt',
  'client-credentials-basic',
].map((scenario) => ({ name: `auth ${scenario}`, command: [current, 'client', '--scenario', `auth/${scenario}`] }))

/** The scenarios for authorization servers. */
export const loginSuite: Suite = { name: 'authorization server', command: [current, 'authorization'] }
