import { counted } from '../report/counted.ts'
import type { TriedBackend } from './try-backend.ts'

/** The lists of a backend, by the noun for one of their items. */
export type OfferedLists = Readonly<Record<'tool' | 'prompt' | 'resource' | 'template' | 'method', readonly string[]>>

/** What a backend offers. */
export function offeredLists(backend: Extract<TriedBackend, { readonly state: 'up' }>): OfferedLists {
  const { tools, prompts, resources, templates, methods } = backend
  return { tool: tools, prompt: prompts, resource: resources, template: templates, method: methods }
}

/** How many items each list has, as in `2 tools`, without the empty ones. */
export function countsOf(lists: Partial<OfferedLists>): readonly string[] {
  return Object.entries(lists)
    .filter(([, { length }]) => length > 0)
    .map(([noun, { length }]) => counted(length, noun))
}
