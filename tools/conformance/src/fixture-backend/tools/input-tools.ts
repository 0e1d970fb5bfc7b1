import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { KeyedAnswer, KeyedAsk } from '../keyed-asks.ts'
import { type FixtureTool, noArguments, text } from './fixture-tool.ts'

/** A form with one field. */
export function oneField(message: string, name: string, type = 'string'): object {
  return { message, requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] } }
}

const question = (content: string, maxTokens: number): object => ({
  messages: [{ role: 'user', content: { type: 'text', text: content } }],
  maxTokens,
})

/** The questions of one tool, in rounds: each by its key. */
type Rounds = readonly Readonly<Record<string, readonly [method: string, params: object]>>[]

const form = 'elicitation/create'
const sampling = 'sampling/createMessage'
const roots = 'roots/list'

const name = [form, oneField('What is your name?', 'name')] as const
const confirm = [form, oneField('Please confirm', 'ok', 'boolean')] as const

const tools: Readonly<Record<string, Rounds>> = {
  elicitation: [{ user_name: name }],
  sampling: [{ capital_question: [sampling, question('What is the capital of France?', 100)] }],
  list_roots: [{ client_roots: [roots, {}] }],
  request_state: [{ confirm }],
  multiple_inputs: [
    { user_name: name, greeting: [sampling, question('Generate a greeting', 50)], client_roots: [roots, {}] },
  ],
  multi_round: [
    { step1: [form, oneField('Step 1: What is your name?', 'name')] },
    { step2: [form, oneField('Step 2: What is your favorite color?', 'color')] },
  ],
  tampered_state: [{ confirm }],
}

/** Tools of the same suite that ask nothing. */
const plainTools: readonly FixtureTool[] = [
  {
    definition: toolNamed('test_logging_tool', 'Logs one message'),
    async run(_args, { sendNotification }) {
      await sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'Working' } })
      return text('Logged')
    },
  },
  ...(['tool', 'prompt'] as const).map((kind): FixtureTool => ({
    definition: toolNamed(`test_trigger_${kind}_change`, `Announces that the list of ${kind}s has changed`),
    async run(_args, { sendNotification }) {
      await sendNotification({ method: `notifications/${kind}s/list_changed` })
      return text('Announced')
    },
  })),
  {
    definition: {
      name: 'test_custom_header',
      description: 'Wants an argument in a header too',
      inputSchema: {
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
        required: ['region'],
      },
    },
    run: ({ region }) => text(String(region)),
  },
]

/**
 * Tools of the suite of 2026-07-28 that ask while they run.
 *
 * @param capabilities what the client of the call can be asked
 */
export function inputTools(
  ask: KeyedAsk,
  capabilities: () => Readonly<Record<string, unknown>>,
): readonly FixtureTool[] {
  const askAll = (to: RequestId, round: Rounds[number]): Promise<readonly KeyedAnswer[]> =>
    Promise.all(Object.entries(round).map(([key, [method, params]]) => ask(to, key, method, params)))
  const all = Object.entries(tools).map(([suffix, rounds]): FixtureTool => {
    const definition = toolNamed(`test_input_required_result_${suffix}`, 'Asks the client before it answers')
    return {
      definition,
      async run(_args, { requestId }) {
        const answers: KeyedAnswer[] = []
        for (const round of rounds) answers.push(...(await askAll(requestId, round)))
        return text(`state-ok: ${JSON.stringify(answers)}`)
      },
    }
  })
  return [
    ...all,
    {
      definition: toolNamed('test_input_required_result_capabilities', 'Asks only what the client can answer'),
      async run(_args, { requestId }) {
        const { elicitation, sampling: models } = capabilities()
        const round = {
          ...(elicitation !== undefined && { user_name: name }),
          ...(models !== undefined && {
            greeting: [sampling, question('Generate a greeting', 50)] as const,
          }),
        }
        return text(JSON.stringify(await askAll(requestId, round)))
      },
    },
    {
      definition: toolNamed('test_missing_capability', "Cannot do without the client's model"),
      async run(_args, { requestId }) {
        const [answer] = await askAll(requestId, { needed: [sampling, question('Anything', 5)] })
        if (answer !== undefined && 'result' in answer) return text(JSON.stringify(answer.result))
        return { ...text('It needs sampling'), isError: true }
      },
    },
    {
      definition: toolNamed('test_streaming_elicitation', 'Asks the user in the middle of a call'),
      run: async (_args, { requestId }) => text(JSON.stringify(await askAll(requestId, { user_name: name }))),
    },
    ...plainTools,
  ]
}

function toolNamed(toolName: string, description: string): FixtureTool['definition'] {
  return { name: toolName, description, inputSchema: noArguments }
}
