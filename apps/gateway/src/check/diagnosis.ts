/** The kinds of problems of a backend, for programs that read the report. A test has a real backend for each. */
export const diagnosisKinds = [
  /** Options that only the plugin itself can validate. */
  'options',
  'no_program',
  'no_folder',
  'not_executable',
  'exited',
  /** The backend was reached, but gave no answer in time. */
  'silent',
  'refused_handshake',
  'other_revision',
  /** The backend works, but does not list what it offers. */
  'no_lists',
  /** It speaks another protocol than MCP. */
  'not_mcp',
  'no_host',
  'nothing_listens',
  'no_route',
  'closed',
  'tls',
  'unauthorized',
  /** The authorization server issued no token for it. */
  'no_token',
  'forbidden',
  'not_found',
  'redirect',
  /** Any other HTTP status that is not a success. */
  'http_status',
  'other',
] as const

/** What kind of fault a backend has. */
export type DiagnosisKind = (typeof diagnosisKinds)[number]

/** What is wrong with a backend, in the form of a configuration problem. */
export interface Diagnosis {
  readonly kind: DiagnosisKind
  /** What was found. Never contains a secret. */
  readonly got: string
  readonly expected: string
  /** What to do: one sentence. */
  readonly next: string
}
