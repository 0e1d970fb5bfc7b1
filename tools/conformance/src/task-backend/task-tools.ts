import type { Fields, TaskTable } from './task-table.ts'

/** A call of a tool. */
interface ToolCall {
  readonly args: Fields
  /** What the client answered to the questions of the round before. */
  readonly responses: Fields | undefined
  readonly tasks: TaskTable
}

/** A tool of the fixture, under the name that the suite uses. */
export interface TaskTool {
  /** The answer to a client that takes tasks. */
  task(call: ToolCall): Fields
  /** The answer to a client that does not. Absent: it gets -32021. */
  plain?(call: ToolCall): Fields
}

function text(value: string): Fields {
  return { content: [{ type: 'text', text: value }] }
}

function question(message: string, name: string): Fields {
  const requestedSchema = { type: 'object', properties: { [name]: { type: 'string' } } }
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } }
}

function complete(result: Fields): Fields {
  return { resultType: 'complete', ...result }
}

function answerTo(responses: Fields, key: string): string {
  return JSON.stringify((responses[key] as { readonly content?: unknown } | undefined)?.content)
}

function greet({ args }: ToolCall): Fields {
  return complete(text(`Hello, ${String(args['name'])}!`))
}

/** The tools that the scenarios of tasks ask for. */
export const taskTools: Readonly<Record<string, TaskTool>> = {
  greet: { task: greet, plain: greet },
  slow_compute: {
    task: ({ args, tasks }) =>
      tasks.start(async (task) => {
        await task.sleep(Number(args['seconds']))
        return text('computed')
      }),
    plain: () => complete(text('computed')),
  },
  failing_job: {
    task: ({ tasks }) =>
      tasks.start(async (task) => {
        await task.sleep(1)
        return { ...text('the job failed'), isError: true }
      }),
  },
  protocol_error_job: {
    task: ({ tasks }) => tasks.start(() => Promise.reject(new Error('the job crashed'))),
    plain: () => complete(text('the job crashed')),
  },
  confirm_delete: {
    task: ({ args, tasks }) =>
      tasks.start(async (task) => {
        const answers = await task.ask({ confirm: question(`Delete ${String(args['filename'])}?`, 'confirm') })
        return text(`deleted: ${answerTo(answers, 'confirm')}`)
      }),
    plain: () => complete(text('not deleted')),
  },
  multi_input: {
    task: ({ tasks }) =>
      tasks.start(async (task) => {
        const answers = await task.ask({ first: question('First?', 'name'), second: question('Second?', 'name') })
        return text(`${answerTo(answers, 'first')} ${answerTo(answers, 'second')}`)
      }),
    plain: () => complete(text('no input')),
  },
  test_tool_with_task: {
    task({ responses, tasks }) {
      if (responses?.['user_name'] === undefined) {
        const inputRequests = { user_name: question('What is your name?', 'name') }
        return { resultType: 'input_required', inputRequests, requestState: 'asked' }
      }
      return tasks.start(() => Promise.resolve(text(`Hello, ${answerTo(responses, 'user_name')}`)))
    },
  },
}
