import type { JsonObject } from '@junctor/jsonrpc'
import type { Call } from '../ledger/attempt.ts'
import { errorOutcome, type AttemptOutcome } from '../ledger/outcome.ts'
import { callMessage } from './call-message.ts'
import { outcomeOfRejection } from './fetch-anywhere.ts'
import { post, responseOf } from './post.ts'
import { textOf } from './results.ts'
import type { ClientOptions, StormClient } from './storm-client.ts'

/** A hand-written client of JSON-RPC 3.0 without a session: every call goes to any gateway, and is independent. */
export function createHttp3Client(options: ClientOptions): StormClient {
  const attempt = async (call: Call): Promise<AttemptOutcome> => {
    try {
      return outcomeOf(responseOf(await post(options, callMessage('3.0', call)), call.id))
    } catch (error) {
      return outcomeOfRejection(error, () => ({ kind: 'silent', what: String(error) }))
    }
  }
  return {
    kind: 'json-rpc 3.0',
    canary: options.canary,
    strays: [],
    attempt: async (call) => ({ outcome: await attempt(call) }),
    close: () => Promise.resolve(),
  }
}

/** The outcome in a response. */
export function outcomeOf({ result, error }: JsonObject): AttemptOutcome {
  return error === undefined ? { kind: 'result', text: textOf(result) } : errorOutcome(error)
}
