import type { FastifyPluginCallback } from 'fastify'
import { type AdmissionOptions, createAdmission, type Front, type Log } from '@junctor/exchange'
import type { HttpLimits } from '../options.ts'
import { mountEndpoint } from './endpoint.ts'
import { createServing } from './serving.ts'

/** What the endpoint needs of whoever mounts it. */
export interface HttpFrontPluginOptions extends AdmissionOptions {
  /** The gateway. */
  readonly front: Front
  /** Only what is not as in `defaultHttpLimits`. Those of connections and headers are the server's to set. */
  readonly limits?: Partial<HttpLimits>
  readonly log: Log
}

/**
 * The MCP endpoint for a Fastify server of your own: `await server.register(httpFrontPlugin, { front, ... })`. It adds
 * `/mcp` and `/mcp/:tenant` and leaves everything else of the server as it is. When the server closes, streams are
 * ended and answers under way are waited for.
 */
export const httpFrontPlugin: FastifyPluginCallback<HttpFrontPluginOptions> = (app, options, done) => {
  const { front, limits, log } = options
  mountEndpoint(app, createServing(front, createAdmission(options), limits, log))
  done()
}
