/** What is wrong with a backend, as programs are told. A test has a real backend for each of them. */
export const diagnosisKinds = [
  /** Options that only the plugin itself can judge. */
  'options',
  'no_program',
  'no_folder',
  'not_executable',
  'exited',
  /** It was reached, and gave no answer in time. */
  'silent',
  'refused_handshake',
  'other_revision',
  /** It works, but does not list what it offers. */
  'no_lists',
  /** Something else than MCP. */
  'not_mcp',
  'no_host',
  'nothing_listens',
  'no_route',
  'closed',
  'tls',
  'unauthorized',
  'forbidden',
  'not_found',
  'redirect',
  /** Any other HTTP status that is no success. */
  'http_status',
  'other',
] as const

export type DiagnosisKind = (typeof diagnosisKinds)[number]

/** What is wrong with a backend, in the words of a problem of the configuration. */
export interface Diagnosis {
  readonly kind: DiagnosisKind
  /** What came. Never holds a secret. */
  readonly got: string
  readonly expected: string
  /** What to do: one sentence. */
  readonly next: string
}
