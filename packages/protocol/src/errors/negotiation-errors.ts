import { type ErrorRow, everywhere } from './error-row.ts'

/** Where two sides do not match: versions, capabilities, and requests that a client cannot answer. */
export type NegotiationSituation =
  | 'header_mismatch'
  | 'capability_missing'
  | 'unsupported_version'
  | 'ask_not_supported'
  | 'ask_mode_not_supported'
  | 'client_gone'

/** The errors about what both sides support. */
export const negotiationErrors: Readonly<Record<NegotiationSituation, ErrorRow>> = {
  header_mismatch: {
    title: 'Header Mismatch',
    message: 'A header does not say what the body says',
    codes: { mcp: -32600, modern: -32020, v3: -32600, saas: -32600, ftl: -32600, n8n: -32600 },
    status: 400,
    retryable: false,
    cause:
      '`MCP-Protocol-Version`, `Mcp-Method`, `Mcp-Name` or an `Mcp-Param` header differs from the body, or is missing.',
    nextStep: 'Send the headers that 2026-07-28 asks for, with the values of the body.',
  },
  capability_missing: {
    title: 'Capability Missing',
    message: 'The client did not declare a capability that this request needs: {name}',
    codes: { mcp: -32600, modern: -32021, v3: -32012, saas: -32600, ftl: -32600, n8n: -32600 },
    status: 400,
    retryable: false,
    cause: 'The request can only be answered with help from the client, and the client did not say that it can help.',
    nextStep: 'Declare the capabilities in `data.requiredCapabilities`, if the client has them.',
  },
  unsupported_version: {
    title: 'Unsupported Protocol Version',
    message: 'Unsupported protocol version: {name}',
    codes: { mcp: -32000, modern: -32022, v3: -32012, saas: -32600, ftl: -32600, n8n: -32600 },
    status: 400,
    retryable: false,
    nameMember: 'requested',
    cause:
      'The protocol version of a request is not one that is spoken here. (An `initialize` is never refused for this: it is answered with a version that is.)',
    nextStep: 'Use one of the versions in `data.supported`.',
  },
  ask_not_supported: {
    title: 'Client Feature Not Supported',
    message: 'The client does not support this request: {name}',
    codes: { mcp: -32601, modern: -32601, v3: -32005, saas: -32601, ftl: -32601, n8n: -32601 },
    status: 200,
    retryable: false,
    nameMember: 'method',
    cause:
      'A backend asked for sampling, elicitation or roots, and the client declared no such capability. The backend gets this answer; the client never sees the question.',
    nextStep: 'Let the backend look at the capabilities that were declared to it, or use another client.',
  },
  ask_mode_not_supported: {
    title: 'Client Mode Not Supported',
    message: 'The client does not support this form of the request',
    codes: everywhere(-32602),
    status: 200,
    retryable: false,
    nameMember: 'method',
    cause:
      'A backend asked in a way that the client did not declare: URL elicitation, tools or context in sampling, a choice that its revision cannot show.',
    nextStep: 'Let the backend use the plain form of the request.',
  },
  client_gone: {
    title: 'Client Gone',
    message: 'The client is gone',
    codes: { mcp: -32000, modern: 503, v3: -32030, saas: -32603, ftl: -32004, n8n: -32000 },
    status: 200,
    retryable: false,
    cause: 'A backend asked the client something, and the client has left or cannot be reached.',
    nextStep: 'Nothing: the request that the question belongs to has no reader either.',
  },
}
