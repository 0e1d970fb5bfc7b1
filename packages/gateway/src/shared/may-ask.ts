import { methods } from '@junctor/protocol'

/** The requests whose results may ask (2026-07-28, Multi Round-Trip Requests, "Supported Requests"). */
export const mayAsk: ReadonlySet<string> = new Set([methods.toolsCall, methods.promptsGet, methods.resourcesRead])
