/** Storage of files: a folder, or a bucket of S3. An object is written once, as a stream, and never changed. */
import { once } from 'node:events'
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Disk } from 'flydrive'
import { config } from '../config.ts'
import { log } from '../log.ts'
import { type FileId, newId } from '../../domain/ids.ts'
import { type Fault, REQUEST_FAULTS } from '../../domain/sandbox/sandbox.ts'
import { hasFault, takeFault } from '../faults.ts'
import { diskIn } from './disk.ts'

export type Key = `${string}/${string}`
export type Pieces = AsyncIterable<Uint8Array>
export type StoredObject = { readonly byteSize: number; readonly sha256: string }

export type Backend = {
  readonly disk: Disk
  /** Puts all or nothing. */
  readonly put: (key: Key, content: Pieces) => Promise<void>
  /** Throws if objects can neither be put nor read now. */
  readonly check: () => Promise<void>
  readonly removeParts: () => Promise<void>
  /** Signs an upload URL, valid for `seconds`; undefined if storage takes objects from us alone. */
  readonly uploadUrl?: (key: Key, expected: ExpectedObject, seconds: number) => Promise<string>
}

/** Storage failure: away, full or broken. A retry may help. */
export class StorageAway extends Error {
  override readonly name = 'StorageAway'
  readonly code = 'STORAGE_AWAY'
}

/** Missing object: storage works, and a retry is of no use. */
export class ObjectGone extends StorageAway {}

export type ExpectedObject = { readonly byteSize: number; readonly contentType: string }

let found: Promise<Backend> | undefined
/** Loads the backend late: the client of S3 is large. */
const backend = (): Promise<Backend> =>
  (found ??= (async () => {
    const { bucket, folder } = config.storage
    return bucket ? (await import('./s3.ts')).objectsIn(bucket) : diskIn(folder)
  })())

export const keyOf = (fileId: FileId, object: string): Key => `${fileId}/${object}`

export const newKey = (fileId: FileId): Key => keyOf(fileId, newId())

export function idsIn(key: Key): readonly [fileId: string, object: string] {
  const [fileId = '', object = ''] = key.split('/')
  return [fileId, object]
}

class ContentFailed extends Error {}

/**
 * Puts an object whole or not at all; answers length and SHA-256 (hex). Throws the content's error or `StorageAway`.
 */
export async function put(key: Key, content: Pieces): Promise<StoredObject> {
  async function* sent(): AsyncGenerator<Uint8Array> {
    try {
      yield* content
    } catch (error) {
      throw new ContentFailed('', { cause: error })
    }
  }
  const { pieces, found: stored } = measureContent(sent())
  await askStorage('put', async (fault) => (await backend()).put(key, broken(pieces, fault)))
  return stored()
}

/** Makes the one piece of a content that is there whole. */
export async function* onePiece(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof content === 'string' ? Buffer.from(content) : content
}

/** Measures a content while it is taken; `found` answers length and SHA-256 once all of it was. */
export function measureContent(content: Pieces): { readonly pieces: Pieces; readonly found: () => StoredObject } {
  const hash = createHash('sha256')
  let byteSize = 0
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      byteSize += piece.byteLength
      hash.update(piece)
      yield piece
    }
  }
  return { pieces: pieces(), found: () => ({ byteSize, sha256: hash.digest('hex') }) }
}

/** The bytes of an object. Throws `ObjectGone` or `StorageAway`, also during the read. */
export const get = (key: Key): Promise<Readable> =>
  askStorage('get', async (fault) => {
    const stream = await openStream(await backend(), key)
    return Readable.from(read(broken(stream, fault)), { objectMode: false })
  })

/** Opens a stream; throws for a missing object before the first byte. */
async function openStream({ disk, check }: Backend, key: Key): Promise<Readable> {
  try {
    const stream = await disk.getStream(key)
    await Promise.race([once(stream, 'readable'), once(stream, 'end')])
    return stream
  } catch (error) {
    await check() // a bucket that is away has no objects either
    if (await disk.exists(key)) throw error
    throw new ObjectGone('storage has no such object', { cause: error })
  }
}

/** Lists the names of what lies directly in a folder; none for one that is not there. Throws `StorageAway`. */
export const listIn = (folder: string): Promise<string[]> =>
  askStorage('get', async () => {
    const { check, disk } = await backend()
    await check() // a folder of a disk is missing also if the disk is
    const names: string[] = []
    let next: string | undefined
    do {
      const page = await disk.listAll(folder, next ? { paginationToken: next } : {}).catch(ifNotThere)
      for (const one of page.objects) names.push(basename(one.isFile ? one.key : one.prefix))
      next = page.paginationToken
    } while (next)
    return names
  })

