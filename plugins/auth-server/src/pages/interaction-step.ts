import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '@junctor/plugin-sdk/link'
import type { Provider } from 'oidc-provider'
import type { ServerPaths } from '../provider/server-paths.ts'
import type { UpstreamLogins } from '../upstream/upstream-logins.ts'
import type { People } from '../users/people.ts'
import type { Users } from '../users/users.ts'
import type { FormTokens } from './form-token.ts'

/** What the pages for people need: to log in, and to agree. */
export interface InteractionParts {
  readonly provider: Provider
  readonly users: Users
  readonly people: People
  readonly upstreams: UpstreamLogins
  readonly forms: FormTokens
  /** The origin of the pages. A form from another one is refused. */
  readonly origin: string
  readonly paths: ServerPaths
  readonly log: Log
}

/** A login, with the client's request that began it. */
export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** One request for one step of a login. It comes from the browser that began: it has the cookie of the interaction. */
export interface InteractionStep {
  readonly parts: InteractionParts
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The text under which attempts from this browser's address are counted. */
  readonly client: string
  readonly interaction: Interaction
}
