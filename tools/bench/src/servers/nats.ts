import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNatsServer } from '@junctor/testkit'
import { announce } from './announce.ts'

// A nats-server and its storage, which end with this process.

const folder = mkdtempSync(join(tmpdir(), 'junctor-bench-'))
const nats = await startNatsServer({ folder })
process.once('exit', () => {
  process.kill(nats.pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
announce(nats.port)