function ifNotThere(error: unknown): Awaited<ReturnType<Disk['listAll']>> {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { objects: [] }
  throw error
}

/** Removes an object, if it exists. Throws `StorageAway`. */
export const remove = (key: Key): Promise<void> => askStorage('remove', async () => (await backend()).disk.delete(key))

/** Removes all objects of a file, except `but`. Throws `StorageAway`. */
export const removeAll = (fileId: FileId, but: Key | null = null): Promise<void> =>
  askStorage('remove', async () => {
    const { disk } = await backend()
    if (!but) return disk.deleteAll(fileId)
    const { objects } = await disk.listAll(fileId)
    for (const object of objects) if (object.isFile && object.key !== but) await disk.delete(object.key)
  })

/** Removes all objects in a folder. Throws `StorageAway`. */
export const removeIn = (folder: string): Promise<void> =>
  askStorage('remove', async () => (await backend()).disk.deleteAll(folder))

export const removeParts = (): Promise<void> => askStorage('remove', async () => (await backend()).removeParts())

export async function isReachable(): Promise<boolean> {
  if (!config.live && (await hasFault('storage', REQUEST_FAULTS))) return false
  await (await backend()).check()
  return true
}

/** The key of a direct upload into the bucket; what is kept is a copy under another key. */
const uploadKeyOf = (fileId: FileId): Key => keyOf(fileId, 'sent')

/** Signs an upload URL of storage for the file; undefined if people upload to us. */
export const directUploadUrl = async (
  fileId: FileId,
  expected: ExpectedObject,
  seconds: number,
): Promise<string | undefined> => (await backend()).uploadUrl?.(uploadKeyOf(fileId), expected, seconds)

/** Copies a direct upload to this key; undefined if nothing was sent. Throws `StorageAway`. */
export const copySent = async (fileId: FileId, to: Key): Promise<ExpectedObject | undefined> => {
  const { disk, uploadUrl } = await backend()
  if (!uploadUrl) return undefined
  return askStorage('get', async () => {
    if (!(await disk.exists(uploadKeyOf(fileId)))) return undefined
    await disk.copy(uploadKeyOf(fileId), to)
    const { contentLength: byteSize, contentType = '' } = await disk.getMetaData(to)
    return { byteSize, contentType }
  })
}

/** Asks storage, under its injected faults in test. Each failure but the content's is `StorageAway`. */
async function askStorage<Result>(deed: Deed, work: (midway: Fault | undefined) => Promise<Result>): Promise<Result> {
  try {
    const fault = config.live ? undefined : await takeFault('storage', FAULTS[deed])
    if (fault && (deed === 'remove' ? fault !== 'ambiguous' : AT_ONCE.has(fault))) throw simulate(fault)
    if (fault === 'slow') await delay(config.partnerTimeoutMs)
    const done = await work(fault && MIDWAY.has(fault) ? fault : undefined)
    if (fault === 'ambiguous') throw simulate(fault)
    return done
  } catch (error) {
    throw error instanceof ContentFailed ? error.cause : away(deed, error)
  }
}

type Deed = 'put' | 'get' | 'remove'
/** Faults by request; a read has no ambiguous outcome. */
const FAULTS: Readonly<Record<Deed, readonly Fault[]>> = {
  put: REQUEST_FAULTS,
  get: REQUEST_FAULTS.filter((fault) => fault !== 'ambiguous'),
  remove: REQUEST_FAULTS.filter((fault) => fault !== 'slow'),
}
/** Faults before anything is done. */
const AT_ONCE: ReadonlySet<Fault> = new Set(['down', 'rate_limited'])
/** Faults after the first piece. */
const MIDWAY: ReadonlySet<Fault> = new Set(['error', 'malformed'])

const simulate = (fault: Fault): Error => new Error(`the fault ${fault} of the sandbox`)

async function* broken(pieces: Pieces, fault: Fault | undefined): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece
    if (fault) break
  }
  if (fault) throw simulate(fault)
}

async function* read(pieces: Pieces): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
  } catch (error) {
    throw away('get', error)
  }
}

function away(deed: Deed, error: unknown): StorageAway {
  if (error instanceof StorageAway) return error
  log.warn({ err: error, deed }, 'storage is away')
  return new StorageAway(`storage did not ${deed}`, { cause: error })
}
