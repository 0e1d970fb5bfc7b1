/**
 * Every kind of problem that a configuration can have, for programs. A test has at least one broken file for each kind.
 */
export const problemKinds = [
  /** The file cannot be read. */
  'unreadable_file',
  /** The text is neither YAML nor JSON. */
  'syntax',
  'duplicate_key',
  /** A YAML alias without an anchor before it or within its own value, or aliases that expand to too much text. */
  'alias',
  /** The file as a whole is not a mapping. */
  'not_a_mapping',
  'unknown_word',
  'wrong_value',
  'missing_value',
  'illegal_name',
  /** `${env:NAME}` with a variable that is not set. */
  'variable_not_set',
  /** `${file:path}` with a file that cannot be read. */
  'reference_unreadable',
  /** `${word:name}` with an unknown word. */
  'unknown_reference',
  /** A file uses another program's way to include variables. */
  'env_file',
  /** A backend without a word that describes it, or with more than one. */
  'backend_kind',
  'unknown_plugin',
  /** A package or file that is no plugin, or cannot be loaded. */
  'plugin_not_loaded',
  'unknown_backend',
  'unknown_tenant',
  /** Two names that become equal. */
  'name_taken',
  'repeated_key',
  'audience_missing',
  'issuer_missing',
  'open_to_all',
  /** Clients on NATS are configured, but the fabric has no NATS. */
  'nats_missing',
  'port_taken',
  'pem_unreadable',
  'not_pem',
  /** A certificate or key in PEM that cannot be used, or two that do not belong together. */
  'certificate_unusable',
  /** The file with the approved tools cannot be read, or is not as it is written. */
  'pins_unusable',
] as const

/** What kind of problem a configuration has. Its name does not change. */
export type ProblemKind = (typeof problemKinds)[number]
