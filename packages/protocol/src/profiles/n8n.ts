import { edit } from '@junctor/jsonrpc'
import { methods } from '../methods.ts'
import type { Profile } from '../profile.ts'
import { isStandardCode } from './standard-code.ts'
import { withContent } from './with-content.ts'

/** A stdio gateway that offers only tools, in the first revision. Its clients know six error codes. */
export const n8nProfile: Profile = {
  name: 'n8n',
  revisions: ['2024-11-05'],
  versions: {},
  stateless: [],
  separator: ':',
  prefixed: true,
  sessionless: false,
  earlyPing: true,
  sessionIds: 's_',
  delivery: 'inline',
  errors: 'n8n',
  nullId: () => true,
  aliases: { initialized: methods.notificationsInitialized },
  gatewayTools: true,
  // The `initialize` result of its document declares neither `listChanged` nor `logging`.
  announcesLists: false,
  relaysLogs: false,
  // The document has no instructions either.
  describesBackends: false,
  customContent: false,
  plainAnswers: false,
  failsAsError: false,
  unaskedProgress: false,
  methods: {},
  items: {},
  results: {
    [methods.initialize]: (result) => edit(result, { capabilities: { tools: {} }, instructions: undefined }),
    [methods.toolsCall]: withContent,
  },
  passedError: (error) =>
    isStandardCode(error.code) || error.code === serverError ? error : { ...error, code: serverError },
}

const serverError = -32_000
