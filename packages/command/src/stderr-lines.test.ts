import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createStderrLines } from './stderr-lines.ts'

/** A reader that takes nothing until `take` is called. */
function slowReader(): {
  readonly stream: NodeJS.WriteStream
  readonly read: string[]
  readonly take: () => Promise<void>
} {
  const read: string[] = []
  let waiting: (() => void) | undefined
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      read.push(chunk)
      waiting = done
    },
  })
  return {
    stream: stream as unknown as NodeJS.WriteStream,
    read,
    async take() {
      while (stream.writableLength > 0) {
        waiting?.()
        await new Promise(setImmediate)
      }
    },
  }
}

test('lines arrive in order', async () => {
  const { stream, read, take } = slowReader()
  const output = createStderrLines(stream)
  output.write('one\n')
  output.write('two\n')
  await take()
  expect(read).toEqual(['one\n', 'two\n'])
})

test('a reader that takes nothing costs a bounded amount of memory, and is informed of dropped lines', async () => {
  const { stream, read, take } = slowReader()
  const output = createStderrLines(stream)
  const line = `${'x'.repeat(100_000)}\n`
  for (let count = 0; count < 50; count += 1) output.write(line)
  expect(stream.writableLength).toBeLessThan(1.2 * 1024 * 1024)
  const kept = stream.writableLength / line.length
  await take()
  output.write('after\n')
  await take()
  expect(read.slice(-2)).toEqual([
    `{"level":"warn","message":"log lines were dropped","dropped":${50 - kept}}\n`,
    'after\n',
  ])
})

test('a reader that is gone causes no error', async () => {
  const { stream } = slowReader()
  const output = createStderrLines(stream)
  const closed = new Promise((resolve) => stream.once('close', resolve))
  stream.destroy(new Error('EPIPE'))
  await closed
  output.write('unread\n')
  expect(stream.destroyed).toBe(true)
})
