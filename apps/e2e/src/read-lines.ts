import type { Readable } from 'node:stream'

/** Splits at newlines only: `readline` also splits at U+2028, which JSON may contain. */
export async function* readLines(input: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
