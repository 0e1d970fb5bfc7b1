import type { BareName } from '../catalogue/bare-names.ts'
import type { CallerView } from './caller-view.ts'

/** The owner of a public name; else of a tool's own name, which views use (MCP Apps). */
export function ownerOf({ view, bare }: CallerView, kind: 'tools' | 'prompts', name: string): BareName {
  const route = view.routes[kind].get(name)
  if (route !== undefined) return { kind: 'one', route }
  return kind === 'tools' ? bare.tool(name) : { kind: 'none' }
}
