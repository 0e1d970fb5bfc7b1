import { andThen } from '@junctor/primitives'
import type { Exchange } from '@junctor/exchange'
import { isJsonObject, withDoubles } from '@junctor/jsonrpc'
import { invalidAnswer, isPlain, unmatchedAnswerPrefix } from './misused.ts'
import { describeProblems } from './schema/schema-problem.ts'
import type { CompiledSchema } from './schema/schema.ts'
import { isPieces, sendPieces } from './send-pieces.ts'
import { toContent, ToolResponse, type ContentLike, type StreamedResponse } from './tool-response.ts'

/** The call that an answer is for. */
interface AnsweredCall {
  /** The name of the tool, for messages. */
  readonly name: string
  readonly exactNumbers: boolean
  readonly exchange: Exchange
}

/**
 * Makes a `CallToolResult` from a handler's answer. With an output schema the structured content is the value that the
 * schema returns: zod fills in defaults and removes members that it does not know. With `exactNumbers` it may have raw
 * numbers, and stays as it is.
 *
 * @throws Error when the value is not an answer, or does not match the output schema
 */
export function finishAnswer(
  answer: string | ToolResponse | StreamedResponse | AsyncIterable<ContentLike>,
  output: CompiledSchema<unknown> | undefined,
  call: AnsweredCall,
): ToolResponse | Promise<ToolResponse> {
  const { name, exchange } = call
  if (typeof answer === 'string') return finishResponse(ToolResponse.text(answer), output, call)
  if (!isAnswer(answer))
    throw invalidAnswer(`tool ${name}`, 'text, or a ToolResponse such as ToolResponse.json({ … })', answer)
  const stream = isPieces(answer) ? answer : 'stream' in answer ? answer.stream : undefined
  if (stream === undefined) return finishResponse(answer as ToolResponse, output, call)
  return sendStream(stream, call).then((last) =>
    // Nobody waits for the rest of a stream that was left.
    exchange.ended === undefined ? finishResponse(last, output, call) : last,
  )
}

function finishResponse(
  answer: ToolResponse,
  output: CompiledSchema<unknown> | undefined,
  { exactNumbers }: AnsweredCall,
): ToolResponse | Promise<ToolResponse> {
  if (output === undefined || answer.isError === true) {
    if (answer.structuredContent !== undefined) return structured(answer, answer.structuredContent)
    // `content` may be empty, but it must be present.
    return answer.content === undefined ? { ...answer, content: [] } : answer
  }
  const given = answer.structuredContent
  return andThen(output.check(exactNumbers ? withDoubles(given) : given), (checked) => {
    if (checked.kind === 'valid') return structured(answer, (exactNumbers ? given : checked.value) as object)
    throw new Error(describeProblems(unmatchedAnswerPrefix, checked.problems))
  })
}

const answerMembers = ['content', 'stream', 'structuredContent', 'isError', '_meta']

/** Whether a value has the shape of an answer: authors without types may return anything. Other members are relayed. */
function isAnswer(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return false
  const { content } = answer as { readonly content?: unknown }
  if (content !== undefined) return Array.isArray(content)
  if (isPieces(answer) || answerMembers.some((name) => name in answer)) return true
  return isPlain(answer) && Object.keys(answer).length === 0
}

function structured(answer: ToolResponse, value: object): ToolResponse {
  const content = answer.content ?? toContent(JSON.stringify(value))
  // Before 2026-07-28 the protocol allows only objects as structured content.
  const { structuredContent: _, ...rest } = answer
  return isJsonObject(value) ? { ...rest, content, structuredContent: value } : { ...rest, content }
}

/**
 * Sends each piece when the stream yields it, at the pace of the reader. A piece that was sent is not part of the
 * result; the generator's return value is.
 */
async function sendStream(stream: AsyncIterable<ContentLike>, { name, exchange }: AnsweredCall): Promise<ToolResponse> {
  const returned = await sendPieces(stream, exchange, (piece) => chunkOf(checkedPart(piece, name)))
  if (returned === undefined) return { content: [] }
  const last = checkedPart(returned, name)
  return typeof last === 'object' && !('type' in last) ? { content: [], ...last } : { content: toContent(last) }
}

function checkedPart(part: unknown, name: string): ContentLike {
  if (typeof part === 'string' || (typeof part === 'object' && part !== null)) return part
  throw invalidAnswer(`tool ${name}`, 'pieces of text or content', part)
}

/** Text stays text, so that a reader can join the pieces; otherwise the block, or the list of blocks. */
function chunkOf(part: ContentLike): unknown {
  if (typeof part === 'string') return part
  const content = toContent(part)
  return content.length === 1 ? content[0] : content
}
