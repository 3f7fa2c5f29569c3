/** Files of the stand-in: what they are is kept, their bytes are not. */
import { createHash } from 'node:crypto'
import type Increase from 'increase'
import * as v from 'valibot'
import { newId } from '../../../domain/ids.ts'
import { hashOf } from '../../../services/idempotency.ts'
import { type RowOf, findOpened, listOpened, openAtIncrease } from '../../db/increase/accounts.ts'
import { type Answer, type Desk, type Question, keyUsed, notFound, ok, pageOf, parse, timeOf } from './answers.ts'
import { idOf, readId, uuidOfKey } from './ids.ts'

type Row = RowOf<'file'>

const NewFile = v.strictObject({
  file: v.pipe(
    v.instance(File),
    v.check(({ size }) => size > 0, 'must not be empty'),
  ),
  purpose: v.picklist(['identity_document', 'entity_supplemental_document', 'other']),
  description: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
}) satisfies v.GenericSchema<unknown, Increase.FileCreateParams>

/** Reads a form with a file (RFC 7578). */
export async function readForm(
  bytes: Buffer | undefined,
  type: string | undefined,
): Promise<{ readonly body: unknown; readonly malformed: boolean }> {
  const headers = { 'content-type': type ?? '' }
  const form = bytes && (await new Response(new Uint8Array(bytes), { headers }).formData().catch(() => undefined))
  return { body: form && Object.fromEntries(form), malformed: form === undefined }
}

/** Takes a file, once for each key. */
export async function createFile({ desk, body, key }: Question): Promise<Answer> {
  const { file, purpose, description = null } = parse(NewFile, body)
  const uuid = key === null ? newId() : uuidOfKey(key)
  const id = idOf('file', uuid)
  const known = await findOpened(desk.partner, 'file', uuid)
  const sha256 = createHash('sha256')
    .update(Buffer.from(await file.arrayBuffer()))
    .digest('hex')
  const row = await openAtIncrease(desk.partner, hashOf({ kind: 'file', purpose, description, sha256 }), {
    id: uuid,
    account: id,
    details: {},
    document: { kind: 'file', key, purpose, description, filename: file.name, mime: file.type },
  })
  if (!row) throw keyUsed(id)
  const answer = ok(showFile(row))
  return known ? { ...answer, headers: { 'idempotent-replayed': 'true' } } : answer
}

/** Finds a file by its id. Throws `object_not_found_error`. */
export async function requireFile({ partner }: Desk, id: string): Promise<Row> {
  const read = readId('file', id)
  const row = read && read.mark === '' ? await findOpened(partner, 'file', read.uuid) : undefined
  if (!row) throw notFound(id)
  return row
}

export const getFile = async ({ desk, id }: Question): Promise<Answer> => ok(showFile(await requireFile(desk, id)))

/** Lists files, newest first. */
export async function listFiles({ desk, query }: Question): Promise<Answer> {
  const key = query.get('idempotency_key')
  const kept = { kind: 'file', id: key === null ? null : uuidOfKey(key) } as const
  return ok(
    await pageOf(query, (listing) => listOpened(desk.partner, kept, listing), {
      show: showFile,
      leaves: (one) => key === null || one.idempotency_key === key,
    }),
  )
}

const showFile = ({ account, document, made_at: madeAt }: Row): Increase.File =>
  ({
    id: account,
    created_at: timeOf(madeAt),
    description: document.description,
    direction: 'to_increase',
    filename: document.filename,
    idempotency_key: document.key,
    mime_type: document.mime,
    purpose: document.purpose,
    type: 'file',
  }) satisfies Increase.File
