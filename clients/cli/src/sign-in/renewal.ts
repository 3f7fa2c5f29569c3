/** Renewal of the sign-in: its token from where it is kept, or a new one, by one process at a time. */
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileOf } from '../config.ts'
import { EXIT, Failure } from '../failures.ts'
import type { Io } from '../io.ts'
import { exchangeSecret, refresh } from './oauth.ts'
import { type Credential, findCredential } from './secrets.ts'

const SPARE_MS = 30_000
const LOOK_MS = 100
const LOCK_MS = 40_000 // longer than the service may take to answer

/** Makes the source of tokens: BFS_TOKEN as it is, BFS_SECRET, which is kept nowhere, or what `bfs login` kept. */
export function tokenSource(io: Io, baseUrl: string): (refused?: string) => Promise<string | undefined> {
  let token: string | undefined
  return async (refused) => {
    const { BFS_TOKEN: fixed, BFS_SECRET: secret } = io.env
    if (fixed) return fixed
    if (token && token !== refused) return token
    const found = secret ? await exchangeSecret(baseUrl, secret) : await renewKept(io, baseUrl, refused)
    token = found.token
    return token
  }
}

/**
 * Renews the kept credential, and keeps it before it is used: an interrupted command begins again with the one before.
 * One that another process renewed meanwhile is taken as it is. Throws if the service refuses it.
 */
async function renewKept(io: Io, baseUrl: string, refused: string | undefined): Promise<Credential> {
  const fresh = findFresh((await findCredential(io, baseUrl))?.credential, refused)
  if (fresh) return fresh
  return runAlone(io, async () => {
    let failed: { readonly secret: string; readonly failure: Failure } | undefined
    for (;;) {
      const { credential, store } = (await findCredential(io, baseUrl)) ?? failNotSignedIn()
      if (credential.secret === failed?.secret) throw failed.failure
      const meanwhile = findFresh(credential, refused)
      if (meanwhile) return meanwhile
      try {
        const renewed = await renew(baseUrl, credential)
        await store.write(renewed)
        return renewed
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        failed = { secret: credential.secret, failure: error } // another process may have kept a newer one
      }
    }
  })
}

const renew = (baseUrl: string, { secret, grant }: Credential): Promise<Credential> =>
  grant === 'refresh_token' ? refresh(baseUrl, secret) : exchangeSecret(baseUrl, secret)

function findFresh(found: Credential | undefined, refused: string | undefined): Credential | undefined {
  if (!found?.token || found.token === refused) return undefined
  return Date.parse(found.expires_at ?? '') > Date.now() + SPARE_MS ? found : undefined
}

function failNotSignedIn(): never {
  throw new Failure(EXIT.notSignedIn, 'You are not signed in: bfs login')
}

/** Runs while no other process of this user does, by a lock file. One that a killed process left is broken later. */
export async function runAlone<Result>(io: Io, act: () => Promise<Result>): Promise<Result> {
  const file = fileOf(io, 'sign-in.lock')
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  while (!(await takeLock(file))) await io.pause(LOOK_MS)
  try {
    return await act()
  } finally {
    await rm(file, { force: true })
  }
}

async function takeLock(file: string): Promise<boolean> {
  try {
    await writeFile(file, '', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const since = await stat(file).catch(() => undefined)
  if (since && Date.now() - since.mtimeMs > LOCK_MS) await rm(file, { force: true })
  return false
}
