/** Reads strict CSV (RFC 4180; a byte order mark is allowed). */
export function readCsv(file: Uint8Array): string[][] {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(file)
  const rows: string[][] = []
  let row: string[] = []
  let read = 0
  for (const found of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy)) {
    const [all, quoted, plain = '', end] = found
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    read += all.length
    if (end !== '\r\n') continue
    rows.push(row)
    row = []
  }
  if (read !== text.length) throw new Error(`no CSV at character ${read}`)
  return rows
}
