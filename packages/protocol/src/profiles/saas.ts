import {
  edit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  member,
  memberOf,
  type Payload,
  payloadFromText,
  payloadOf,
  printNotification,
  rewrite,
} from '@junctor/jsonrpc'
import { methods } from '../methods.ts'
import type { AddedAnswer, AddedRequest, Profile } from '../profile.ts'
import { isAtLeast, type Revision } from '../revision.ts'
import { structuredAsText } from '../revisions/downgrade-result.ts'
import { allows } from '../revisions/gates.ts'
import { withStandardCode } from './standard-code.ts'
import { withContent } from './with-content.ts'

/** A gateway for many tenants. Every answer except that to `initialize` is sent later, on the session's stream. */
export const saasProfile: Profile = {
  name: 'saas',
  revisions: ['2025-06-18', '2025-03-26', '2024-11-05'],
  versions: {},
  stateless: [],
  separator: '__',
  prefixed: false,
  sessionless: false,
  // Clients of this profile use `ping` to test whether a session is valid.
  earlyPing: false,
  sessionIds: 'sess_',
  delivery: 'queued',
  errors: 'saas',
  nullId: () => true,
  aliases: {},
  gatewayTools: false,
  announcesLists: true,
  describesBackends: true,
  relaysLogs: true,
  customContent: false,
  plainAnswers: false,
  failsAsError: false,
  unaskedProgress: true,
  methods: {
    'completions/complete': { first: '2025-03-26', answer: complete },
    [methods.elicitationCreate]: { first: '2025-06-18', answer: elicit },
    [methods.samplingCreateMessage]: { first: '2024-11-05', answer: sample },
  },
  // An output schema would promise structured content.
  items: { tools: (tool) => edit(tool, { outputSchema: undefined }) },
  results: {
    [methods.initialize]: (result, { revision }) => edit(result, { capabilities: capabilitiesAt(revision) }),
    [methods.ping]: (_result, { now }) => payloadOf({ status: 'pong', timestamp: timestamp(now) }),
    [methods.toolsCall]: (result) => withContent(structuredAsText(result)),
    [methods.promptsGet]: withContentLists,
  },
  http: {
    namesRevision: (revision) => allows(revision, 'revisionHeader'),
    streamsLines: (revision) => isAtLeast(revision, '2025-03-26'),
    greeting: (session, cursor) =>
      printNotification('notifications/connection', payloadOf({ status: 'connected', sessionId: session, cursor })),
    ping: (now, cursor) => printNotification('notifications/ping', payloadOf({ timestamp: timestamp(now), cursor })),
  },
  passedError: (error) => withStandardCode(error, internalError),
}

function capabilitiesAt(revision: Revision): JsonObject {
  return {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: false, listChanged: true },
    ...(allows(revision, 'completionsCapability') && { completions: true }),
  }
}

/** Formats a time in whole seconds: `2024-01-15T10:30:00Z`. */
function timestamp(now: number): string {
  return `${new Date(now).toISOString().slice(0, 19)}Z`
}

/** Makes the content of each prompt message a list, also when it is a single block. */
function withContentLists(result: Payload): Payload {
  const value = result.value()
  if (!isJsonObject(value) || !Array.isArray(value['messages'])) return result
  return rewrite(result, (copy) => {
    const prompt = copy as JsonObject
    return { ...prompt, messages: (prompt['messages'] as readonly JsonValue[]).map(withContentList) }
  })
}

function withContentList(message: JsonValue): JsonValue {
  if (!isJsonObject(message) || message['content'] === undefined || Array.isArray(message['content'])) return message
  return { ...message, content: [message['content']] }
}

/** Answers `completions/complete`: the arguments of a tool or prompt whose names start with the given text. */
function complete({ params, offered }: AddedRequest): AddedAnswer {
  const value = params?.value()
  const { ref, argument } = isJsonObject(value) ? value : {}
  const { type, name } = isJsonObject(ref) ? ref : {}
  if ((type !== 'ref/tool' && type !== 'ref/prompt') || typeof name !== 'string') {
    return badParams('Expects "ref" to be {"type":"ref/tool","name"} or {"type":"ref/prompt","name"}')
  }
  if (typeof argument !== 'string') return badParams('Expects "argument" to be the beginning of a name, as a string')
  const isTool = type === 'ref/tool'
  const item = offered(isTool ? 'tools' : 'prompts', name)
  if (item === undefined) {
    return { kind: 'refused', situation: isTool ? 'unknown_tool' : 'unknown_prompt', details: { name } }
  }
  const found = (isTool ? propertiesOf(item) : argumentsOf(item)).filter((known) => known.startsWith(argument))
  const completions = found.map((known) => ({ value: known, description: described(known) }))
  return { kind: 'complete', result: payloadOf({ completions }) }
}

function propertiesOf({ inputSchema }: JsonObject): readonly string[] {
  const properties = memberOf(inputSchema, 'properties')
  return isJsonObject(properties) ? Object.keys(properties) : []
}

function argumentsOf({ arguments: listed }: JsonObject): readonly string[] {
  if (!Array.isArray(listed)) return []
  return listed.map((one) => memberOf(one, 'name')).filter((name) => typeof name === 'string')
}

/** `Message parameter` for `message`, as the document prints it, regardless of the schema. */
function described(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)} parameter`
}

/** Answers `elicitation/create` of a client with the requested form, under the id of the request. */
function elicit({ id, params }: AddedRequest): AddedAnswer {
  const message = params === undefined ? undefined : member(params, 'message')
  const requestedSchema = params === undefined ? undefined : member(params, 'requestedSchema')
  if (typeof message?.value() !== 'string') return badParams('Expects "message" to be a string')
  if (!isJsonObject(requestedSchema?.value())) return badParams('Expects "requestedSchema" to be an object')
  const asked = { prompt: message, requestedSchema, requestId: payloadFromText(id) }
  return { kind: 'complete', result: edit(payloadOf({ type: 'elicitation' }), asked) }
}

/** Answers `sampling/createMessage` of a client with an acknowledgement. */
function sample({ params }: AddedRequest): AddedAnswer {
  const value = params?.value()
  if (isJsonObject(value) && Array.isArray(value['messages'])) {
    return { kind: 'complete', result: payloadOf({ received: true }) }
  }
  return badParams('Expects "messages" to be an array')
}

function badParams(message: string): AddedAnswer {
  return { kind: 'refused', situation: 'invalid_params', details: { message } }
}

/** The other codes of this profile are about authentication, sessions and HTTP. */
const internalError = -32_603
