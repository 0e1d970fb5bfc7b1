import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { startHttpServer } from '@junctor/testkit/http'
import { type Fields, TaskTable } from './task-table.ts'
import { taskTools } from './task-tools.ts'

const prefix = 'io.modelcontextprotocol/'
const extension = `${prefix}tasks`

interface Message {
  readonly id?: number | string
  readonly method: string
  readonly params?: Fields
}

type Answer = { readonly result: Fields } | { readonly error: Fields }

/**
 * Serves a server of 2026-07-28 with the tasks extension (SEP-2663) on a free port, with the tools that the suite's scenarios
 * of tasks ask for. By hand, because the SDKs for TypeScript have no tasks of that revision.
 */
export async function serveTaskFixture(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const tasks = new TaskTable()
  const { origin, close } = await startHttpServer((request, response) => respond(tasks, request, response))
  return {
    url: `${origin}/mcp`,
    async close() {
      tasks.close()
      await close()
    },
  }
}

async function respond(tasks: TaskTable, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const message = JSON.parse(await text(request)) as Message
  if (message.id === undefined) return void response.writeHead(202).end()
  const answer = { jsonrpc: '2.0', id: message.id, ...answerTo(tasks, message) }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}

function answerTo(tasks: TaskTable, { method, params = {} }: Message): Answer {
  if (method === 'server/discover') {
    const capabilities = { tools: {}, extensions: { [extension]: {} } }
    return complete({ supportedVersions: ['2026-07-28'], capabilities, ttlMs: 0, cacheScope: 'private' })
  }
  if (method === 'tools/list') {
    const tools = Object.keys(taskTools).map((name) => ({ name, inputSchema: { type: 'object' } }))
    return complete({ tools, ttlMs: 0, cacheScope: 'private' })
  }
  if (method === 'tools/call') return call(tasks, params)
  if (!takesTasks(params)) return missing()
  if (method === 'tasks/get') {
    const result = tasks.get(params['taskId'])
    return result === undefined ? unknownTask() : { result }
  }
  if (method === 'tasks/update') {
    const responses = (params['inputResponses'] ?? {}) as Fields
    return tasks.update(params['taskId'], responses) ? complete({}) : unknownTask()
  }
  if (method === 'tasks/cancel') return tasks.cancel(params['taskId']) ? complete({}) : unknownTask()
  return { error: { code: -32_601, message: `Method not found: ${method}` } }
}

function call(tasks: TaskTable, params: Fields): Answer {
  const tool = taskTools[String(params['name'])]
  if (tool === undefined) return { error: { code: -32_602, message: 'Unknown tool' } }
  const args = (params['arguments'] ?? {}) as Fields
  const parts = { args, responses: params['inputResponses'] as Fields | undefined, tasks }
  if (takesTasks(params)) return { result: tool.task(parts) }
  return tool.plain === undefined ? missing() : { result: tool.plain(parts) }
}

function takesTasks(params: Fields): boolean {
  const meta = (params['_meta'] ?? {}) as Record<string, { readonly extensions?: Fields } | undefined>
  return meta[`${prefix}clientCapabilities`]?.extensions?.[extension] !== undefined
}

function complete(result: Fields): Answer {
  return { result: { resultType: 'complete', ...result } }
}

function missing(): Answer {
  const data = { requiredCapabilities: { extensions: { [extension]: {} } } }
  return { error: { code: -32_021, message: 'Missing required client capability', data } }
}

function unknownTask(): Answer {
  return { error: { code: -32_602, message: 'Unknown task' } }
}
