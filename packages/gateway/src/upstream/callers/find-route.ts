import type { RouteMatch } from '../catalogue/route-match.ts'
import type { CallerView } from './caller-view.ts'

/** Finds a tool or prompt by its public name, or a tool by the backend's own name, which views use (MCP Apps). */
export function findRoute({ view, bare }: CallerView, kind: 'tools' | 'prompts', name: string): RouteMatch {
  const route = view.routes[kind].get(name)
  if (route !== undefined) return { kind: 'one', route }
  return kind === 'tools' ? bare.tool(name) : { kind: 'none' }
}
