/** The gateway of tool components over HTTP (the MCP API reference): `E-` with its sections. */
export const componentRequirements = {
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
  'E-16': {
    source: 'MCP API Reference, Using curl',
    behaviour: 'the commands of the document get one JSON text, also when the tool is slow',
  },
  'E-19': {
    source: 'MCP API Reference, Compliance',
    behaviour: 'the profile is set for a gateway or for one of its tenants; the others are as before',
  },
} as const
