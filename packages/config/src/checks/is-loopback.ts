/** Whether an address to listen on can only be reached from this machine. A name other than `localhost` is not trusted. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
}
