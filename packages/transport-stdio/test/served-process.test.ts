import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { untilNoDescendants } from '@junctor/testkit'
import { afterEach, describe, expect, test } from 'vitest'

const program = fileURLToPath(new URL('serve-sample.ts', import.meta.url))

afterEach(async () => {
  await untilNoDescendants()
})

function start(): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, ['--unhandled-rejections=strict', program])
}

function request(id: number, method: string): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method })}\n`
}

describe('a process that serves its standard input and output', () => {
  test('answers a piped conversation to the last byte, and ends', async () => {
    const served = start()
    const requests = Array.from({ length: 100 }, (_, index) => request(index + 1, 'large'))
    served.stdin.end(request(0, 'initialize') + requests.join('').trimEnd())
    const [output, errors, [code]] = await Promise.all([text(served.stdout), text(served.stderr), once(served, 'exit')])
    expect(errors).toBe('')
    expect(code).toBe(0)
    const lines = output.trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { id?: number }).id)).toEqual([0, undefined, ...range(1, 100)])
  })

  test('ends, and does not crash, when its output is no longer read', async () => {
    const served = start()
    served.stdin.on('error', () => {})
    served.stdin.write(request(0, 'initialize'))
    await once(served.stdout, 'data')
    served.stdout.destroy()
    served.stdin.write(request(1, 'large'))
    const [errors, [code]] = await Promise.all([text(served.stderr), once(served, 'exit')])
    expect(errors).toBe('')
    expect(code).toBe(4)
  })
})

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
