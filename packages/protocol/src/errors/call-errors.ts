import type { ErrorRow } from './error-row.ts'

/** What can go wrong between a request and its tool, prompt or resource. */
export type CallSituation =
  | 'unknown_tool'
  | 'unknown_prompt'
  | 'unknown_resource'
  | 'invalid_arguments'
  | 'tool_failed'
  | 'tool_cycle'
  | 'tool_depth'
  | 'consent_required'
  | 'token_needed'
  | 'backend_unavailable'
  | 'backend_exited'
  | 'outcome_unknown'
  | 'deadline_exceeded'
  | 'too_many_requests'
  | 'overloaded'
  | 'fabric_unavailable'

/** The errors of calls. */
export const callErrors: Readonly<Record<CallSituation, ErrorRow>> = {
  unknown_tool: {
    title: 'Tool Not Found',
    message: 'Unknown tool: {name}',
    wording: { ftl: 'Tool not found', n8n: 'Tool not found: {name}' },
    codes: { mcp: -32602, modern: -32602, v3: -32004, saas: -32602, ftl: -32001, n8n: -32601 },
    status: 200,
    retryable: false,
    nameMember: 'tool',
    bare: ['n8n'],
    onlyNames: ['ftl'],
    cause: 'No backend that this caller may use offers a tool of this name.',
    nextStep: 'List the tools again; the list may have changed. Names carry the prefix of their backend.',
  },
  unknown_prompt: {
    title: 'Prompt Not Found',
    message: 'Unknown prompt: {name}',
    wording: { n8n: 'Prompt not found: {name}' },
    codes: { mcp: -32602, modern: -32602, v3: -32004, saas: -32602, ftl: -32602, n8n: -32601 },
    status: 200,
    retryable: false,
    nameMember: 'prompt',
    cause: 'No backend that this caller may use offers a prompt of this name.',
    nextStep: 'List the prompts again; the list may have changed.',
  },
  unknown_resource: {
    title: 'Resource Not Found',
    message: 'Resource not found: {name}',
    codes: { mcp: -32002, modern: -32602, v3: -32004, saas: -32602, ftl: -32602, n8n: -32601 },
    status: 200,
    retryable: false,
    nameMember: 'uri',
    cause: 'No backend that this caller may use owns this URI, by list, template or prefix.',
    nextStep: 'List resources and templates again, and use the URI as it is listed.',
  },
  invalid_arguments: {
    title: 'Invalid Arguments',
    message: 'The arguments do not match the input schema of the tool',
    wording: { ftl: 'Invalid schema' },
    codes: { mcp: -32602, modern: -32602, v3: -32602, saas: -32602, ftl: -32003, n8n: -32602 },
    status: 200,
    retryable: false,
    nameMember: 'tool',
    cause:
      'The gateway checked the arguments itself and they do not fit. From 2025-11-25 on this is a tool result with `isError` instead, so that a model can correct itself.',
    nextStep: 'The message says which member is wrong; compare with `inputSchema` in the list of tools.',
  },
  tool_failed: {
    title: 'Tool Failed',
    message: 'The tool failed without a result',
    wording: { ftl: 'Tool error' },
    codes: { mcp: -32603, modern: -32603, v3: -32603, saas: -32603, ftl: -32002, n8n: -32603 },
    status: 200,
    retryable: false,
    nameMember: 'tool',
    cause: 'The tool was called and returned something that is not a result.',
    nextStep: 'Look at the log of the backend that `data.backend` names.',
  },
  tool_cycle: {
    title: 'Tool Cycle',
    message: 'A tool calls itself, directly or through other tools',
    wording: { ftl: 'Tool error' },
    codes: { mcp: -32603, modern: -32603, v3: -32603, saas: -32603, ftl: -32002, n8n: -32603 },
    status: 200,
    retryable: false,
    cause: 'A tool called another tool which is already part of the same chain of calls. Only plugins get this error.',
    nextStep: 'The message shows the chain. Call something else there, or move what the tools share into a function.',
  },
  tool_depth: {
    title: 'Too Many Tools In A Chain',
    message: 'Too many tools call each other',
    wording: { ftl: 'Tool error' },
    codes: { mcp: -32603, modern: -32603, v3: -32603, saas: -32603, ftl: -32002, n8n: -32603 },
    status: 200,
    retryable: false,
    cause: 'A chain of tools, of which each calls the next, is longer than 8. Only plugins get this error.',
    nextStep: 'The message shows the chain. Let one tool call the others, instead of each the next.',
  },
  consent_required: {
    title: 'Consent Required',
    message: 'The backend acts for its callers, and this caller has not agreed yet',
    codes: { mcp: -32042, modern: 403, v3: -32003, saas: -32603, ftl: -32000, n8n: -32000 },
    status: 200,
    retryable: false,
    cause:
      'The backend is called with the account of each caller (`auth.oauth`), and this caller has not agreed, has ended the access, or the server asks for more scopes.',
    nextStep: 'Open the link in `data.elicitations` in a browser, agree, and send the request again.',
  },
  token_needed: {
    title: 'Token Needed',
    message: 'The backend is called with a token that is made from the access token of the caller, and there is none',
    codes: { mcp: -32000, modern: 403, v3: -32003, saas: -32603, ftl: -32000, n8n: -32000 },
    status: 200,
    retryable: false,
    cause:
      'The token of each caller is exchanged for one of the backend (`auth.tokenExchange`, `auth.identityAssertion`), and the caller came with an API key or without credentials, or its token has expired since.',
    nextStep: 'Get a new access token from the issuer of this gateway, and send the request again with it.',
  },
  backend_unavailable: {
    title: 'Backend Unavailable',
    message: 'The backend cannot be reached',
    wording: { ftl: 'Gateway error' },
    codes: { mcp: -32000, modern: 503, v3: -32030, saas: -32603, ftl: -32004, n8n: -32000 },
    status: 200,
    retryable: true,
    cause:
      'The backend is down, refuses connections, still starts, could not be started, does not list what it offers, or no node serves it. The call was not sent.',
    nextStep: 'Try again later; look at the status of the backend that `data.backend` names.',
  },
  backend_exited: {
    title: 'Backend Exited',
    message: 'The backend ended before it answered',
    wording: { ftl: 'Gateway error' },
    codes: { mcp: -32000, modern: 503, v3: -32030, saas: -32603, ftl: -32004, n8n: -32000 },
    status: 200,
    retryable: false,
    cause:
      'The connection to the backend, or its process, ended after the call was sent. Whether it took effect is unknown.',
    nextStep: 'Check what the call did before sending it again; look at the log of the backend.',
  },
  outcome_unknown: {
    title: 'Outcome Unknown',
    message: 'The node that ran the request is gone: whether it took effect is unknown',
    wording: { ftl: 'Gateway error' },
    codes: { mcp: -32000, modern: 503, v3: -32030, saas: -32603, ftl: -32004, n8n: -32000 },
    status: 200,
    retryable: false,
    cause:
      'The node that ran a request or a job went away, for example the home of its session. A job is not run again when its tool does not say that it may be (`idempotentHint`, `readOnlyHint`), or when something of it was seen already. Or the storage did not answer when a job was accepted, or when its result was asked for; the message says so.',
    nextStep: 'Check what the call did before sending it again. Annotate tools that may safely run twice.',
  },
  deadline_exceeded: {
    title: 'Timeout',
    message: 'The deadline of the request has passed',
    wording: { ftl: 'Gateway error' },
    codes: { mcp: -32000, modern: 504, v3: -32008, saas: -32603, ftl: -32004, n8n: -32000 },
    status: 200,
    retryable: false,
    cause: 'No answer came in time, and the call was cancelled. Whether it took effect is unknown.',
    nextStep: 'Raise `timeout` for the backend if it is slow by nature; else look at what it was doing.',
  },
  too_many_requests: {
    title: 'Too Many Requests',
    message: 'Too many requests',
    codes: { mcp: -32000, modern: 429, v3: -32029, saas: -32603, ftl: -32000, n8n: -32000 },
    status: 429,
    retryable: true,
    cause:
      'The tenant, the caller or the tool is over a rate of `limits` (`data.limit` says over which), or the caller has as many requests under way as one may have. Nothing of the request has run.',
    nextStep:
      'Send the request again after `data.retryAfterMs`, which is also in `Retry-After`, and send fewer requests.',
  },
  overloaded: {
    title: 'Overloaded',
    message: 'The gateway is overloaded',
    wording: { ftl: 'Gateway error' },
    codes: { mcp: -32000, modern: 503, v3: -32030, saas: -32603, ftl: -32004, n8n: -32000 },
    status: 503,
    retryable: true,
    cause:
      'A bound on sessions, streams, processes or queues is reached (also that of the calls that wait for a backend), the issuer of tokens does not answer, or the gateway is shutting down.',
    nextStep:
      'Try again later. If the message names a limit, raise it or add a node; if it names an issuer, look at the issuer.',
  },
  fabric_unavailable: {
    title: 'Fabric Unavailable',
    message: 'What the nodes of this gateway share cannot be reached, or does not keep anything now',
    wording: { ftl: 'Gateway error' },
    codes: { mcp: -32000, modern: 503, v3: -32030, saas: -32603, ftl: -32004, n8n: -32000 },
    status: 503,
    retryable: true,
    cause:
      'NATS is down, cut off from this node, without a leader, or has no room: a session, a job or an answer for later cannot be kept, or another node cannot be asked.',
    nextStep: 'Try again later. Look at the NATS servers, their storage first; `/readyz` shows how the node sees them.',
  },
}
