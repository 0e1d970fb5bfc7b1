import type { JsonValue } from '@junctor/jsonrpc'

/** The test of a member, and what is expected. */
export type MemberRule = readonly [test: (value: JsonValue) => boolean, expected: string]

/** The rule of each member of an object. */
export type MemberRules = Readonly<Record<string, MemberRule>>

/** The rule for a text. */
export const textRule: MemberRule = [(value) => typeof value === 'string', 'text']
