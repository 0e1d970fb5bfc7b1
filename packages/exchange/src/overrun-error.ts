import type { WireError } from '@junctor/jsonrpc'
import { mcpProfile, wireError } from '@junctor/protocol'
import type { OpenExchange } from './exchange.ts'
import { mostKeptChunks } from './kept-events.ts'

/** Creates the error of a request whose handler streams without waiting for its reader. */
export function overrunError({ request, context }: OpenExchange): WireError {
  const view = { revision: context.revision, dialect: request.dialect, profile: mcpProfile }
  const message = `The backend sent more than ${mostKeptChunks} pieces of its stream ahead of its reader`
  return wireError('too_large', view, { message })
}
