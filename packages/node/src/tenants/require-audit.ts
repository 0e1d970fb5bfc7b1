import type { Interceptor } from '@junctor/exchange'
import { methods, type Profile, wireError } from '@junctor/protocol'
import type { NodeTelemetry } from '../telemetry/node-telemetry.ts'

/**
 * Refuses tool calls (503) while the audit cannot be written, so that no call goes unrecorded.
 *
 * @param profile the profile of the tenant, which decides the form of the error
 */
export function requireAudit({ files }: Pick<NodeTelemetry, 'files'>, profile: Profile): Interceptor {
  return (next) => (request, exchange) => {
    const isMissing = request.method === methods.toolsCall && files().some(isBrokenAudit)
    if (!isMissing) return next(request, exchange)
    const view = { revision: exchange.context.revision, dialect: request.dialect, profile }
    return { kind: 'error', error: wireError('overloaded', view, { message }) }
  }
}

const message = 'Calls are refused for now, because the audit of this gateway cannot be written'

function isBrokenAudit({ name, problem }: ReturnType<NodeTelemetry['files']>[number]): boolean {
  return name === 'audit' && problem !== undefined
}
