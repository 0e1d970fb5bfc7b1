import type { GetPromptResult, Prompt, RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { KeyedAsk } from './keyed-asks.ts'
import { oneField } from './tools/input-tools.ts'

/** The prompt of the suite of 2026-07-28 that asks. */
export const askingPrompt: Prompt = {
  name: 'test_input_required_result_prompt',
  description: 'Asks which context it should use',
}

/** Its messages, after the client's answer. */
export async function askingPromptMessages(ask: KeyedAsk, to: RequestId): Promise<GetPromptResult> {
  const form = oneField('What context should the prompt use?', 'context')
  const answer = await ask(to, 'user_context', 'elicitation/create', form)
  return { messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(answer) } }] }
}
