import type { ErrorRow } from './error-row.ts'

/** Why a caller is refused before its message is processed. */
export type AccessSituation =
  | 'unauthenticated'
  | 'forbidden'
  | 'unknown_tenant'
  | 'session_missing'
  | 'session_unknown'
  | 'http_method_not_allowed'
  | 'not_acceptable'
  | 'unsupported_media_type'
  | 'origin_refused'
  | 'too_large'

/** The errors about who calls and what they may use. */
export const accessErrors: Readonly<Record<AccessSituation, ErrorRow>> = {
  unauthenticated: {
    title: 'Unauthenticated',
    message: 'Authentication required',
    codes: { mcp: -32000, modern: 401, v3: -32001, saas: -32000, ftl: -32000, n8n: -32000 },
    status: 401,
    retryable: false,
    cause: 'The request has no credentials, or they are unknown, expired or issued for another service.',
    nextStep: 'Send `Authorization: Bearer <key>`; `WWW-Authenticate` says what is accepted.',
  },
  forbidden: {
    title: 'Forbidden',
    message: 'Not allowed',
    codes: { mcp: -32000, modern: 403, v3: -32003, saas: -32603, ftl: -32000, n8n: -32000 },
    status: 403,
    retryable: false,
    cause: 'The caller is known, and policy does not let it do this.',
    nextStep: 'Ask for the scope that `WWW-Authenticate` names, or for another policy.',
  },
  unknown_tenant: {
    title: 'Unknown Tenant',
    message: 'No such endpoint',
    codes: { mcp: -32000, modern: 404, v3: -32004, saas: -32603, ftl: -32004, n8n: -32000 },
    status: 404,
    retryable: false,
    cause:
      'The path names a tenant that does not exist, or that the caller is no member of; the answer does not reveal which.',
    nextStep: 'Check the path, and the members of the tenant in the configuration.',
  },
  session_missing: {
    title: 'Session Required',
    message: 'Mcp-Session-Id header is required',
    wording: { saas: 'Session required' },
    codes: { mcp: -32000, modern: 400, v3: -32012, saas: -32001, ftl: -32000, n8n: -32000 },
    status: 400,
    retryable: false,
    cause: 'A request other than `initialize` came without a session.',
    nextStep: 'Send `initialize` first, and its `Mcp-Session-Id` with everything after it.',
  },
  session_unknown: {
    title: 'Session Not Found',
    message: 'Session not found',
    wording: { saas: 'Session required' },
    codes: { mcp: -32001, modern: 404, v3: -32012, saas: -32001, ftl: -32000, n8n: -32000 },
    status: 404,
    retryable: false,
    cause:
      'The session has ended, never was, or belongs to another caller or tenant; the answer does not reveal which.',
    nextStep: 'Start over with `initialize`, without a session id.',
  },
  http_method_not_allowed: {
    title: 'Method Not Allowed',
    message: 'Method not allowed',
    codes: { mcp: -32000, modern: 405, v3: -32005, saas: -32002, ftl: -32000, n8n: -32000 },
    status: 405,
    retryable: false,
    cause: 'The endpoint does not answer this HTTP method.',
    nextStep: 'Use POST for messages, GET for a stream, DELETE to end a session; `Allow` lists what is possible.',
  },
  not_acceptable: {
    title: 'Not Acceptable',
    message: 'The client must accept both application/json and text/event-stream',
    codes: { mcp: -32000, modern: 406, v3: -32600, saas: -32600, ftl: -32600, n8n: -32600 },
    status: 406,
    retryable: false,
    cause: 'The `Accept` header rules out every form in which an answer could come.',
    nextStep: 'Send `Accept: application/json, text/event-stream`; for a GET, `text/event-stream`.',
  },
  unsupported_media_type: {
    title: 'Unsupported Media Type',
    message: 'Content-Type must be application/json',
    codes: { mcp: -32000, modern: 415, v3: -32600, saas: -32600, ftl: -32600, n8n: -32600 },
    status: 415,
    retryable: false,
    cause: 'The body of a POST is not declared as JSON.',
    nextStep: 'Send `Content-Type: application/json`.',
  },
  origin_refused: {
    title: 'Origin Refused',
    message: 'Host or Origin is not allowed',
    codes: { mcp: -32000, modern: 403, v3: -32003, saas: -32603, ftl: -32000, n8n: -32000 },
    status: 403,
    retryable: false,
    cause: '`Host` or `Origin` is not one that this gateway serves, as in a DNS rebinding attack.',
    nextStep: 'Add the name to `listen.http.allowedHosts` or `listen.http.allowedOrigins` if it is yours.',
  },
  too_large: {
    title: 'Payload Too Large',
    message: 'The message is too large',
    codes: { mcp: -32600, modern: 413, v3: -32013, saas: -32600, ftl: -32600, n8n: -32600 },
    status: 413,
    retryable: false,
    cause: 'A message, batch, id or result is beyond its limit.',
    nextStep: 'Send less at once, or raise the limit that the message names.',
  },
}
