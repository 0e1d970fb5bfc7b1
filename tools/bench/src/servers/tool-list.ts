/** The number of tools in the long list. */
export const listedTools = 1000

/** The tools of the long list, by number: of a common size, about a third of a kilobyte each. */
export function toolName(index: number): string {
  return `catalogue_tool_${String(index).padStart(4, '0')}`
}

/** The description of every tool in the long list, as long as a usual one. */
export const toolDescription: string =
  'Looks up entries of the catalogue by text, and gives those that match with their titles, newest first.'

/** A JSON Schema, as most tools have one. */
export const toolSchema = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What to look for' },
    limit: { type: 'integer', minimum: 1, maximum: 100, description: 'How many entries at most' },
  },
  required: ['query'],
} as const
