import { edit } from '@junctor/jsonrpc'
import { methods } from '../methods.ts'
import type { Profile } from '../profile.ts'
import { withStandardCode } from './standard-code.ts'

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
  passedError: (error) => withStandardCode(error, toolError),
}

/** The code of a tool that failed, in the document. Its other codes are about the gateway and its checks. */
const toolError = -32_002
