import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  type CallToolResult,
  CallToolResultSchema,
  ElicitRequestSchema,
  type Task,
  type TaskStatusNotification,
  TaskStatusNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { fetchInTurn } from './official-client.ts'

/** The states of a call that runs as a task, in order. */
interface TaskStory {
  readonly created: Task | undefined
  readonly statuses: readonly string[]
  /** The text of the result's first block. Absent: the call ended with an error. */
  readonly text: string | undefined
  readonly error: Error | undefined
}

/** The experimental task client of version 1 of the official SDK. */
export interface TaskClient {
  readonly tasks: Client['experimental']['tasks']
  readonly client: Client
  /** The received task status notifications. */
  readonly notifications: readonly TaskStatusNotification['params'][]
  /** Runs a tool as a task, like the SDK: creates the task, polls it, and requests its result. */
  run(name: string, input?: Record<string, unknown>): Promise<TaskStory>
  /** Starts a task without waiting for it. */
  start(name: string, input?: Record<string, unknown>, ttl?: number): Promise<Task>
  /** The result of a task. Rejects with its error. */
  result(taskId: string): Promise<CallToolResult>
  close(): Promise<void>
}

/** Opens a session over HTTP, with the URLs in turn. It answers each elicitation with `accept` and this content. */
export async function openTaskClient(
  urls: readonly string[],
  { key, content = {} }: { readonly key?: string; readonly content?: Record<string, string> } = {},
): Promise<TaskClient> {
  const client = new Client({ name: 'tasks-v1', version: '1' }, { capabilities: { elicitation: {} } })
  const notifications: TaskStatusNotification['params'][] = []
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content }))
  client.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => void notifications.push(params))
  const transport = new StreamableHTTPClientTransport(new URL(urls[0] as string), {
    fetch: fetchInTurn(urls),
    ...(key !== undefined && { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
  })
  await client.connect(transport)
  // The SDK learns from the list which tools are tasks.
  await client.listTools()
  const { tasks } = client.experimental

  const run: TaskClient['run'] = async (name, input = {}) => {
    const story: { -readonly [Key in keyof TaskStory]: TaskStory[Key] } & { statuses: string[] } = {
      created: undefined,
      statuses: [],
      text: undefined,
      error: undefined,
    }
    for await (const message of tasks.callToolStream({ name, arguments: input }, undefined, { task: {} })) {
      if (message.type === 'taskCreated') story.created = message.task
      else if (message.type === 'taskStatus') story.statuses.push(message.task.status)
      else if (message.type === 'error') story.error = message.error
      else story.text = (message.result as { content: readonly { text?: string }[] }).content[0]?.text
    }
    return story
  }

  return {
    tasks,
    client,
    notifications,
    run,
    async start(name, input = {}, ttl) {
      const task = ttl === undefined ? {} : { ttl }
      for await (const message of tasks.callToolStream({ name, arguments: input }, undefined, { task })) {
        if (message.type === 'taskCreated') return message.task
        if (message.type === 'error') throw message.error
      }
      throw new Error('Expected a task')
    },
    result: (taskId) => tasks.getTaskResult(taskId, CallToolResultSchema),
    async close() {
      await transport.terminateSession()
      await client.close()
    },
  }
}
