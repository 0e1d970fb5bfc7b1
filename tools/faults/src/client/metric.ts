/** The sum of a metric in the admin port's `/metrics` over all series with these labels. */
export async function metric(
  admin: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  // Without keep-alive, because the connection would be counted by scenarios that count connections.
  const text = await (await fetch(`${admin}/metrics`, { headers: { connection: 'close' } })).text()
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const rows = text.split('\n').filter((row) => row.startsWith(`${name}{`) || row.startsWith(`${name} `))
  const fitting = rows.filter((row) => wanted.every((label) => row.includes(label)))
  return fitting.reduce((sum, row) => sum + Number(row.slice(row.lastIndexOf(' '))), 0)
}
