import type { Resources, ServerMessage, ServerQuestion } from '../server-process.ts'

/**
 * Tells the process that started this one that the server is ready, answers what it asks about resources, and ends with
 * it. Without a parent that listens, as when Junctor starts the server, it does nothing.
 */
export function announce(port: number | undefined): void {
  if (process.send === undefined) return
  process.on('message', (question: ServerQuestion) => {
    if (question === 'collect') globalThis.gc?.()
    tell({ kind: 'resources', resources: resources() })
  })
  process.once('disconnect', () => process.exit())
  tell({ kind: 'ready', port })
}

function tell(message: ServerMessage): void {
  process.send?.(message)
}

function resources(): Resources {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return { cpuMicroseconds: user + system, rss, heapUsed }
}
