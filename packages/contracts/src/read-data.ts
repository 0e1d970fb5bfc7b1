/** Data of another node, of storage or of another version, after the check at the place where it comes in. */
export type ReadData<Value> = { readonly kind: 'read'; readonly value: Value } | UnreadableData

/** Data that this version cannot read. */
export interface UnreadableData {
  readonly kind: 'unreadable'
  /** Where the data differ from what this version expects, and how. It contains no value of the data. */
  readonly problem: string
}

/** The part of a zod schema that {@link readData} uses. */
export interface DataSchema<Value> {
  /** Judges a value without throwing, as zod does. */
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: Value }
    | { readonly success: false; readonly error: { readonly issues: readonly DataIssue[] } }
}

interface DataIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/**
 * Reads data that another node wrote, perhaps one of another version. Never throws.
 *
 * A schema must accept members that it does not know, because a newer version may have added them: `z.object` drops
 * them, `z.looseObject` keeps them. Use the latter for what is written back.
 */
export function readData<Value>(schema: DataSchema<Value>, value: unknown): ReadData<Value> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return { kind: 'read', value: parsed.data }
  const [issue] = parsed.error.issues
  const path = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `
  return { kind: 'unreadable', problem: `${path}${issue?.message ?? 'invalid'}` }
}
