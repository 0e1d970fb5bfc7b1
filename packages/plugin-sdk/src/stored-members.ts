import type { JsonValue } from '@junctor/jsonrpc'

/**
 * What an object of a store may be: members that JSON has. Unlike `JsonObject` it accepts an `interface`, which has no index
 * signature. A member that JSON would change or leave out (a function, a `Date`, a `Map`, a bigint) does not compile.
 */
export type StoredMembers<T> = { readonly [Member in keyof T]: StoredMember<T[Member]> }

type StoredMember<T> = T extends JsonValue | undefined
  ? T
  : T extends bigint | symbol | ((...args: never[]) => unknown)
    ? never
    : StoredMembers<T>
