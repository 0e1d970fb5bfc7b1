import type { FastifyPluginCallback } from 'fastify'
import { type AdmissionOptions, createAdmission, type StreamShares } from '@junctor/connection'
import type { Front, Log } from '@junctor/contracts'
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
  /** Who has the streams of the node. Default: those of this front alone. */
  readonly shares?: StreamShares | undefined
  /**
   * The URL under which clients reach what is mounted here, without a slash at its end, for URLs that they are told.
   * Default: the address that their connection came in on.
   */
  readonly publicUrl?: string | undefined
}

/**
 * The MCP endpoint for a Fastify server of your own: `await server.register(httpFrontPlugin, { front, ... })`. It adds
 * `/mcp` and `/mcp/:tenant` and leaves everything else of the server as it is. When the server closes, streams are
 * ended and answers under way are waited for.
 */
export const httpFrontPlugin: FastifyPluginCallback<HttpFrontPluginOptions> = (app, options, done) => {
  const { front, limits, log, publicUrl, shares } = options
  const { prefix } = app
  mountEndpoint(
    app,
    createServing({ front, admission: createAdmission(options), limits, log, publicUrl, shares, prefix }),
  )
  done()
}
