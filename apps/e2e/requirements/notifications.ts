/** Messages without an id (the notification compliance document): `D-` with its sections. */
export const notificationRequirements = {
  'D-1': {
    source: 'Notification compliance, Component 1, Notification Detection',
    behaviour: 'a message with an id is a request, one without is a notification, regardless of its method',
  },
  'D-2': {
    source: 'Notification compliance, Component 2, Response Suppression',
    behaviour: 'a notification is never answered: known, unknown, malformed or failing, with a session or without',
  },
  'D-3': {
    source: 'Notification compliance, Component 2, Response Suppression',
    behaviour: 'notifications in a batch are not answered; a batch of only notifications is not answered at all',
  },
  'D-4': {
    source: 'Notification compliance, Component 3, Error Response id Fix; Parse Error Flow',
    behaviour: 'invalid JSON is answered exactly with id null, -32700 and "Parse error"',
  },
  'D-5': {
    source: 'Notification compliance, Notification Flow; Tracing',
    behaviour: 'each received notification is logged at debug level with its method',
  },
  'D-6': {
    source: 'Notification compliance, Request Flow',
    behaviour: 'a request is answered with jsonrpc, id and result, in this order',
  },
  'D-7': {
    source: 'Notification compliance, Integration Tests',
    behaviour: 'initialize and a notification, sent to the command without a last newline, give exactly one line',
  },
  'D-8': {
    source: 'Notification compliance, Metrics & Observability',
    behaviour: 'mcp_notifications_total counts received notifications by method only; unknown methods count as other',
  },
} as const
