import { andThen } from '@junctor/primitives'
import type { Exchange } from '@junctor/exchange'
import { isJsonObject } from '@junctor/jsonrpc'
import { notAnAnswer } from './misused.ts'
import { describeProblems } from './schema/problem.ts'
import type { CompiledSchema } from './schema/schema.ts'
import { isPieces, sendPieces } from './send-pieces.ts'
import { toContent, ToolResponse, type ContentLike, type StreamedResponse } from './tool-response.ts'

/**
 * A `CallToolResult` from what a handler answered. With an output schema the structured content is what the schema
 * makes of it: zod fills in defaults and takes out members that it does not know.
 *
 * @throws Error when it is no answer, or does not match the output schema
 */
export function finishAnswer(
  answer: string | ToolResponse | StreamedResponse | AsyncIterable<ContentLike>,
  output: CompiledSchema<unknown> | undefined,
  { name, exchange }: { readonly name: string; readonly exchange: Exchange },
): ToolResponse | Promise<ToolResponse> {
  if (typeof answer === 'string') return ToolResponse.text(answer)
  if (!isAnswer(answer)) throw notAnAnswer(`tool ${name}`, 'text or a ToolResponse', answer)
  if (isPieces(answer)) return sendStream(answer, exchange)
  if ('stream' in answer) return sendStream(answer.stream, exchange)
  if (output === undefined || answer.isError === true) {
    if (answer.structuredContent !== undefined) return structured(answer, answer.structuredContent)
    // Content may be empty, but not missing.
    return answer.content === undefined ? { ...answer, content: [] } : answer
  }
  return andThen(output.check(answer.structuredContent), (checked) => {
    if (checked.kind === 'valid') return structured(answer, checked.value as object)
    throw new Error(describeProblems('The answer of the tool does not match its outputSchema', checked.problems))
  })
}

/** Authors without types answer with all kinds of things. What else an object has is for clients that know it. */
function isAnswer(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return false
  const { content } = answer as { readonly content?: unknown }
  return content === undefined || Array.isArray(content)
}

function structured(answer: ToolResponse, value: object): ToolResponse {
  const content = answer.content ?? toContent(JSON.stringify(value))
  // The protocol has structured objects only, until 2026-07-28.
  const { structuredContent: _, ...rest } = answer
  return isJsonObject(value) ? { ...rest, content, structuredContent: value } : { ...rest, content }
}

/**
 * Sends each piece as it comes, at the pace of the reader. What is sent is no longer part of the result; what the
 * generator returns is.
 */
async function sendStream(stream: AsyncIterable<ContentLike>, exchange: Exchange): Promise<ToolResponse> {
  const returned = (await sendPieces(stream, exchange, chunkOf)) as ContentLike | undefined
  if (returned === undefined) return { content: [] }
  return typeof returned === 'object' && !('type' in returned)
    ? { content: [], ...returned }
    : { content: toContent(returned) }
}

/** Text stays text, so that a reader can put the pieces together again; else the block, or the blocks. */
function chunkOf(part: ContentLike): unknown {
  if (typeof part === 'string') return part
  const content = toContent(part)
  return content.length === 1 ? content[0] : content
}
