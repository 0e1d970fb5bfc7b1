import { type ErrorRow, everywhere } from './error-row.ts'

/** What can be wrong with a message, regardless of its receiver. */
export type MessageSituation =
  | 'parse_error'
  | 'invalid_request'
  | 'duplicate_id'
  | 'idempotency_conflict'
  | 'method_not_found'
  | 'method_not_in_revision'
  | 'invalid_params'
  | 'meta_missing'
  | 'meta_invalid'
  | 'internal_error'
  | 'cancelled'

/** The errors of messages that are wrong. */
export const messageErrors: Readonly<Record<MessageSituation, ErrorRow>> = {
  parse_error: {
    title: 'Parse Error',
    message: 'Parse error',
    codes: everywhere(-32700),
    status: 400,
    retryable: false,
    bare: true,
    cause: 'The input is not JSON, or not UTF-8.',
    nextStep: 'Look at the bytes that the client sent: one JSON text for each line or body, in UTF-8.',
  },
  invalid_request: {
    title: 'Invalid Request',
    message: 'Invalid Request',
    wording: { ftl: 'Invalid request' },
    codes: everywhere(-32600),
    status: 400,
    retryable: false,
    cause:
      'The input is JSON but not a JSON-RPC message: `jsonrpc`, `id`, `method` or `params` is of a wrong kind, a batch came where the revision has none, or an object of a call has two members of one name.',
    nextStep:
      'The message names the member that is wrong and what was expected there. Of two members of one name, leave one out: readers differ in which of them they take.',
  },
  duplicate_id: {
    title: 'Duplicate Id',
    message: 'A request with this id is still in flight',
    codes: { mcp: -32600, modern: -32600, v3: -32009, saas: -32600, ftl: -32600, n8n: -32600 },
    status: 400,
    retryable: false,
    cause: 'The client used the id of a request that is not answered yet.',
    nextStep: 'Count ids up; never use one twice in a session.',
  },
  idempotency_conflict: {
    title: 'Idempotency Key Conflict',
    message: 'This idempotency key was used for another request',
    codes: { mcp: -32600, modern: -32600, v3: -32009, saas: -32600, ftl: -32600, n8n: -32600 },
    status: 400,
    retryable: false,
    cause: 'A job that can still be read has the key of this request, and another method or other params.',
    nextStep: 'Use a new `options.idempotencyKey` for each request that is not a repeat.',
  },
  method_not_found: {
    title: 'Method Not Found',
    message: 'Method not found: {name}',
    wording: { saas: 'Method not found', ftl: 'Method not found' },
    codes: everywhere(-32601),
    status: 200,
    modernStatus: 404,
    retryable: false,
    nameMember: 'method',
    bare: ['n8n', 'saas'],
    cause: 'No revision of the protocol has this method, and no plugin offers it.',
    nextStep: 'Check the spelling, and the capabilities that the gateway declared.',
  },
  method_not_in_revision: {
    title: 'Method Not Supported',
    message: 'Method is not part of the negotiated revision: {name}',
    wording: { saas: 'Method not found', ftl: 'Method not found', n8n: 'Method not found: {name}' },
    codes: { mcp: -32601, modern: -32601, v3: -32005, saas: -32601, ftl: -32601, n8n: -32601 },
    status: 200,
    modernStatus: 404,
    retryable: false,
    nameMember: 'method',
    bare: ['n8n', 'saas'],
    cause: 'The method exists, but not in the revision that this session or request speaks.',
    nextStep: 'Negotiate a revision that has the method, or do without it.',
  },
  invalid_params: {
    title: 'Invalid Params',
    message: 'Invalid params',
    codes: everywhere(-32602),
    status: 200,
    retryable: false,
    cause: 'A member of `params` is missing, of a wrong kind, or names something that cannot be, such as a bad cursor.',
    nextStep: 'The message names the member and what was expected.',
  },
  meta_missing: {
    title: 'Invalid Params',
    message: 'A member of _meta that every request of this revision carries is missing',
    codes: everywhere(-32602),
    status: 400,
    retryable: false,
    cause:
      'A request of 2026-07-28, which opens without a handshake, lacks the version or the capabilities of its client.',
    nextStep:
      'Send `io.modelcontextprotocol/protocolVersion` and `io.modelcontextprotocol/clientCapabilities` in `params._meta`.',
  },
  meta_invalid: {
    title: 'Invalid Params',
    message: 'A member of _meta is of a wrong kind',
    codes: everywhere(-32602),
    status: 400,
    retryable: false,
    cause:
      'A request of 2026-07-28 declares itself with a value of a wrong kind, such as a `logLevel` that is not one of the eight levels.',
    nextStep: 'The message names the member of `params._meta` and what was expected.',
  },
  internal_error: {
    title: 'Internal Error',
    message: 'Internal error',
    codes: everywhere(-32603),
    status: 200,
    retryable: false,
    cause: 'A fault in the gateway or a plugin. Details stay in the log.',
    nextStep: 'Search the gateway log for the time and the trace id of the request.',
  },
  cancelled: {
    title: 'Client Cancelled',
    message: 'Request cancelled by client.',
    codes: { mcp: -32000, modern: 499, v3: -32800, saas: -32000, ftl: -32000, n8n: -32000 },
    status: 200,
    retryable: false,
    cause:
      'The requester withdrew the request. A JSON-RPC 3.0 peer gets this error; a 2.0 peer gets no response at all, so its codes are seen only by a backend whose question to a client was withdrawn.',
    nextStep: 'Nothing: this is what the requester asked for.',
  },
}
