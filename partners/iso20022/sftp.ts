/** Folder of a bank by SFTP: with its host key pinned, one connection for each visit, and always closed. */
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import Client from 'ssh2-sftp-client'
import type { FileBank } from '../../services/bank-files/settings.ts'
import type { BankFolder } from './folder.ts'

const READY_MS = 20_000
/** Listeners that say nothing: those of the client would print. */
const SILENT = { error: () => {}, end: () => {}, close: () => {} }
const PRIVATE_KEY = /^-----BEGIN /

/**
 * Visits a folder: connects, works, and closes. Fails for another host key than the pinned one. `visitMs`: the longest
 * visit, so that a server that stops answering keeps no activity.
 */
export async function visitSftp<Result>(
  { settings, key }: FileBank,
  work: (folder: BankFolder) => Promise<Result>,
  visitMs: number,
): Promise<Result> {
  const { transport } = settings
  if (transport.kind !== 'sftp') throw new Error('the bank is not reached by SFTP')
  const { user: username, host, port, hostKey } = transport
  const client = new Client('sftp', SILENT) // what is under way fails by its answer
  const timer = setTimeout(() => void client.end().catch(() => {}), visitMs)
  try {
    await client.connect({
      sock: connect({ host, port, noDelay: true }), // a visit is many small requests, each of which waits for the last
      host,
      port,
      username,
      ...(PRIVATE_KEY.test(key) ? { privateKey: key } : { password: key }),
      readyTimeout: READY_MS,
      hostVerifier: (offered: Buffer) => fingerprintOf(offered) === hostKey,
      agentForward: false,
    })
    return await work(folderOf(client))
  } finally {
    clearTimeout(timer)
    await client.end().catch(() => {})
  }
}

/** Computes the fingerprint of a host key, as ssh-keygen -lf prints it. */
export const fingerprintOf = (key: Uint8Array): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

function folderOf(client: Client): BankFolder {
  const at = (directory: string, name: string) => `${directory}/${name}`
  return {
    async list(directory) {
      const entries = await client.list(directory)
      return entries.flatMap(({ type, name, size, modifyTime }) =>
        type === '-' ? [{ name, byteSize: size, modifiedAt: new Date(modifyTime).toISOString() }] : [],
      )
    },
    async read(directory, name, bytesMax) {
      const path = at(directory, name)
      if ((await client.exists(path)) !== '-') return null
      const { size } = await client.stat(path)
      if (size > bytesMax) return null
      const chunks: Buffer[] = []
      let bytes = 0
      const stream = client.createReadStream(path)
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > bytesMax) return null
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    },
    write: async (directory, name, bytes) => void (await client.put(Buffer.from(bytes), at(directory, name))),
    rename: async (directory, from, to) => void (await client.rename(at(directory, from), at(directory, to))),
    remove: async (directory, name) => void (await client.delete(at(directory, name), true)),
  }
}
