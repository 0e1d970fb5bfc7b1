/** What the specification of JSON-RPC 3.0 asks: `C-` and its sections. */
export const jsonRpc3Requirements = {
  'C-2.1': {
    source: 'JSON-RPC 3.0, 2.1 Message Types',
    behaviour: 'each message is answered in its own version; what the gateway starts is in that of the client',
  },
  'C-3.1': {
    source: 'JSON-RPC 3.0, 3.1 Common Fields',
    behaviour: 'ids are strings, numbers or null; params may be a list',
  },
  'C-4.1': { source: 'JSON-RPC 3.0, 4.1 Base Request', behaviour: 'a request is answered, a notification is not' },
  'C-5.2': { source: 'JSON-RPC 3.0, 5.2 Error Response', behaviour: 'an error has code, title and message' },
  'C-6.3': { source: 'JSON-RPC 3.0, 6.3 Stream Errored', behaviour: 'a stream that fails ends with its error' },
  'C-7': { source: 'JSON-RPC 3.0, 7 Error Handling', behaviour: 'codes are those of its tables' },
  'C-8': {
    source: 'JSON-RPC 3.0, 8 Version Negotiation',
    behaviour: 'peers of 2.0 and 3.0 are served side by side, message by message; other versions are refused',
  },
  'C-9': {
    source: 'JSON-RPC 3.0, 9 Transport Considerations',
    behaviour: 'each message is one JSON text; over HTTP an answer is events or lines, as asked; batches are allowed',
  },
  'C-12': {
    source: 'JSON-RPC 3.0, 12 Summary',
    behaviour: 'all of MCP is spoken in it: what an official client does in 2.0, a peer does in 3.0',
  },
} as const
