/** The requirements that a known attack has made necessary, and that no other group has: `ATTACK-` and a number. */
export const attackRequirements = {
  'ATTACK-1': {
    source: 'GHSA-g53w-w6mj-hrpp',
    behaviour:
      'no header of a client says who it is, where it came from or which tenant it belongs to: only its credentials and its path do',
  },
  'ATTACK-2': {
    source: 'CVE-2018-3721 and its like',
    behaviour:
      'members named __proto__ and constructor are data on every transport: they reach the backend as they came, and change no object',
  },
  'ATTACK-3': {
    source: 'CVE-2026-0621 and its like',
    behaviour:
      'no schema of a component or a document, with no arguments and no answer, keeps a node from answering others: patterns, unique items and references are checked in bounded time',
  },
  'ATTACK-4': {
    source: 'ws 8.20, security release (fragments of one byte)',
    behaviour:
      'a request in the smallest pieces occupies not much more memory than its bytes, until it is read or refused',
  },
} as const
