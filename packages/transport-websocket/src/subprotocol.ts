/** The only subprotocol that is spoken here. */
export const subprotocol = 'mcp'
