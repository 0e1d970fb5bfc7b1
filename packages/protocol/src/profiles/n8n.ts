import type { Payload } from '@junctor/jsonrpc'
import { edit, isJsonObject, payloadOf, printPayload } from '@junctor/jsonrpc'
import { methods } from '../methods.ts'
import type { Profile } from '../profile.ts'

/** A stdio gateway for tools alone, at the first revision, whose clients know six error codes. */
export const n8nProfile: Profile = {
  name: 'n8n',
  revisions: ['2024-11-05'],
  separator: ':',
  sessionless: false,
  delivery: 'inline',
  errors: 'n8n',
  nullId: () => true,
  aliases: { initialized: methods.notificationsInitialized },
  gatewayTools: true,
  // Its `initialize` declares neither `listChanged` nor `logging`.
  announcesLists: false,
  relaysLogs: false,
  results: {
    [methods.initialize]: (result) => edit(result, { capabilities: { tools: {} }, instructions: undefined }),
    [methods.toolsCall]: withContent,
  },
  passedError: (error) => (knownCodes.has(error.code) ? error : { ...error, code: serverError }),
}

const serverError = -32_000

const knownCodes: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_602, -32_603, serverError])

/** A result without content is shown as JSON text. */
function withContent(result: Payload): Payload {
  const value = result.value()
  if (isJsonObject(value) && value['content'] !== undefined) return result
  return payloadOf({ content: [{ type: 'text', text: printPayload(result) }] })
}
