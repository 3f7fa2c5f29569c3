/** Folder of a bank by SFTP: with its host key pinned, one connection for each visit, and always closed. */
import { createHash } from 'node:crypto'
import { Client, type SFTPWrapper } from 'ssh2'
import type { FileBank } from '../../services/bank-files/settings.ts'
import { type BankFolder, FolderFailure } from './folder.ts'
import { type Patience, sftpFolder } from './sftp-folder.ts'

/** Milliseconds that a server has: `silentMs` for each answer, and `visitMs` for a whole visit. */
export type Limits = { readonly silentMs: number; readonly visitMs: number }

/** Time in which a server has to close what we have closed. */
const CLOSING_MS = 2000
const PRIVATE_KEY = /^-----BEGIN /

/**
 * Visits a folder: connects, works, and closes. Fails as `FolderFailure` for another host key than the pinned one, which
 * gets neither our name nor our key, for a server that stays silent, and for a connection that is cut.
 */
export async function visitSftp<Result>(
  bank: FileBank,
  work: (folder: BankFolder) => Promise<Result>,
  limits: Limits,
): Promise<Result> {
  const client = new Client()
  const watch = watchOver(client, limits)
  try {
    const sftp = await Promise.race([watch.broken, logIn(client, bank, watch)])
    return await Promise.race([watch.broken, work(sftpFolder(sftp, watch))])
  } finally {
    watch.stop()
    client.end()
    setTimeout(() => client.destroy(), CLOSING_MS).unref() // a server that hangs never closes it
  }
}

/** Computes the fingerprint of a host key, as ssh-keygen -lf prints it. */
export const fingerprintOf = (key: Uint8Array): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replaceAll('=', '')}`

type Watch = Patience & {
  /** Rejects once the connection is of no use; it never resolves. */
  readonly broken: Promise<never>
  readonly fail: (fault: FolderFailure['fault']) => void
  readonly stop: () => void
}

/** Watches a connection: what is under way fails with it, and sends nothing more. */
function watchOver(client: Client, { silentMs, visitMs }: Limits): Watch {
  let fail: Watch['fail'] = () => {}
  const broken = new Promise<never>((_, reject) => {
    fail = (fault) => {
      reject(new FolderFailure(fault))
      client.destroy()
    }
  })
  broken.catch(() => {}) // the work may have ended before
  client.on('error', ({ level }) => fail(level === 'client-authentication' ? 'login_refused' : 'unreachable'))
  client.on('close', () => fail('connection_cut'))
  const whole = setTimeout(() => fail('slow'), visitMs)
  let silent: NodeJS.Timeout | undefined
  let asked = 0
  return {
    broken,
    fail,
    ask() {
      asked += 1
      silent ??= setTimeout(() => fail('silent'), silentMs)
    },
    hear() {
      asked -= 1
      if (asked > 0) return void silent?.refresh()
      clearTimeout(silent)
      silent = undefined
    },
    stop() {
      clearTimeout(silent)
      clearTimeout(whole)
    },
  }
}

function logIn(client: Client, { settings, key }: FileBank, { ask, fail, hear }: Watch): Promise<SFTPWrapper> {
  const { transport } = settings
  if (transport.kind !== 'sftp') throw new Error('the bank is not reached by SFTP')
  const { user: username, host, port, hostKey } = transport
  const hearStep = () => {
    ask()
    hear() // the patience begins again
  }
  return new Promise((resolve, reject) => {
    client.on('handshake', hearStep)
    client.on('ready', () => {
      hearStep()
      client.sftp((error, sftp) => {
        hear()
        if (error) reject(new FolderFailure('no_sftp'))
        else resolve(sftp)
      })
    })
    ask()
    try {
      client.connect({
        host,
        port,
        username,
        ...(PRIVATE_KEY.test(key) ? { privateKey: key } : { password: key }),
        readyTimeout: 0, // the patience is our own
        hostVerifier: (offered: Buffer) => {
          const isPinned = fingerprintOf(offered) === hostKey
          if (!isPinned) fail('other_host_key')
          return isPinned
        },
        agentForward: false,
      })
      client.setNoDelay() // a visit is many small requests, each of which waits for the last
    } catch {
      reject(new FolderFailure('login_refused')) // its client cannot read the key
    }
  })
}
