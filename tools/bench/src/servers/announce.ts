import type { Resources, ServerMessage, ServerQuestion } from '../server-process.ts'

/**
 * Reports to the parent process that the server is ready, answers its questions about resources, and ends with it.
 * Without a parent that listens, as when Junctor starts the server, it does nothing.
 */
export function announce(port: number | undefined): void {
  if (process.send === undefined) return
  process.on('message', (question: ServerQuestion) => {
    if (question === 'collect') globalThis.gc?.()
    send({ kind: 'resources', resources: resources() })
  })
  process.once('disconnect', () => process.exit())
  send({ kind: 'ready', port })
}

function send(message: ServerMessage): void {
  process.send?.(message)
}

function resources(): Resources {
  const { user, system } = process.cpuUsage()
  return { cpuMicroseconds: user + system, rss: process.memoryUsage.rss() }
}
