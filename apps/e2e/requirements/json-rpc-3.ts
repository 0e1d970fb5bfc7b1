/** The requirements of JSON-RPC 3.0: `C-` and the number of the section. */
export const jsonRpc3Requirements = {
  'C-2.1': {
    source: 'JSON-RPC 3.0, 2.1 Message Types',
    behaviour:
      'each message is answered in its own version; messages that the gateway starts have the version of the client',
  },
  'C-3.1': {
    source: 'JSON-RPC 3.0, 3.1 Common Fields',
    behaviour: 'ids are strings, numbers or null; params may be a list',
  },
  'C-4.1': { source: 'JSON-RPC 3.0, 4.1 Base Request', behaviour: 'a request is answered, a notification is not' },
  'C-4.2': {
    source: 'JSON-RPC 3.0, 4.2 Stream Request',
    behaviour:
      'pieces are sent only when options.stream is set; else the result contains all of them, and a method that sends too many is stopped',
  },
  'C-4.2.1': {
    source: 'JSON-RPC 3.0, 4.2 Stream Abort Request',
    behaviour: 'an abort ends the stream and stops its producer within a window; unknown and foreign ids are ignored',
  },
  'C-4.3': {
    source: 'JSON-RPC 3.0, 4.3 Request Extensions',
    behaviour: 'options reach the method separately from its params; extensions apply after their negotiation',
  },
  'C-5.1': { source: 'JSON-RPC 3.0, 5.1 Success Response', behaviour: 'a result comes with the id of its request' },
  'C-5.2': { source: 'JSON-RPC 3.0, 5.2 Error Response', behaviour: 'an error has code, title and message' },
  'C-5.3': {
    source: 'JSON-RPC 3.0, 5.3 Acknowledgment Response for Async Requests',
    behaviour: 'acks come before the response, with progress or a job if that was negotiated; no ack is answered',
  },
  'C-6.1': {
    source: 'JSON-RPC 3.0, 6.1 Stream Data',
    behaviour:
      'pieces come in order and none is lost, for any number of pieces and any reader that is slow, or away for a moment; memory stays bounded',
  },
  'C-6.2': {
    source: 'JSON-RPC 3.0, 6.2 Stream Done',
    behaviour: 'the result of a stream request has stream form, also when the method does not stream',
  },
  'C-6.3': { source: 'JSON-RPC 3.0, 6.3 Stream Errored', behaviour: 'a stream that fails ends with its error' },
  'C-6.4': {
    source: 'JSON-RPC 3.0, 6.4 Stream Aborted',
    behaviour: 'a stream that its client aborts ends with -32800',
  },
  'C-6.5': {
    source: 'JSON-RPC 3.0, 6.5 Ack Response for Async Streams',
    behaviour:
      'the ack of a stream request has the id inside; on the bus a stream continues on the subject in its ack, under the root of its client, unless 64 others wait for it to subscribe',
  },
  'C-7': { source: 'JSON-RPC 3.0, 7 Error Handling', behaviour: 'codes are those of its tables' },
  'C-8': {
    source: 'JSON-RPC 3.0, 8 Version Negotiation',
    behaviour: 'peers of 2.0 and 3.0 are served side by side, message by message; other versions are refused',
  },
  'C-9': {
    source: 'JSON-RPC 3.0, 9 Transport Considerations',
    behaviour: 'each message is one JSON text; over HTTP an answer is events or lines, as asked; batches are allowed',
  },
  'C-10': {
    source: 'JSON-RPC 3.0, 10 Security Considerations',
    behaviour: 'callers are authenticated, and no caller reaches the calls, streams and jobs of another',
  },
  'C-11.1': { source: 'JSON-RPC 3.0, 11.1 Regular Request / Response', behaviour: 'the conversations as printed' },
  'C-11.2': { source: 'JSON-RPC 3.0, 11.2 Stream Request / Responses', behaviour: 'the conversations as printed' },
  'C-11.3': { source: 'JSON-RPC 3.0, 11.3 Acknowledgment', behaviour: 'the conversations as printed' },
  'C-11.4': {
    source: 'JSON-RPC 3.0, 11.4 Stream Abort Request / Responses',
    behaviour: 'the conversations as printed',
  },
  'C-12': {
    source: 'JSON-RPC 3.0, 12 Summary',
    behaviour: 'all of MCP works in it: a peer can do in 3.0 what an official client does in 2.0',
  },
} as const
