import {
  edit,
  isJsonObject,
  items,
  member,
  type Payload,
  payloadFromText,
  payloadOf,
  printPayload,
} from '@junctor/jsonrpc'
import { embeddedBlock, methods, type Profile } from '@junctor/protocol'

/**
 * The maximum size of a streamed result for a client that receives it in one piece, in characters of JSON text: 1 MiB
 * of ASCII.
 */
export const gatheredLimit = 1_048_576

/**
 * The chunks of a streamed result, for a client that receives it in one piece.
 *
 * In the result of `tools/call` they become content, before the existing content: a string is text, and is joined with
 * the string before it; an object with a `type` is a content block; an array is several chunks; any other value is text
 * with its JSON. In other results they become the member `chunks`, unchanged; a result that is not an object becomes
 * the member `result` next to it.
 */
export class GatheredChunks {
  readonly #asContent: boolean
  readonly #keepsCustom: boolean
  /** Characters of JSON text. Above the limit all chunks are discarded. */
  readonly limit: number
  #blocks: string[] = []
  #text = ''
  #characters = 0

  /** @param profile decides what becomes of content types that the specification does not define */
  constructor(method: string, limit: number, { customContent }: Pick<Profile, 'customContent'>) {
    this.#asContent = method === methods.toolsCall
    this.#keepsCustom = customContent
    this.limit = limit
  }

  /** Whether the chunks exceeded the limit, so that the result cannot be created. */
  get overflowed(): boolean {
    return this.#characters > this.limit
  }

  /** Adds one piece. */
  add(data: unknown): void {
    if (this.overflowed) return
    if (!this.#asContent) this.#addBlock(print(data))
    else if (Array.isArray(data)) for (const one of data) this.#addContent(one)
    else this.#addContent(data)
    if (!this.overflowed) return
    this.#blocks = []
    this.#text = ''
  }

  /** Returns the result with the chunks in it. */
  into(result: Payload): Payload {
    this.#endText()
    const isWhole = isJsonObject(result.value())
    if (!this.#asContent) {
      const chunks = arrayOf(this.#blocks)
      return isWhole ? edit(result, { chunks }) : edit(payloadOf({}), { chunks, result })
    }
    const whole = isWhole ? result : payloadOf({})
    const content = member(whole, 'content')
    const rest = content === undefined ? [] : items(content).map((item) => printPayload(item))
    return edit(whole, { content: arrayOf([...this.#blocks, ...rest]) })
  }

  #addContent(data: unknown): void {
    if (typeof data === 'string') {
      this.#text += data
      this.#characters += data.length
    } else if (isJsonObject(data) && typeof data['type'] === 'string') {
      this.#addBlock(print(this.#keepsCustom ? data : embeddedBlock(data, `chunk-${this.#blocks.length}`)))
    } else this.#addBlock(textBlock(print(data)))
  }

  #addBlock(text: string): void {
    this.#endText()
    this.#blocks.push(text)
    this.#characters += text.length
  }

  #endText(): void {
    if (this.#text !== '') this.#blocks.push(textBlock(this.#text))
    this.#text = ''
  }
}

function textBlock(text: string): string {
  return `{"type":"text","text":${JSON.stringify(text)}}`
}

function arrayOf(blocks: readonly string[]): Payload {
  return payloadFromText(`[${blocks.join(',')}]`)
}

/** Values without a JSON form, such as undefined, become null. */
function print(data: unknown): string {
  return JSON.stringify(data) ?? 'null'
}
