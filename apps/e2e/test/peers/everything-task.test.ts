import { createRequire } from 'node:module'
import { compiledOnce, untilNoDescendants } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { startGateway } from '../../src/gateway-under-test.ts'
import { openTaskClient } from '../../src/peers/open-task-client.ts'

const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')

// The server is slow on purpose.
test('a tool that its server runs only as a task runs as a task of the gateway, over two nodes in turn', async () => {
  const every = { command: process.execPath, args: [program, 'stdio'], env: compiledOnce }
  const gateway = await startGateway({ nodes: 2, config: { backends: { every } } })
  const client = await openTaskClient(gateway.urls)
  const story = await client.run('every__simulate-research-query', { topic: 'telephone exchanges' })
  expect(story.error).toBeUndefined()
  expect(story.text).toContain('# Research Report: telephone exchanges')
  expect(story.created?.taskId).toMatch(/^j_/)
  expect(new Set(story.statuses)).toContain('working')
  await client.close()
  await gateway.close()
  await untilNoDescendants()
})
