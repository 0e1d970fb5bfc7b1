/**
 * Every kind of problem that a configuration can have, as programs are told. A test holds one broken file or more for each
 * of them.
 */
export const problemKinds = [
  /** The file itself cannot be read. */
  'unreadable_file',
  /** The text is neither YAML nor JSON. */
  'syntax',
  'duplicate_key',
  /** Aliases of YAML without an anchor before them, or more of them than is good for anybody. */
  'alias',
  /** The file as a whole is no mapping. */
  'not_a_mapping',
  'unknown_word',
  'wrong_value',
  'missing_value',
  'illegal_name',
  /** `${env:NAME}` without such a variable. */
  'variable_not_set',
  /** `${file:path}` without such a file. */
  'reference_unreadable',
  /** `${word:name}` with a word that is not ours. */
  'unknown_reference',
  /** A file with another program's way to bring variables in. */
  'env_file',
  /** A backend with no word that says what it is, or with more than one. */
  'backend_kind',
  'unknown_plugin',
  'unknown_backend',
  'unknown_tenant',
  /** Two names that become one. */
  'name_taken',
  'repeated_key',
  'audience_missing',
  'issuer_missing',
  'open_to_all',
  /** Clients on NATS are to be served, and there is no NATS. */
  'nats_missing',
  'port_taken',
  'pem_unreadable',
  'not_pem',
] as const

export type ProblemKind = (typeof problemKinds)[number]
