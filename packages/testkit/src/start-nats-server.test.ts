import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listDescendants, untilGone, untilNoDescendants } from './descendants.ts'
import { findNatsServer } from './find-nats-server.ts'
import { startNatsServer } from './start-nats-server.ts'

/** The INFO message of a server. */
async function greeting(port: number): Promise<Record<string, unknown>> {
  const socket = connect(port, '127.0.0.1')
  try {
    const [data] = (await once(socket, 'data')) as [Buffer]
    return JSON.parse(data.toString().replace(/^INFO /, '')) as Record<string, unknown>
  } finally {
    socket.destroy()
  }
}

test('a server runs on its own port, comes back on it after a kill, and leaves nothing', async () => {
  const server = await startNatsServer()
  try {
    expect(await greeting(server.port)).toMatchObject({ jetstream: true, host: '127.0.0.1' })
    const first = server.pid
    await server.kill()
    await expect(greeting(server.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await server.restart()
    expect(await greeting(server.port)).toHaveProperty('port', server.port)
    expect(server.pid).not.toBe(first)
  } finally {
    await server.stop()
    await server.stop()
  }
  await untilNoDescendants()
})

test.each<[string, (runner: ChildProcess) => void]>([
  ['that started it is killed', (runner) => runner.kill('SIGKILL')],
  ['when the test worker that started it is gone', (runner) => runner.disconnect()],
])('a server ends when the process %s', async (_what, lose) => {
  const file = JSON.stringify(new URL('start-nats-server.ts', import.meta.url))
  // Restarted, as tests do.
  const script = `const server = await (await import(${file})).startNatsServer(); await server.restart(); process.send('up')`
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const
  const runner = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: [...stdio] })
  onTestFinished(() => void runner.kill('SIGKILL'))
  await once(runner, 'message')
  const started = listDescendants(runner.pid)
  expect(started.filter(({ command }) => command.includes('ports_file_dir'))).toHaveLength(1)
  lose(runner)
  await untilGone(started)
})

test('options reach the server', async () => {
  const server = await startNatsServer({ jetStream: false, args: ['--auth', 'secret'] })
  try {
    const info = await greeting(server.port)
    expect(info).toHaveProperty('auth_required', true)
    expect(info).not.toHaveProperty('jetstream')
  } finally {
    await server.stop()
  }
})

test('a server that cannot start is an error', async () => {
  await expect(startNatsServer({ args: ['--no-such-option'] })).rejects.toThrow(/did not start/)
})

test('a NATS_SERVER_BIN that is not a program is an error with an explanation', async () => {
  await expect(findNatsServer({ NATS_SERVER_BIN: process.execPath })).rejects.toThrow(/NATS_SERVER_BIN/)
})
