/** Files of the stand-in: what they are is kept, their bytes are not. */
import { createHash } from 'node:crypto'
import type Increase from 'increase'
import * as v from 'valibot'
import type { RowOf } from '../../db/increase/accounts.ts'
import { type Answer, type Question, ok, parse, timeOf } from './answers.ts'
import { listKept, openOnce, requireOpened } from './opened.ts'

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
  const sha256 = createHash('sha256')
    .update(Buffer.from(await file.arrayBuffer()))
    .digest('hex')
  return openOnce(desk, {
    document: { kind: 'file', key, purpose, description, filename: file.name, mime: file.type },
    content: { purpose, description, sha256 },
    show: showFile,
  })
}

export const getFile = async ({ desk, id }: Question): Promise<Answer> =>
  ok(showFile(await requireOpened(desk, 'file', id)))

/** Lists files, newest first. */
export const listFiles = (question: Question): Promise<Answer> => listKept('file', question, { show: showFile })

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
