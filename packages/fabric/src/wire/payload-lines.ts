import { type JsonObject, type Payload, printPayload } from '@junctor/jsonrpc'

/**
 * A frame as text: its head, a JSON object, in the first line, and one line for each payload, unchanged. The head
 * contains the line number of each payload. So no node has to parse a payload, or print it twice.
 */
export class PayloadLines {
  #text = ''
  #count = 0

  /** Adds a payload, and returns its line number. */
  add(payload: Payload): number {
    this.#text += `\n${printPayload(payload)}`
    this.#count += 1
    return this.#count
  }

  /** Like `add`, for an optional payload. */
  addMaybe(payload: Payload | undefined): number | undefined {
    return payload === undefined ? undefined : this.add(payload)
  }

  print(head: JsonObject): string {
    return JSON.stringify(head) + this.#text
  }
}

/** Makes a payload of its line. It may check the text, and throw. */
export type PayloadReader = (text: string) => Payload

/** A parsed frame whose payloads are still text. */
export class ReadLines {
  readonly head: unknown
  /** The text after the head; undefined when there is none. */
  readonly #rest: string | undefined
  readonly #read: PayloadReader
  #lines: readonly string[] | undefined = undefined

  /** @throws SyntaxError when the first line is not JSON */
  constructor(text: string, read: PayloadReader) {
    this.#read = read
    const end = text.indexOf('\n')
    this.#rest = end === -1 ? undefined : text.slice(end + 1)
    this.head = JSON.parse(end === -1 ? text : text.slice(0, end))
  }

  /** @throws RangeError when the line does not exist; what the reader of payloads throws */
  payload(line: number): Payload {
    this.#lines ??= this.#rest?.split('\n')
    const text = this.#lines?.[line - 1]
    if (text === undefined) throw new RangeError(`expected a payload in line ${line}`)
    return this.#read(text)
  }

  payloadMaybe(line: number | undefined): Payload | undefined {
    return line === undefined ? undefined : this.payload(line)
  }
}
