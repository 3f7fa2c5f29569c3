/** Secret of a delegate: in the keyring of the system, or in a file if its user chooses that aloud. */
import { fileOf, readPrivate, removePrivate, writePrivate } from '../config.ts'
import { EXIT, Failure } from '../failures.ts'
import type { Io } from '../io.ts'

export type Keyring = {
  readonly read: (account: string) => string | null
  readonly write: (account: string, text: string) => void
  readonly remove: (account: string) => void
}

/** Secret with its grant, and the latest token that it was changed into. */
export type Credential = {
  readonly secret: string
  readonly grant: 'client_credentials' | 'refresh_token'
  readonly token: string
  readonly expires_at: string
}

export type Store = { readonly kind: 'keyring' | 'file'; readonly write: (credential: Credential) => Promise<void> }
export type KeptCredential = { readonly credential: Credential; readonly store: Store }

const SERVICE = 'bfs'
const PROBE = 'probe'

/** Opens the keyring of the system; undefined if its library is not installed or it does not work. */
export async function openKeyring(): Promise<Keyring | undefined> {
  try {
    const { Entry } = await import('@napi-rs/keyring')
    const keyring: Keyring = {
      read: (account) => new Entry(SERVICE, account).getPassword(),
      write: (account, text) => new Entry(SERVICE, account).setPassword(text),
      remove: (account) => void new Entry(SERVICE, account).deletePassword(),
    }
    keyring.write(PROBE, PROBE)
    keyring.remove(PROBE)
    return keyring
  } catch {
    return undefined
  }
}

/** Finds the credential that `bfs login` kept for a service. */
export async function findCredential(io: Io, baseUrl: string): Promise<KeptCredential | undefined> {
  const inFile = ((await readPrivate(plainFile(io))) as Readonly<Record<string, Credential>>)[baseUrl]
  if (inFile) return { credential: inFile, store: fileStore(io, baseUrl) }
  const keyring = await io.openKeyring()
  const text = keyring?.read(baseUrl)
  return keyring && text
    ? { credential: JSON.parse(text) as Credential, store: keyringStore(keyring, baseUrl) }
    : undefined
}

/**
 * Chooses where a credential is kept: the keyring, or the file that `--insecure-storage` asks for. Throws if there is no
 * keyring and no choice: a plain file is never chosen silently.
 */
export async function chooseStore(io: Io, baseUrl: string, isInsecure: boolean): Promise<Store> {
  if (isInsecure) return fileStore(io, baseUrl)
  const keyring = await io.openKeyring()
  if (keyring) return keyringStore(keyring, baseUrl)
  throw new Failure(
    EXIT.usage,
    `There is no keyring here that could keep the secret. Choose one:
  --insecure-storage  keeps it as plain text in ${plainFile(io)}
  BFS_SECRET=…        in the environment of each command keeps it nowhere`,
  )
}

/** Removes the credential of a service from wherever it is kept. */
export async function removeCredential(io: Io, baseUrl: string): Promise<void> {
  const { [baseUrl]: _, ...others } = (await readPrivate(plainFile(io))) as Readonly<Record<string, Credential>>
  if (Object.keys(others).length > 0) await writePrivate(plainFile(io), others)
  else await removePrivate(plainFile(io))
  const keyring = await io.openKeyring()
  if (keyring?.read(baseUrl)) keyring.remove(baseUrl)
}

const plainFile = (io: Io): string => fileOf(io, 'secrets.json')

const keyringStore = (keyring: Keyring, baseUrl: string): Store => ({
  kind: 'keyring',
  write: async (credential) => keyring.write(baseUrl, JSON.stringify(credential)),
})

const fileStore = (io: Io, baseUrl: string): Store => ({
  kind: 'file',
  write: async (credential) =>
    writePrivate(plainFile(io), { ...(await readPrivate(plainFile(io))), [baseUrl]: credential }),
})
