/** The only supported subprotocol. */
export const subprotocol = 'mcp'
