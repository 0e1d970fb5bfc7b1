import { methods } from '@junctor/protocol'
import { complete } from './completion-complete.ts'
import { setLevel } from './logging-set-level.ts'
import type { MethodHandler } from './method-handler.ts'
import { getPrompt } from './prompts-get.ts'
import { readResource } from './resources-read.ts'
import { subscribe, unsubscribe } from './subscriptions.ts'
import { callTool } from './tools-call.ts'

/** Every method that a backend in this process answers. Lists are not here: the gateway calls `list` of the link. */
export const methodHandlers: ReadonlyMap<string, MethodHandler> = new Map<string, MethodHandler>([
  [methods.toolsCall, callTool],
  [methods.resourcesRead, readResource],
  [methods.resourcesSubscribe, subscribe],
  [methods.resourcesUnsubscribe, unsubscribe],
  [methods.promptsGet, getPrompt],
  [methods.completionComplete, complete],
  [methods.loggingSetLevel, setLevel],
])
