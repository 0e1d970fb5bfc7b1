/** The gateway of tool components over HTTP that the profile `ftl` imitates (the MCP API reference): `E-` with its sections. */
export const ftlRequirements = {
  'E-1': {
    source: 'MCP API Reference, Protocol Flow',
    behaviour: 'requests are routed to components over HTTP: GET for the list, POST for a call, on any node',
  },
  'E-2': {
    source: 'MCP API Reference, initialize',
    behaviour: 'protocolVersion 0.1.0 is answered with 0.1.0, capabilities {tools: {}} and serverInfo, nothing else',
  },
  'E-3': {
    source: 'MCP API Reference, tools/list',
    behaviour: 'tools have their own names, and the members that the document prints; no session is needed',
  },
  'E-4': {
    source: 'MCP API Reference, tools/call',
    behaviour: 'a call is answered with the content of the tool; no session is needed',
  },
  'E-5': {
    source: 'MCP API Reference, GET /',
    behaviour: 'the description of a component, as the document prints it, is a tool',
  },
  'E-6': {
    source: 'MCP API Reference, POST /',
    behaviour: 'a component receives the raw arguments, and its answer is the result, without content types',
  },
  'E-7': {
    source: 'MCP API Reference, Content Types',
    behaviour: 'text, images and resources of components pass as the document prints them',
  },
  'E-8': {
    source: 'MCP API Reference, Custom Content Types',
    behaviour: 'custom content stays as it is; under the profile mcp it is an embedded resource',
  },
  'E-9': {
    source: 'MCP API Reference, Standard JSON-RPC Errors',
    behaviour: 'the five codes with the messages of the table',
  },
  'E-10': {
    source: 'MCP API Reference, MCP-Specific Errors',
    behaviour: 'four more codes: unknown tool, failed tool, arguments that do not match, no answer of the tool',
  },
  'E-11': {
    source: 'MCP API Reference, Error Response Format',
    behaviour: 'an unknown tool is answered exactly as the document prints it',
  },
  'E-12': {
    source: 'MCP API Reference, Schema Validation',
    behaviour: 'arguments are checked before anything is sent; malformed params are -32602',
  },
  'E-13': {
    source: 'MCP API Reference, Tool Registration',
    behaviour: 'the tools are those of a list of names in a pattern of URLs',
  },
  'E-14': {
    source: 'MCP API Reference, Automatic service discovery',
    behaviour: 'components of a registry appear and disappear in a running gateway; one that is down hides no other',
  },
  'E-15': {
    source: 'MCP API Reference, TypeScript SDK',
    behaviour: 'the printed tool works with another import only',
  },
  'E-16': {
    source: 'MCP API Reference, Using curl',
    behaviour: 'the commands of the document get one JSON text, also when the tool is slow',
  },
  'E-17': {
    source: 'MCP API Reference, Using MCP Inspector',
    behaviour: 'the Inspector lists and calls the tools',
  },
  'E-18': {
    source: 'MCP API Reference, Best Practices',
    behaviour: 'a call has 30 seconds unless the configuration says otherwise; internal errors are not exposed',
  },
  'E-19': {
    source: 'MCP API Reference, Compliance',
    behaviour: 'the profile is set for a gateway or for one of its tenants; the others are as before',
  },
  'E-20': {
    source: 'MCP API Reference, Streaming Responses',
    behaviour: 'pieces of a component reach clients of streams one by one, and others in one result',
  },
  'E-21': {
    source: 'RFC 8259, Numbers; MCP API Reference, POST /',
    behaviour: 'a number that JavaScript would change is the same number at the component, and in its answer',
  },
} as const
