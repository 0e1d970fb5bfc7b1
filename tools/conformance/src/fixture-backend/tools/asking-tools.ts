import {
  CreateMessageResultSchema,
  ElicitResultSchema,
  type CallToolResult,
  type ElicitRequestFormParams,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import { choicesForm, defaultsForm, responseForm } from './elicitation-forms.ts'
import { type Call, type FixtureTool, noArguments, text } from './fixture-tool.ts'

const sampling: FixtureTool = {
  definition: {
    name: 'test_sampling',
    description: "Asks the client's model",
    inputSchema: oneText('prompt', 'What to ask the model'),
  },
  async run({ prompt }, call) {
    const message = { role: 'user' as const, content: { type: 'text' as const, text: String(prompt) } }
    const answer = await call.sendRequest(
      { method: 'sampling/createMessage', params: { messages: [message], maxTokens: 100 } },
      CreateMessageResultSchema,
    )
    return text(`LLM response: ${answer.content.type === 'text' ? answer.content.text : answer.content.type}`)
  },
}

const elicitation: FixtureTool = {
  definition: {
    name: 'test_elicitation',
    description: "Asks the client's user",
    inputSchema: oneText('message', 'What to ask the user'),
  },
  run: ({ message }, call) => elicit(call, String(message), responseForm),
}

const defaults: FixtureTool = {
  definition: {
    name: 'test_elicitation_sep1034_defaults',
    description: "Asks the client's user with a form that has defaults (SEP-1034)",
    inputSchema: noArguments,
  },
  run: (_args, call) => elicit(call, 'Please review and update the form fields with defaults', defaultsForm),
}

const choices: FixtureTool = {
  definition: {
    name: 'test_elicitation_sep1330_enums',
    description: "Asks the client's user with a form of choices (SEP-1330)",
    inputSchema: noArguments,
  },
  run: (_args, call) => elicit(call, 'Please select options from the enum fields', choicesForm),
}

/** Tools that need an answer from the client first. */
export const askingTools: readonly FixtureTool[] = [sampling, elicitation, defaults, choices]

async function elicit(
  call: Call,
  message: string,
  requestedSchema: ElicitRequestFormParams['requestedSchema'],
): Promise<CallToolResult> {
  const { action, content = {} } = await call.sendRequest(
    { method: 'elicitation/create', params: { message, requestedSchema } },
    ElicitResultSchema,
  )
  return text(`User response: action=${action}, content=${JSON.stringify(content)}`)
}

function oneText(name: string, description: string): Tool['inputSchema'] {
  return { type: 'object', properties: { [name]: { type: 'string', description } }, required: [name] }
}
