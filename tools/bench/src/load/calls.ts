/** Requests that were built before the load, by number, and checks of their answers. */
export interface Calls {
  request(number: number): Uint8Array
  /** Describes what is wrong with the answer to a request; `undefined` when it is right. */
  problem(number: number, body: string): string | undefined
}

/** Encodes a message for one wire. */
export type Encode = (message: string) => Uint8Array

/** The length of the echoed message, in characters. */
const messageLength = 100

/**
 * `tools/call` of an echo: each request has its own text, so that an answer to another one is noticed.
 *
 * @param member the argument with the text
 */
export function echoCalls(tool: string, count: number, encode: Encode, member = 'message'): Calls {
  const texts = Array.from({ length: count }, (_, id) => `${id} `.padEnd(messageLength, 'echo '))
  const requests = texts.map((message, id) =>
    encode(request(id, 'tools/call', { name: tool, arguments: { [member]: message } })),
  )
  return {
    request: (number) => bytesOf(requests, number),
    problem(number, body) {
      const { id, result } = JSON.parse(body) as Echoed
      if (id !== number) return `expected an answer to ${number}, got one to ${id}`
      return result?.content?.[0]?.text === texts[number] ? undefined : `expected an echo, got ${body}`
    },
  }
}

interface Echoed {
  readonly id?: number
  readonly result?: { readonly content?: readonly { readonly text?: string }[] }
}

/**
 * `tools/list` of a list that is too long to be parsed each time: the first answer is parsed, and all others must equal
 * it except for the id.
 */
export function listCalls(tools: number, count: number, encode: Encode): Calls {
  const requests = Array.from({ length: count }, (_, id) => encode(request(id, 'tools/list', {})))
  let expected: string | undefined
  return {
    request: (number) => bytesOf(requests, number),
    problem(number, body) {
      const start = `{"jsonrpc":"2.0","id":${number},`
      if (!body.startsWith(start)) return `expected an answer to ${number}, got ${body.slice(0, 100)}`
      const rest = body.slice(start.length)
      if (rest === expected) return undefined
      const found = expected === undefined ? toolsIn(body) : undefined
      expected ??= rest
      return found === tools ? undefined : `expected the same ${tools} tools each time, got ${body.slice(0, 100)}`
    },
  }
}

function toolsIn(body: string): number | undefined {
  return (JSON.parse(body) as { result?: { tools?: readonly unknown[] } }).result?.tools?.length
}

function request(id: number, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

function bytesOf(requests: readonly Uint8Array[], number: number): Uint8Array {
  const bytes = requests[number]
  if (bytes === undefined) throw new RangeError(`there is no request ${number}`)
  return bytes
}
