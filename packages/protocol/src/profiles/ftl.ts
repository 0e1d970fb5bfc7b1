import type { WireError } from '@junctor/jsonrpc'
import { edit } from '@junctor/jsonrpc'
import { methods } from '../methods.ts'
import type { Profile } from '../profile.ts'

/** A gateway for tool components behind HTTP. Its clients need no session, and know the tools by their own names. */
export const ftlProfile: Profile = {
  name: 'ftl',
  revisions: ['2024-11-05'],
  versions: { '0.1.0': '2024-11-05' },
  stateless: [],
  server: { name: 'ftl-mcp-gateway', version: '0.1.0' },
  separator: '__',
  prefixed: false,
  sessionless: true,
  earlyPing: true,
  sessionIds: 's_',
  delivery: 'inline',
  errors: 'ftl',
  nullId: () => true,
  aliases: {},
  gatewayTools: false,
  // The `initialize` result of its document declares neither `listChanged` nor `logging`, and has no instructions.
  announcesLists: false,
  describesBackends: false,
  relaysLogs: false,
  customContent: true,
  plainAnswers: true,
  failsAsError: true,
  unaskedProgress: false,
  methods: {},
  items: {},
  results: {
    [methods.initialize]: (result) => edit(result, { capabilities: { tools: {} }, instructions: undefined }),
  },
  passedError,
}

const standardCodes: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_602, -32_603])

/** In the specification the code of an unknown resource, in the document that of a tool that failed. */
const resourceNotFound = -32_002
const toolError = -32_002
const invalidParams = -32_602

/** The other codes of this profile are about the gateway and its checks; backends do not use them. */
function passedError(error: WireError): WireError {
  if (standardCodes.has(error.code)) return error
  return { ...error, code: error.code === resourceNotFound ? invalidParams : toolError }
}
