import { type JsonObject, type Payload, payloadFromText, printPayload } from '@junctor/jsonrpc'

/**
 * A frame as text: its head, a JSON object, in the first line, and a line for each payload, as exactly as it came. The
 * head says which line a payload is in. Nobody on the way has to parse a payload, or to print it twice.
 */
export class PayloadLines {
  #text = ''
  #count = 0

  /** The line that the payload is in from now on. */
  add(payload: Payload): number {
    this.#text += `\n${printPayload(payload)}`
    this.#count += 1
    return this.#count
  }

  /** As `add`, for a payload that need not be there. */
  addMaybe(payload: Payload | undefined): number | undefined {
    return payload === undefined ? undefined : this.add(payload)
  }

  print(head: JsonObject): string {
    return JSON.stringify(head) + this.#text
  }
}

/** A frame whose payloads are still text. */
export class ReadLines {
  readonly head: unknown
  /** What is behind the head; undefined: nothing is. */
  readonly #rest: string | undefined
  #lines: readonly string[] | undefined = undefined

  /** @throws SyntaxError when the first line is no JSON */
  constructor(text: string) {
    const end = text.indexOf('\n')
    this.#rest = end === -1 ? undefined : text.slice(end + 1)
    this.head = JSON.parse(end === -1 ? text : text.slice(0, end))
  }

  /** @throws RangeError when there is no such line */
  payload(line: number): Payload {
    this.#lines ??= this.#rest?.split('\n')
    const text = this.#lines?.[line - 1]
    if (text === undefined) throw new RangeError(`expected a payload in line ${line}`)
    return payloadFromText(text)
  }

  payloadMaybe(line: number | undefined): Payload | undefined {
    return line === undefined ? undefined : this.payload(line)
  }
}
