import { edit, isJsonObject, items, member, payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import type { Payload } from '@junctor/jsonrpc'
import { embeddedBlock, methods } from '@junctor/protocol'

/** Characters of JSON text that a streamed result may have for a client that gets it in one piece: 1 MiB of ASCII. */
export const gatheredLimit = 1_048_576

/**
 * The chunks of a streamed result, for a client that gets it in one piece.
 *
 * In the result of `tools/call` they are content, in front of what the result has already: a string is text, and joins
 * the string before it; an object with a `type` is a content block; an array is several; anything else is text that
 * shows the JSON. In other results they are the member `chunks`, as they are; a result that is no object becomes the
 * member `result` beside it.
 */
export class GatheredChunks {
  readonly #asContent: boolean
  /** Characters of JSON text; beyond it nothing is kept. */
  readonly limit: number
  #blocks: string[] = []
  #text = ''
  #characters = 0

  constructor(method: string, limit: number) {
    this.#asContent = method === methods.toolsCall
    this.limit = limit
  }

  /** More came than may be kept, so the result cannot be made. */
  get overflowed(): boolean {
    return this.#characters > this.limit
  }

  add(data: unknown): void {
    if (this.overflowed) return
    if (!this.#asContent) this.#addBlock(print(data))
    else if (Array.isArray(data)) for (const one of data) this.#addContent(one)
    else this.#addContent(data)
    if (!this.overflowed) return
    this.#blocks = []
    this.#text = ''
  }

  /** The result with the chunks in it. */
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
      this.#addBlock(print(embeddedBlock(data, `chunk-${this.#blocks.length}`)))
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

/** What JSON has no form for, such as undefined, is null. */
function print(data: unknown): string {
  return JSON.stringify(data) ?? 'null'
}
