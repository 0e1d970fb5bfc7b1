import type { WireClientOptions } from './wire-client.ts'

/** A client that answers every kind of question, with its secret in each answer. */
export function answeringClient(secret: string): Required<Pick<WireClientOptions, 'capabilities' | 'answers'>> {
  return {
    capabilities: { sampling: {}, elicitation: {}, roots: {} },
    answers: {
      'sampling/createMessage': () => ({
        model: 'm',
        role: 'assistant',
        content: { type: 'text', text: `sampled ${secret}` },
      }),
      'elicitation/create': () => ({ action: 'accept', content: { name: `answered ${secret}`, age: 1 } }),
      'roots/list': () => ({ roots: [{ uri: `file:///${secret}` }] }),
    },
  }
}
