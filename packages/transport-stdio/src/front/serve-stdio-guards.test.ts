import { PassThrough } from 'node:stream'
import { silentLog } from '@junctor/contracts'
import { expect, test } from 'vitest'
import { serveStdio } from './serve-stdio.ts'
import { createSampleFront, eventually } from '@junctor/testkit'

const broken = new Error('broken')
const breaks = (): never => {
  throw broken
}

test('an exception while a line is refused is reported, and does not affect the next lines', async () => {
  const front = createSampleFront()
  const [input, output] = [new PassThrough(), new PassThrough()]
  const server = serveStdio({ front, input, output, log: silentLog, limits: { line: 200, drainMs: 100 } })
  const refuse = front.refuse.bind(front)
  Object.assign(front, { refuse: breaks })
  input.write(`"${'x'.repeat(300)}"\n`)
  await eventually(() => expect(front.errors).toEqual([broken]))
  input.write(Buffer.from([0xff, 0x0a]))
  await eventually(() => expect(front.errors).toEqual([broken, broken]))
  Object.assign(front, { refuse })
  input.write('{"jsonrpc":"2.0","id":1,"method":"hello"}\n')
  let text = ''
  output.setEncoding('utf8').on('data', (more: string) => (text += more))
  await eventually(() => expect(text).toContain('"id":1'))
  // The rest at the end of the input is refused, too.
  Object.assign(front, { refuse: breaks })
  input.end('[1')
  await server.closed
  expect(front.errors).toEqual([broken, broken, broken])
})
