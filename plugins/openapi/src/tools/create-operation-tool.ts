import { createTool, type Log, type Tool, ToolResponse } from '@junctor/plugin-sdk'
import { HttpRequestError } from '@junctor/plugin-sdk/http'
import { CallFailed, type JsonObject } from '@junctor/plugin-sdk/link'
import { failureText } from '../answer/failure-text.ts'
import { toToolResponse } from '../answer/to-tool-response.ts'
import { withoutSecrets } from '../answer/without-secrets.ts'
import { buildRequest, type RequestParts } from '../request/build-request.ts'
import { secretsInHeaders } from '../request/credentials.ts'
import { sendRequest, type SendParts } from '../request/send-request.ts'
import { annotationsOf } from './annotations.ts'

/** What a tool sends its requests with. */
export interface OperationToolParts extends RequestParts {
  readonly send: SendParts
  readonly log: Log
}

/**
 * The tool of an operation. Its schema is compiled at its first call: a document may have a thousand operations, of
 * which a session calls three.
 */
export function createOperationTool(parts: OperationToolParts): Tool {
  const { name, title, description, method, inputSchema, outputSchema } = parts.plan
  const metadata = {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema,
    annotations: annotationsOf(method),
  }
  let made: Tool | undefined
  return {
    name,
    exactNumbers: true,
    listed: { ...metadata, ...(outputSchema !== undefined && { outputSchema }) },
    call(input, context, exact) {
      // The output schema accepts every object, so that there is nothing to check.
      made ??= createTool(
        { metadata, exactNumbers: true, handler: (args, { signal }) => run(args, signal, parts) },
        { log: parts.log },
      )
      return made.call(input, context, exact)
    },
  }
}

async function run(args: JsonObject, signal: AbortSignal, parts: OperationToolParts): Promise<ToolResponse> {
  const { plan, send, log } = parts
  const request = buildRequest(args, parts)
  if (request.kind === 'refused') return ToolResponse.error(request.reason)
  try {
    const secrets = [...parts.credentials.secrets, ...secretsInHeaders(parts.headers)]
    const answer = withoutSecrets(await sendRequest(request, signal, send), secrets)
    return toToolResponse(answer, { plan, shownUrl: request.shownUrl })
  } catch (error) {
    if (!(error instanceof HttpRequestError)) throw error
    if (error.kind !== 'aborted') log.warn('the API gave no usable answer', { tool: plan.name, error })
    const [{ loss }, message] = [error, failureText(error, plan, send.maxBytes)]
    if (loss === undefined) return ToolResponse.error(message)
    const situation = loss === 'unsent' ? 'backend_unavailable' : 'backend_exited'
    throw new CallFailed({ situation, details: { message } }, { loss, cause: error })
  }
}
