import { setTimeout as after } from 'node:timers/promises'
import { type FixtureTool, noArguments, text } from './fixture-tool.ts'

/** The pause between two messages of a tool, in milliseconds: the suites check that they arrive while the tool runs. */
const paceMs = 50
/** How long after closing its stream `test_reconnection` answers, in milliseconds. */
const answerMs = 100

const withLogging: FixtureTool = {
  definition: { name: 'test_tool_with_logging', description: 'Logs while it runs', inputSchema: noArguments },
  async run(_args, call) {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await call.sendNotification({ method: 'notifications/message', params: { level: 'info', data } })
      await after(paceMs)
    }
    return text('Tool with logging executed successfully')
  },
}

const withProgress: FixtureTool = {
  definition: { name: 'test_tool_with_progress', description: 'Reports its progress', inputSchema: noArguments },
  async run(_args, call) {
    const { _meta: meta } = call
    const progressToken = meta?.progressToken
    if (progressToken === undefined) return text('The request has no progress token')
    for (const progress of [0, 50, 100]) {
      const message = `Completed step ${progress} of 100`
      await call.sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100, message },
      })
      await after(paceMs)
    }
    return text(String(progressToken))
  },
}

const reconnection: FixtureTool = {
  definition: {
    name: 'test_reconnection',
    description: 'Closes the stream of its own call, and answers when the client has reconnected for it',
    inputSchema: noArguments,
  },
  async run(_args, call) {
    // Absent when there is no such stream: on stdio, and for clients that cannot reconnect.
    call.closeSSEStream?.()
    await after(answerMs)
    return text('This answer was sent after the client had reconnected')
  },
}

/** Tools that send messages before they answer. */
export const notifyingTools: readonly FixtureTool[] = [withLogging, withProgress, reconnection]
